//! The words of a condition, with their columns.

/// A word or sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QueryToken<'a> {
    /// The column of the first letter of the token, counted from 1.
    pub column: usize,
    /// The text.
    pub text: &'a str,
}

/// Signs of two letters; they are tried before single letters.
const LONG_SIGNS: [&str; 7] = ["==", "!=", "<=", ">=", "&&", "||", "<>"];

/// Splits a text into words and signs. Any other character is a token of its own.
pub fn tokens(text: &str) -> Vec<QueryToken<'_>> {
    let mut found = Vec::new();
    let (mut rest, mut column) = (text, 1);
    while let Some(first) = rest.chars().next() {
        let of_word = |letter: char| letter.is_alphanumeric() || "_.-".contains(letter);
        let length = match LONG_SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            Some(sign) => sign.len(),
            None if of_word(first) => rest.find(|letter| !of_word(letter)).unwrap_or(rest.len()),
            None => first.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        if !first.is_whitespace() {
            found.push(QueryToken { column, text: token });
        }
        column += token.chars().count();
        rest = after;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_signs_come_with_their_columns() {
        let found = tokens("dtm<=20 and(white.S on d4|é)");
        let found: Vec<(usize, &str)> = found.iter().map(|t| (t.column, t.text)).collect();
        let expected = [
            (1, "dtm"),
            (4, "<="),
            (6, "20"),
            (9, "and"),
            (12, "("),
            (13, "white.S"),
            (21, "on"),
            (24, "d4"),
            (26, "|"),
            (27, "é"),
            (28, ")"),
        ];
        assert_eq!(found, expected);
        assert_eq!(tokens(" \t"), []);
    }
}
