//! Bundles: the modules of a page in one file, so that a browser asks once.
//!
//! A module becomes a function that returns its exports, after the modules that it imports. Imports
//! are `import { a, b as c } from "./name.js";`, exports are declarations.

use std::collections::BTreeSet;

/// A module in parts.
struct Module {
    /// The names of each import, in braces, and the file.
    imports: Vec<(String, String)>,
    exports: Vec<String>,
    /// The text without imports.
    body: String,
}

/// The file of a module with all its imports. `read` returns the text of a file by its name.
///
/// # Errors
///
/// If a module cannot be read, or has an import or export of another form.
pub fn bundle(name: &str, read: &dyn Fn(&str) -> Result<String, String>) -> Result<String, String> {
    let entry = Module::parse(name, &read(name)?)?;
    let (mut seen, mut text) = (BTreeSet::from([name.to_string()]), String::new());
    for (_, file) in &entry.imports {
        add(file, read, &mut seen, &mut text)?;
    }
    Ok(text + &entry.imported() + &entry.body)
}

/// Adds a module to the text, after its imports.
fn add(
    name: &str,
    read: &dyn Fn(&str) -> Result<String, String>,
    seen: &mut BTreeSet<String>,
    text: &mut String,
) -> Result<(), String> {
    if !seen.insert(name.to_string()) {
        return Ok(());
    }
    let module = Module::parse(name, &read(name)?)?;
    for (_, file) in &module.imports {
        add(file, read, seen, text)?;
    }
    let body = module.body.replace("\nexport ", "\n");
    let (variable, exports) = (variable(name), module.exports.join(", "));
    *text += &format!(
        "const {variable} = (() => {{\n{}{body}return {{ {exports} }};\n}})();\n\n",
        module.imported()
    );
    Ok(())
}

/// The variable that holds the exports of a module.
fn variable(file: &str) -> String {
    format!("${}", file.trim_end_matches(".js").replace('-', "_"))
}

impl Module {
    fn parse(name: &str, source: &str) -> Result<Module, String> {
        let mut module = Module { imports: vec![], exports: vec![], body: String::from("\n") };
        let mut rest = source;
        while !rest.is_empty() {
            let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
            let wrong = || format!("{name}: '{line}' cannot be bundled");
            if rest.starts_with("import ") {
                let (names, after) =
                    rest["import ".len()..].split_once("} from \"./").ok_or_else(wrong)?;
                let (file, after) = after.split_once("\";").ok_or_else(wrong)?;
                module.imports.push((format!("{names}}}").replace(" as ", ": "), file.to_string()));
                rest = after.strip_prefix('\n').unwrap_or(after);
                continue;
            }
            if let Some(exported) = line.strip_prefix("export ") {
                let mut words =
                    exported.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
                let kind = words.find(|&word| word != "async").ok_or_else(wrong)?;
                let of_entry = exported.starts_with('{');
                if !of_entry && !["class", "const", "function"].contains(&kind) {
                    return Err(wrong());
                }
                module.exports.extend(words.next().filter(|_| !of_entry).map(str::to_string));
            }
            module.body += line;
            module.body += "\n";
            rest = after;
        }
        Ok(module)
    }

    /// The imports as variables.
    fn imported(&self) -> String {
        let import =
            |(names, file): &(String, String)| format!("const {names} = {};\n", variable(file));
        self.imports.iter().map(import).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str) -> Result<String, String> {
        Ok(match name {
            "page.js" => "import { b } from \"./two-words.js\";\nimport {\n  a as c,\n} from \"./one.js\";\nb(c);\n",
            "two-words.js" => "import { a } from \"./one.js\";\nexport function b() {\n  return a;\n}\n",
            "one.js" => "export const a = 1;\nexport async function d() {}\n",
            "other.js" => "export default 1;\n",
            _ => return Err(format!("no {name}")),
        }
        .to_string())
    }

    #[test]
    fn modules_are_functions_in_the_order_of_their_imports() {
        let expected = "\
            const $one = (() => {\n\nconst a = 1;\nasync function d() {}\nreturn { a, d };\n})();\n\n\
            const $two_words = (() => {\nconst { a } = $one;\n\nfunction b() {\n  return a;\n}\n\
            return { b };\n})();\n\n\
            const { b } = $two_words;\nconst {\n  a: c,\n} = $one;\n\nb(c);\n";
        assert_eq!(bundle("page.js", &read).unwrap(), expected);
        assert!(bundle("other.js", &read).unwrap_err().contains("'export default 1;'"));
        assert_eq!(bundle("none.js", &read).unwrap_err(), "no none.js");
    }
}
