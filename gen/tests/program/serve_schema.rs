//! Answers of a service against the schemas of `/openapi.json`.

use serde_json::Value as Json;

/// The words of a schema that are no conditions, or that are looked at elsewhere.
const OTHER_WORDS: [&str; 4] = ["description", "default", "format", "propertyNames"];

/// The document `/openapi.json`.
pub struct OpenApi(pub Json);

impl OpenApi {
    /// The schema of a response.
    #[track_caller]
    pub fn response(&self, method: &str, path: &str, status: u16) -> &Json {
        let responses = &self.0["paths"][path][method]["responses"];
        let schema = &responses[status.to_string()]["content"]["application/json"]["schema"];
        assert!(schema.is_object(), "{method} {path} has no response {status}");
        schema
    }

    /// Asserts that a value meets a schema.
    #[track_caller]
    pub fn assert_meets(&self, schema: &Json, value: &Json) {
        if let Err(why) = self.check(schema, value) {
            panic!("{why} in {value}");
        }
    }

    /// Whether a value meets a schema, and if not, why.
    fn check(&self, schema: &Json, value: &Json) -> Result<(), String> {
        for (word, condition) in schema.as_object().unwrap() {
            match &**word {
                "$ref" => {
                    let pointer = condition.as_str().unwrap().trim_start_matches('#');
                    self.check(self.0.pointer(pointer).unwrap(), value)?;
                }
                "allOf" => {
                    for one in condition.as_array().unwrap() {
                        self.check(one, value)?;
                    }
                }
                "oneOf" => {
                    let schemas = condition.as_array().unwrap().iter();
                    let why: Vec<String> =
                        schemas.clone().filter_map(|one| self.check(one, value).err()).collect();
                    if why.len() == schemas.len() {
                        return Err(why.join("; "));
                    }
                }
                "type" => {
                    let types = condition.as_array().cloned().unwrap_or(vec![condition.clone()]);
                    if !types.iter().any(|name| has_type(name.as_str().unwrap(), value)) {
                        return Err(format!("{value} is not {condition}"));
                    }
                }
                "enum" => {
                    if !condition.as_array().unwrap().contains(value) {
                        return Err(format!("{value} is not one of {condition}"));
                    }
                }
                "minimum" => {
                    if value.is_number() && value.as_i64() < condition.as_i64() {
                        return Err(format!("{value} is less than {condition}"));
                    }
                }
                "items" => {
                    for item in value.as_array().into_iter().flatten() {
                        self.check(condition, item)?;
                    }
                }
                "properties" => {
                    for (name, inner) in value.as_object().into_iter().flatten() {
                        if let Some(known) = condition.get(name) {
                            self.check(known, inner).map_err(|why| format!("{name}: {why}"))?;
                        }
                    }
                }
                "required" => {
                    for name in condition.as_array().unwrap() {
                        value.get(name.as_str().unwrap()).ok_or(format!("{name} is missing"))?;
                    }
                }
                "additionalProperties" => {
                    for inner in value.as_object().into_iter().flatten().map(|(_, inner)| inner) {
                        self.check(condition, inner)?;
                    }
                }
                word => assert!(OTHER_WORDS.contains(&word), "{word} is not known here"),
            }
        }
        Ok(())
    }
}

fn has_type(name: &str, value: &Json) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        name => panic!("{name} is not known here"),
    }
}
