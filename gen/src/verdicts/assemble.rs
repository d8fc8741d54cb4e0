//! The coded pictures of all homes put together: the part of one side in the file.

use super::allowed::{CATEGORIES, Masks, plain};
use super::coding::Coded;
use sakmak_tables::counting::Category;
use sakmak_tables::format::verdict::{RUN_UNIT, SHEET, VerdictSide, WIDTH_BITS};
use sakmak_tables::pictures::Hanging;
use std::cmp::Reverse;
use std::collections::HashMap;

/// The most bytes the number of a pattern may have.
const MOST_WIDTH: usize = (1 << WIDTH_BITS) - 1;

/// The part of one side.
#[derive(Debug)]
pub struct Assembled {
    /// What the header says of it.
    pub record: VerdictSide,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// There are more patterns, or runs, than can be numbered.
#[derive(Debug, thiserror::Error)]
#[error("there are too many patterns for a verdict file")]
pub struct TooMuch;

/// All patterns there are with how many runs have each, the most frequent first.
pub fn by_frequency(coded: &[Coded]) -> Vec<(Masks, u64)> {
    let mut counts: HashMap<Masks, u64> = HashMap::new();
    for &(pattern, count) in coded.iter().flat_map(|coded| &coded.patterns) {
        *counts.entry(pattern).or_default() += u64::from(count);
    }
    let mut patterns: Vec<(Masks, u64)> = counts.into_iter().collect();
    patterns.sort_unstable_by_key(|&(pattern, count)| (Reverse(count), pattern));
    patterns
}

/// Puts the homes together, in their order.
///
/// # Errors
///
/// When there is more than numbers of three bytes can tell apart.
pub fn assemble(coded: &[Coded], hanging: &Hanging) -> Result<Assembled, TooMuch> {
    let patterns = by_frequency(coded);
    let used = |category: &usize| patterns.iter().any(|(masks, _)| masks[*category] != 0);
    let mut colours: Vec<usize> = (0..CATEGORIES).filter(used).collect();
    if colours.is_empty() {
        colours.push(Category::Draw.index());
    }
    let is_plain = |pattern: &Masks| pattern.contains(&u64::MAX);
    let mut numbers: HashMap<Masks, u32> = HashMap::new();
    for (number, &colour) in (0..).zip(&colours) {
        numbers.insert(plain(colour), number);
    }
    let mixed: Vec<&Masks> =
        patterns.iter().map(|(masks, _)| masks).filter(|masks| !is_plain(masks)).collect();
    for &pattern in &mixed {
        numbers.insert(*pattern, numbers.len() as u32);
    }
    if numbers.len() > 1 << (MOST_WIDTH * u8::BITS as usize) {
        return Err(TooMuch);
    }
    let (words, runs) = sheets(coded, &numbers)?;
    let palette = colours.iter().map(|&colour| Category::ALL[colour]).collect();
    let record = VerdictSide {
        hanging: hanging.clone(),
        captures: 0,
        palette,
        patterns: mixed.len() as u32,
        run_bytes: runs.len() as u64,
    };
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    for pattern in mixed {
        for plane in 0..record.planes() {
            let with = (0..).zip(&colours).filter(|(number, _)| number >> plane & 1 != 0);
            let bits = with.fold(0, |bits, (_, &colour)| bits | pattern[colour]);
            bytes.extend(u64::to_le_bytes(bits));
        }
    }
    bytes.extend(runs);
    Ok(Assembled { record, bytes })
}

/// The words of all sheets, and the runs of those that have several; like sheets share them.
fn sheets(coded: &[Coded], numbers: &HashMap<Masks, u32>) -> Result<(Vec<u32>, Vec<u8>), TooMuch> {
    let mut words = Vec::new();
    let mut runs: Vec<u8> = Vec::new();
    let mut known: HashMap<Vec<u8>, u32> = HashMap::new();
    for coded in coded {
        let number = |(pattern, _): &(Masks, u32)| numbers.get(pattern).copied().unwrap_or(0);
        let numbers: Vec<u32> = coded.patterns.iter().map(number).collect();
        let mut next = coded.runs.iter().map(|&local| numbers[local as usize]);
        for &starts in &coded.starts {
            let sheet: Vec<u32> = next.by_ref().take(starts.count_ones() as usize).collect();
            if let [number] = sheet[..] {
                words.push(number << WIDTH_BITS);
                continue;
            }
            let highest = sheet.iter().copied().max().unwrap_or(0);
            let bits = (u32::BITS - highest.leading_zeros()).max(1) as usize;
            let width = bits.div_ceil(u8::BITS as usize);
            let mut body = starts.to_le_bytes().to_vec();
            body.extend(sheet.iter().flat_map(|number| number.to_le_bytes().into_iter().take(width)));
            body.resize(body.len().next_multiple_of(RUN_UNIT as usize), 0);
            let at = match known.get(&body) {
                Some(&at) => at,
                None => {
                    let at = u32::try_from(runs.len() as u64 / RUN_UNIT).map_err(|_| TooMuch)?;
                    if at >= 1 << (u32::BITS - WIDTH_BITS) {
                        return Err(TooMuch);
                    }
                    runs.extend(&body);
                    known.insert(body, at);
                    at
                }
            };
            words.push(at << WIDTH_BITS | width as u32);
        }
        debug_assert!(coded.starts.iter().all(|starts| starts & 1 != 0), "{SHEET}");
    }
    Ok((words, runs))
}
