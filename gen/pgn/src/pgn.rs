//! Portable game notation (PGN), parsed.
//!
//! The parser is tolerant: it accepts several games, comments of both kinds, variations, marks,
//! missing results and tags. It holds one game at a time, and a game that is too large is an error.
//! An error has its line, and parsing resumes at the next game. Moves stay text;
//! [`replay`](crate::replay) resolves them in their positions.
//!
//! The project has its own parser because the maintained libraries have another licence, accept
//! chess moves only, or report no line numbers.

mod encoding;
mod game;
mod games;
mod glyphs;
mod lexer;
mod reader;
mod token;

pub use encoding::{EncodingError, decoded, encoded, shown};
pub use game::{Note, PgnGame, WrittenMove};
pub use games::Games;
pub use lexer::{LARGEST_GAME, PgnError};
pub use reader::{PgnPart, PgnReadError, PgnReader, is_blank};
pub use token::{GameResult, PgnToken, Tag};
