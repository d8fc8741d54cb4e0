//! No modules and no folders of a crate import each other in a circle.
//!
//! Module a imports module b when a names b, or something in b, by a path that begins with `crate`,
//! `self`, `super` or a child of a; also where a makes such a thing public as its own. A path
//! counts for the deepest module that it names. Code under `#[cfg(test)]` does not count, nor does
//! `mod b;` alone. In the graph of a folder a module represents all modules below it.
//!
//! Files are read as tokens, not compiled: paths and types that macros make up are not seen.

use crate::layout::{crates, root};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The names of a module from the root of its crate, or of a path in a source.
type Names = Vec<String>;
/// The modules that each module imports.
type Imports = BTreeMap<Names, BTreeSet<Names>>;

const TEST: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// The length of the string or character that a text begins with; none for a lifetime.
fn literal(text: &str) -> Option<usize> {
    let body = text.trim_start_matches(['b', 'r']);
    let prefix = text.len() - body.len();
    let inner = body.trim_start_matches('#');
    if inner.starts_with('"') && text[..prefix].contains('r') {
        let end = format!("\"{}", &body[..body.len() - inner.len()]);
        let start = text.len() - inner.len() + 1;
        return text[start..].find(&end).map(|at| start + at + end.len());
    }
    let mut letters = body.char_indices();
    let quote =
        letters.next().map(|(_, first)| first).filter(|&first| first == '"' || first == '\'')?;
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => _ = letters.next(),
            _ if letter == quote => return Some(prefix + at + 1),
            _ if quote == '\'' && at == 1 && !letters.as_str().starts_with(quote) => return None,
            _ => (),
        }
    }
    None
}

/// The words and signs of a source.
fn tokens_of(source: &str) -> Names {
    let (mut rest, mut tokens) = (source, Vec::new());
    while let Some(first) = rest.chars().next() {
        let skipped = match rest {
            _ if rest.starts_with("//") => rest.find('\n'),
            _ if rest.starts_with("/*") => rest.find("*/").map(|at| at + 2),
            _ if first.is_whitespace() => Some(first.len_utf8()),
            _ => literal(rest),
        };
        let length = match skipped {
            Some(length) => length,
            None if is_word(first) => rest.find(|letter| !is_word(letter)).unwrap_or(rest.len()),
            None if rest.starts_with("::") => 2,
            None => first.len_utf8(),
        };
        if skipped.is_none() {
            tokens.push(rest[..length].to_string());
        }
        rest = &rest[length..];
    }
    tokens
}

/// The index after the item that begins here: after its `;` or its closing brace.
fn after_item(tokens: &[String], mut at: usize) -> usize {
    let mut depth = 0;
    while at < tokens.len() {
        let token = tokens[at].as_str();
        depth += i32::from(["(", "{", "["].contains(&token));
        depth -= i32::from([")", "}", "]"].contains(&token));
        at += 1;
        if depth == 0 && [";", "}"].contains(&token) {
            break;
        }
    }
    at
}

/// Adds a module and all modules below it, with their tokens outside tests and inner modules.
fn add_modules(module: Names, tokens: &[String], folder: &Path, all: &mut BTreeMap<Names, Names>) {
    let (mut own, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        let child = || module.iter().chain(&tokens[at + 1..at + 2]).cloned().collect();
        match tokens.get(at + 2).map(String::as_str) {
            _ if tokens[at..].iter().take(TEST.len()).eq(&TEST) => {
                at = after_item(tokens, at + TEST.len());
            }
            Some("{") if tokens[at] == "mod" => {
                let end = after_item(tokens, at + 2);
                add_modules(child(), &tokens[at + 3..end - 1], &folder.join(&tokens[at + 1]), all);
                at = end;
            }
            Some(";") if tokens[at] == "mod" => {
                let below = folder.join(&tokens[at + 1]);
                let flat = fs::read_to_string(below.with_extension("rs"));
                let source = flat.or_else(|_| fs::read_to_string(below.join("mod.rs"))).unwrap();
                add_modules(child(), &tokens_of(&source), &below, all);
                at += 3;
            }
            _ => {
                own.push(tokens[at].clone());
                at += 1;
            }
        }
    }
    all.insert(module, own);
}

/// Adds the paths of a use tree, such as `a::{b, c::d}`, after a path.
fn add_paths(tokens: &[String], at: &mut usize, mut path: Names, paths: &mut Vec<Names>) {
    while let Some(token) = tokens.get(*at) {
        if token == "{" {
            *at += 1;
            while tokens[*at] != "}" {
                add_paths(tokens, at, path.clone(), paths);
                *at += usize::from(tokens[*at] == ",");
            }
            *at += 1;
            return;
        }
        if token == "*" || token.starts_with(is_word) {
            path.push(token.clone());
            *at += 1;
        }
        if tokens.get(*at).is_none_or(|token| token != "::") {
            break;
        }
        *at += 1;
    }
    if tokens.get(*at).is_some_and(|token| token == "as") {
        *at += 2;
    }
    paths.push(path);
}

/// The deepest module that a path names.
fn target(module: &Names, path: &[String], all: &BTreeMap<Names, Names>) -> Names {
    let mut here = if path[0] == "crate" { Names::new() } else { module.clone() };
    for name in path.iter().skip(usize::from(path[0] == "crate" || path[0] == "self")) {
        if name == "super" {
            here.pop();
            continue;
        }
        let below: Names = here.iter().chain([name]).cloned().collect();
        if !all.contains_key(&below) {
            break;
        }
        here = below;
    }
    here
}

/// The modules that a module imports.
fn imports_of(module: &Names, tokens: &[String], all: &BTreeMap<Names, Names>) -> BTreeSet<Names> {
    let is_child =
        |name: &String| all.contains_key(&[&module[..], std::slice::from_ref(name)].concat());
    let (mut found, mut at) = (BTreeSet::new(), 0);
    while at < tokens.len() {
        let before = at.checked_sub(1).map_or("", |before| tokens[before].as_str());
        let starts =
            ["crate", "self", "super"].contains(&tokens[at].as_str()) || is_child(&tokens[at]);
        let goes_on = before == "use" || tokens.get(at + 1).is_some_and(|token| token == "::");
        if !starts || !goes_on || before == "::" || before == "." {
            at += 1;
            continue;
        }
        let mut paths = Vec::new();
        add_paths(tokens, &mut at, Names::new(), &mut paths);
        found.extend(paths.iter().map(|path| target(module, path, all)));
    }
    found.remove(module);
    found
}

/// For each folder the imports between its modules, each with all modules below it.
fn between_folders(imports: &Imports) -> BTreeMap<Names, Imports> {
    let mut folders: BTreeMap<Names, Imports> = BTreeMap::new();
    for (module, other) in
        imports.iter().flat_map(|(module, all)| all.iter().map(move |other| (module, other)))
    {
        let shared = module.iter().zip(other).take_while(|(one, other)| one == other).count();
        if shared < module.len().min(other.len()) {
            let folder = folders.entry(module[..shared].to_vec()).or_default();
            folder.entry(module[..=shared].to_vec()).or_default().insert(other[..=shared].to_vec());
        }
    }
    folders
}

/// The modules of a circle through this module or a module that it imports.
fn cycle(
    module: &Names,
    imports: &Imports,
    chain: &mut Vec<Names>,
    done: &mut BTreeSet<Names>,
) -> Option<Vec<Names>> {
    if let Some(first) = chain.iter().position(|known| known == module) {
        return Some(chain[first..].to_vec());
    }
    if !done.insert(module.clone()) {
        return None;
    }
    chain.push(module.clone());
    let found = imports
        .get(module)
        .into_iter()
        .flatten()
        .find_map(|other| cycle(other, imports, chain, done));
    chain.pop();
    found
}

#[test]
fn modules_and_folders_do_not_import_each_other_in_a_circle() {
    for found in crates() {
        let sources = root().join(&found.folder).join("src");
        let library = fs::read_to_string(sources.join("lib.rs"));
        let source = library.or_else(|_| fs::read_to_string(sources.join("main.rs"))).unwrap();
        let mut all = BTreeMap::new();
        add_modules(Names::new(), &tokens_of(&source), &sources, &mut all);
        let imports: Imports = all
            .iter()
            .map(|(module, tokens)| (module.clone(), imports_of(module, tokens, &all)))
            .collect();
        let count: usize = imports.values().map(BTreeSet::len).sum();
        println!("{}: {} modules, {count} imports", found.folder, all.len());
        for graph in between_folders(&imports).into_values().chain([imports]) {
            let mut done = BTreeSet::new();
            let circle =
                graph.keys().find_map(|module| cycle(module, &graph, &mut Vec::new(), &mut done));
            assert_eq!(circle, None, "{}: modules import each other in a circle", found.folder);
        }
    }
}

#[test]
fn tokens_are_words_and_signs_outside_texts() {
    let source =
        r##"/* a */ fn b<'c>(d: &'c str) { "e\"f"; r#"g"h"#; 'i'; '\''; br"j"; k::l // m"##;
    let expected = "fn b < ' c > ( d : & ' c str ) { ; ; ; ; ; k :: l";
    assert_eq!(tokens_of(&format!("{source}\n")).join(" "), expected);
}

#[test]
fn a_circle_is_found_through_nested_and_renamed_paths() {
    let source = "mod a { use crate::b::{self as z, C}; } mod b { fn f() { super::d::g() } } \
        mod d { pub use super::a::*; #[cfg(test)] mod tests { use crate::e; } } mod e {}";
    let mut all = BTreeMap::new();
    add_modules(Names::new(), &tokens_of(source), Path::new(""), &mut all);
    let imports: Imports = all
        .iter()
        .map(|(module, tokens)| (module.clone(), imports_of(module, tokens, &all)))
        .collect();
    let circle = cycle(&vec!["a".to_string()], &imports, &mut Vec::new(), &mut BTreeSet::new());
    assert_eq!(circle.unwrap().concat(), ["a", "b", "d"]);
    assert_eq!(imports[&vec!["e".to_string()]].len() + all.len(), 5);
}
