//! The coded king tiles of all fixed kings put together: the part of one side in the file.

use crate::output::wdl::allowed_categories::Masks;
use crate::output::wdl::pattern_runs::PatternRuns;
use sakmak_tables::format::wdl::{MAX_WIDTH, PatternRange, RUN_UNIT, WIDTH_BITS, WdlSide};
use sakmak_tables::tiles::order::KingTileOrder;
use std::cmp::Reverse;
use std::collections::HashMap;

/// The part of one side.
#[derive(Debug)]
pub struct EncodedSide {
    /// What the header says of it.
    pub record: WdlSide,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// There are more patterns, or runs, than can be numbered.
#[derive(Debug, thiserror::Error)]
#[error("there are too many patterns for a verdict file")]
pub struct PatternOverflow;

/// All patterns there are with how many runs have each, the most frequent first.
pub fn by_frequency(coded: &[PatternRuns]) -> Vec<(Masks, u64)> {
    let mut counts: HashMap<Masks, u64> = HashMap::new();
    for &(pattern, count) in coded.iter().flat_map(|coded| &coded.patterns) {
        *counts.entry(pattern).or_default() += u64::from(count);
    }
    let mut patterns: Vec<(Masks, u64)> = counts.into_iter().collect();
    patterns.sort_unstable_by_key(|&(pattern, count)| (Reverse(count), pattern));
    patterns
}

/// Puts the fixed kings together, in their order.
///
/// # Errors
///
/// When there is more than numbers of three bytes can tell apart.
pub fn assemble(
    coded: &[PatternRuns],
    tile_order: &KingTileOrder,
    captures: u8,
) -> Result<EncodedSide, PatternOverflow> {
    let mut patterns: Vec<Masks> =
        by_frequency(coded).into_iter().map(|(masks, _)| masks).collect();
    if patterns.len() > 1 << (MAX_WIDTH * u8::BITS as usize) {
        return Err(PatternOverflow);
    }
    // What is worth a short number gets one; among those of one length like sets of categories
    // stand together.
    let mut start = 0;
    for width in 1..=MAX_WIDTH {
        let end = patterns.len().min(1 << (width * u8::BITS as usize));
        patterns[start..end]
            .sort_by_key(|masks| (categories(masks).count_ones(), categories(masks)));
        start = end;
    }
    let mut ranges: Vec<PatternRange> = Vec::new();
    for masks in &patterns {
        let categories = categories(masks);
        match ranges.last_mut() {
            Some(range) if range.categories == categories => range.count += 1,
            _ => ranges.push(PatternRange { categories, count: 1 }),
        }
    }
    let numbers = patterns.iter().copied().zip(0..).collect();
    let (words, runs) = tile_groups(coded, &numbers)?;
    let mut bytes: Vec<u8> = ranges.iter().flat_map(|range| range.encode()).collect();
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    let mut pattern_words = 0;
    for masks in &patterns {
        let range = PatternRange { categories: categories(masks), count: 1 };
        for plane in 0..range.planes() {
            let with = (0..).zip(range.palette()).filter(|(place, _)| place >> plane & 1 != 0);
            let bits = with.fold(0, |bits, (_, category)| bits | masks[category.index()]);
            bytes.extend(u64::to_le_bytes(bits));
            pattern_words += 1;
        }
    }
    let run_bytes = runs.len() as u64;
    bytes.extend(runs);
    let (tile_order, ranges) = (tile_order.clone(), ranges.len() as u32);
    Ok(EncodedSide {
        record: WdlSide { tile_order, captures, ranges, pattern_words, run_bytes },
        bytes,
    })
}

/// A bit for each category in a pattern.
fn categories(masks: &Masks) -> u8 {
    (0..).zip(masks).fold(0, |set, (category, &mask)| set | u8::from(mask != 0) << category)
}

/// The words of all tile groups, and the runs of those that have several; like tile groups share them.
fn tile_groups(
    coded: &[PatternRuns],
    numbers: &HashMap<Masks, u32>,
) -> Result<(Vec<u32>, Vec<u8>), PatternOverflow> {
    let mut words = Vec::new();
    let mut runs: Vec<u8> = Vec::new();
    let mut known: HashMap<Vec<u8>, u32> = HashMap::new();
    for coded in coded {
        let number = |(pattern, _): &(Masks, u32)| numbers.get(pattern).copied().unwrap_or(0);
        let numbers: Vec<u32> = coded.patterns.iter().map(number).collect();
        let mut next = coded.runs.iter().map(|&local| numbers[local as usize]);
        for &starts in &coded.starts {
            let tile_group: Vec<u32> = next.by_ref().take(starts.count_ones() as usize).collect();
            if let [number] = tile_group[..] {
                words.push(number << WIDTH_BITS);
                continue;
            }
            let highest = tile_group.iter().copied().max().unwrap_or(0);
            let bits = (u32::BITS - highest.leading_zeros()).max(1) as usize;
            let width = bits.div_ceil(u8::BITS as usize);
            let mut body = starts.to_le_bytes().to_vec();
            body.extend(
                tile_group.iter().flat_map(|number| number.to_le_bytes().into_iter().take(width)),
            );
            body.resize(body.len().next_multiple_of(RUN_UNIT as usize), 0);
            let at = match known.get(&body) {
                Some(&at) => at,
                None => {
                    let at =
                        u32::try_from(runs.len() as u64 / RUN_UNIT).map_err(|_| PatternOverflow)?;
                    if at >= 1 << (u32::BITS - WIDTH_BITS) {
                        return Err(PatternOverflow);
                    }
                    runs.extend(&body);
                    known.insert(body, at);
                    at
                }
            };
            words.push(at << WIDTH_BITS | width as u32);
        }
    }
    Ok((words, runs))
}
