//! Many questions at once, by several threads; answers in the order of the questions.

use crate::failure::Failure;
use std::num::NonZero;
use std::thread;

/// Answers every question by at most so many threads, this one among them; 0 stands for as
/// many as the machine has cores.
///
/// # Errors
///
/// When a thread ended before its time.
pub fn answered<A: Send>(
    questions: &[String],
    threads: usize,
    answer: impl Fn(&str) -> A + Sync,
) -> Result<Vec<A>, Failure> {
    let cores = || thread::available_parallelism().map_or(1, NonZero::get);
    let threads = if threads == 0 { cores() } else { threads.min(MOST_THREADS) };
    // Whole shares, so that no thread waits for another's question.
    let share = questions.len().div_ceil(threads).max(LEAST_SHARE);
    let answer = |share: &[String]| share.iter().map(|fen| answer(fen)).collect::<Vec<A>>();
    thread::scope(|scope| {
        let mut shares = questions.chunks(share);
        let own = shares.next().unwrap_or_default();
        let others: Vec<_> = shares.map(|share| scope.spawn(|| answer(share))).collect();
        let mut answers = answer(own);
        for other in others {
            answers.extend(other.join().map_err(|_| Failure::Thread)?);
        }
        Ok(answers)
    })
}

/// Starting a thread takes as long as some questions.
const LEAST_SHARE: usize = 64;

/// More would not be quicker anywhere, and a system may refuse them.
const MOST_THREADS: usize = 1024;
