//! The token of a run: the source of its pattern.

use crate::format::wdl::change::ChangeByte;
use crate::format::wdl::model::{FIRST_PATTERN, WdlModel};
use crate::format::wdl::pattern::CategoryMasks;

/// The decoded token of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Token {
    /// The pattern of an earlier run of the tile group, changed.
    Run(u8, Vec<ChangeByte>),
    /// A pattern of the side, changed.
    Pattern(u16, Vec<ChangeByte>),
    /// A whole pattern.
    Literal(CategoryMasks),
}

impl Token {
    /// The length of the token in its tile group.
    pub fn length(&self, model: &WdlModel) -> usize {
        match self {
            Token::Run(_, changes) => 1 + changes.len(),
            Token::Pattern(number, changes) if changes.is_empty() => match number {
                0 => 0,
                number if *number < u16::from(u8::MAX - FIRST_PATTERN) + 1 => 1,
                _ => 2,
            },
            Token::Pattern(_, changes) => 2 + changes.len(),
            Token::Literal(_) => model.palette().pattern_length(),
        }
    }

    pub(super) fn encode(&self, model: &WdlModel, bytes: &mut Vec<u8>) {
        match self {
            Token::Run(run, changes) => {
                bytes.push(*run);
                bytes.extend(changes.iter().map(|change| change.encode()));
            }
            Token::Pattern(number, changes) => {
                let [low, high] = number.to_le_bytes();
                match self.length(model) {
                    0 => {}
                    1 => bytes.push(FIRST_PATTERN + low),
                    _ => bytes.extend([FIRST_PATTERN + high, low]),
                }
                bytes.extend(changes.iter().map(|change| change.encode()));
            }
            Token::Literal(pattern) => bytes.extend(model.palette().encode(pattern)),
        }
    }
}
