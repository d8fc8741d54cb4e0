//! Games in files: portable game notation, read and written.
//!
//! Read with patience: several games, comments of both kinds, variations, marks, missing
//! results and tags. What cannot be read is said with its line, and reading goes on with
//! the next game. Moves are left as they stand; what they mean takes a position, see
//! [`replay`](crate::games::replay).
//!
//! Of the libraries there are, those that are kept up are under another licence than this
//! project, know chess moves only, or do not say on which line they gave up.

mod game;
mod games;
mod lexer;
mod token;
mod written;

pub use game::{PgnGame, WrittenMove};
pub use games::{Games, decoded};
pub use lexer::PgnError;
pub use token::{GameResult, Tag, PgnToken};
pub use written::written;
