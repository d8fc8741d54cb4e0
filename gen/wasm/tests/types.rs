//! The types of the npm package are those of the answers, as `/openapi.json` describes them.

#![allow(clippy::disallowed_methods)]

use sakmak_probe::json::board_game::BoardAnswerJson;
use sakmak_requests::error::ErrorJson;
use sakmak_requests::exercise_json::ExerciseJson;
use sakmak_requests::found_answer::FoundAnswerJson;
use sakmak_requests::mainline_json::MainlineJson;
use sakmak_requests::variants_json::VariantsJson;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use utoipa::OpenApi;

#[derive(OpenApi)]
#[openapi(components(schemas(
    FoundAnswerJson,
    BoardAnswerJson,
    MainlineJson,
    VariantsJson,
    ExerciseJson,
    ErrorJson
)))]
struct Types;

/// The name of an interface: `LegalMove` of `legal_move`; not `Error`, which every page has.
fn type_name(name: &str) -> String {
    if name == "error" {
        return "ErrorBody".to_string();
    }
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    name.split('_').map(capital).collect()
}

/// The entries of an object in the order of their names, whichever order the library keeps.
fn in_order(object: &Value) -> BTreeMap<&String, &Value> {
    object.as_object().unwrap().iter().collect()
}

/// The type of a schema, in TypeScript.
fn type_of(schema: &Value) -> String {
    let any_of = |types: &Value| {
        let types: Vec<String> = types.as_array().unwrap().iter().map(type_of).collect();
        types.join(" | ")
    };
    if let Some(reference) = schema["$ref"].as_str() {
        return type_name(reference.rsplit('/').next().unwrap());
    }
    if let Some(names) = schema["enum"].as_array() {
        return names.iter().map(Value::to_string).collect::<Vec<_>>().join(" | ");
    }
    if schema["oneOf"].is_array() {
        return any_of(&schema["oneOf"]);
    }
    let of_name = |name: &str| match name {
        "array" => match type_of(&schema["items"]) {
            items if items.contains(' ') => format!("({items})[]"),
            items => format!("{items}[]"),
        },
        "object" => format!("Record<string, {}>", type_of(&schema["additionalProperties"])),
        "integer" | "number" => "number".to_string(),
        name => name.to_string(),
    };
    match &schema["type"] {
        Value::Array(names) => {
            let names = names.iter().map(|name| of_name(name.as_str().unwrap()));
            names.collect::<Vec<_>>().join(" | ")
        }
        name => of_name(name.as_str().unwrap_or_else(|| panic!("no type: {schema}"))),
    }
}

fn comment(text: &mut String, indent: &str, schema: &Value) {
    if let Some(description) = schema["description"].as_str() {
        let description = description.split_whitespace().collect::<Vec<_>>().join(" ");
        writeln!(text, "{indent}/** {description} */").unwrap();
    }
}

/// An interface with the fields of a schema; a type if it has no fields.
fn declaration(name: &str, schema: &Value) -> String {
    let (mut text, name) = (String::new(), type_name(name));
    comment(&mut text, "", schema);
    let parts = match schema["allOf"].as_array() {
        Some(parts) => parts.clone(),
        None if schema["properties"].is_object() => vec![schema.clone()],
        None => {
            writeln!(text, "export type {name} = {};\n", type_of(schema)).unwrap();
            return text;
        }
    };
    let bases: Vec<String> =
        parts.iter().filter(|part| part["$ref"].is_string()).map(type_of).collect();
    let bases =
        if bases.is_empty() { String::new() } else { format!(" extends {}", bases.join(", ")) };
    writeln!(text, "export interface {name}{bases} {{").unwrap();
    for part in parts.iter().filter(|part| part["properties"].is_object()) {
        let required = part["required"].as_array();
        for (field, schema) in in_order(&part["properties"]) {
            comment(&mut text, "  ", schema);
            let is_required = required.is_some_and(|names| names.iter().any(|name| name == field));
            let optional = if is_required { "" } else { "?" };
            writeln!(text, "  {field}{optional}: {};", type_of(schema)).unwrap();
        }
    }
    text += "}\n\n";
    text
}

#[test]
fn the_package_has_the_version_of_the_crates() {
    let package: Value = serde_json::from_str(include_str!("../npm/package.json")).unwrap();
    assert_eq!(package["version"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn the_types_are_those_of_the_answers() {
    let api: Value = serde_json::from_str(&Types::openapi().to_json().unwrap()).unwrap();
    let mut text =
        "// The answers of the service: written from its description, /openapi.json, by\n\
                    // SAKMAK_WRITE=1 cargo test -p sakmak-wasm --test types\n\n"
            .to_string();
    for (name, schema) in in_order(&api["components"]["schemas"]) {
        text += &declaration(name, schema);
    }
    let text = format!("{}\n", text.trim_end());
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/npm/answers.d.ts");
    if std::env::var_os("SAKMAK_WRITE").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    let written = std::fs::read_to_string(path).unwrap_or_default();
    assert!(written == text, "answers.d.ts is not up to date: SAKMAK_WRITE=1 writes it");
}
