//! The codes of all slots of a material, in memory.

use crate::value::Value;
use std::borrow::Cow;

/// The codes of a material, one for each slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Codes {
    /// No code is above 255.
    Narrow(Vec<u8>),
    /// Codes of two bytes.
    Wide(Vec<u16>),
}

impl Codes {
    /// The number of slots.
    pub fn slots(&self) -> u64 {
        match self {
            Codes::Narrow(codes) => codes.len() as u64,
            Codes::Wide(codes) => codes.len() as u64,
        }
    }

    /// The value of a slot. Returns `None` after the last slot.
    pub fn value(&self, slot: u64) -> Option<Value> {
        self.code(slot).map(CodeRef::value)
    }

    /// The code of a slot. Returns `None` after the last slot.
    #[inline]
    pub fn code(&self, slot: u64) -> Option<CodeRef<'_>> {
        let slot = usize::try_from(slot).ok()?;
        match self {
            Codes::Narrow(codes) => codes.get(slot).map(CodeRef::Narrow),
            Codes::Wide(codes) => codes.get(slot).map(CodeRef::Wide),
        }
    }

    /// All codes as little-endian bytes.
    pub fn little_endian(&self) -> Cow<'_, [u8]> {
        match self {
            Codes::Narrow(codes) => Cow::Borrowed(codes),
            Codes::Wide(codes) => codes.iter().flat_map(|code| code.to_le_bytes()).collect(),
        }
    }

    /// Memory of the codes, in bytes.
    pub fn bytes(&self) -> u64 {
        match self {
            Codes::Narrow(codes) => codes.len() as u64,
            Codes::Wide(codes) => 2 * codes.len() as u64,
        }
    }
}

/// A reference to a code, which is not read yet.
#[derive(Clone, Copy, Debug)]
pub enum CodeRef<'a> {
    /// A code of one byte.
    Narrow(&'a u8),
    /// A code of two bytes.
    Wide(&'a u16),
}

impl CodeRef<'_> {
    /// Reads the value.
    #[inline]
    pub fn value(self) -> Value {
        Value::of_code(self.code())
    }

    /// Reads the code.
    #[inline]
    pub fn code(self) -> u16 {
        match self {
            CodeRef::Narrow(&code) => u16::from(code),
            CodeRef::Wide(&code) => code,
        }
    }
}
