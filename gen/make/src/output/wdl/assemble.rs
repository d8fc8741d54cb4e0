//! Joins the pattern runs of all fixed kings to the part of one side in the file.

use crate::output::wdl::allowed_categories::CategoryMasks;
use crate::output::wdl::pattern_runs::PatternRuns;
use sakmak_tables::format::wdl::{MAX_WIDTH, PatternRange, RUN_UNIT, WIDTH_BITS, WdlSide};
use sakmak_tables::tiles::order::KingTileOrder;
use std::cmp::Reverse;
use std::collections::HashMap;

/// The part of one side.
#[derive(Debug)]
pub struct EncodedSide {
    /// The record of the header.
    pub record: WdlSide,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// There are too many patterns or runs to number.
#[derive(Debug, thiserror::Error)]
#[error("the table has too many patterns for a WDL file")]
pub struct PatternOverflow;

/// All patterns with the number of their runs, the most frequent first.
pub fn by_frequency(runs_by_king: &[PatternRuns]) -> Vec<(CategoryMasks, u64)> {
    let mut counts: HashMap<CategoryMasks, u64> = HashMap::new();
    for &(pattern, count) in runs_by_king.iter().flat_map(|king| &king.patterns) {
        *counts.entry(pattern).or_default() += u64::from(count);
    }
    let mut patterns: Vec<(CategoryMasks, u64)> = counts.into_iter().collect();
    patterns.sort_unstable_by_key(|&(pattern, count)| (Reverse(count), pattern));
    patterns
}

/// Joins the fixed kings in their order.
///
/// # Errors
///
/// If there are more patterns than numbers of three bytes, or too many runs.
pub fn assemble(
    runs_by_king: &[PatternRuns],
    order: &KingTileOrder,
    captures: u8,
) -> Result<EncodedSide, PatternOverflow> {
    let mut patterns: Vec<CategoryMasks> =
        by_frequency(runs_by_king).into_iter().map(|(masks, _)| masks).collect();
    if patterns.len() > 1 << (MAX_WIDTH * u8::BITS as usize) {
        return Err(PatternOverflow);
    }
    // Frequent patterns get short numbers; among those of one length, patterns with the same
    // categories are neighbours.
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
    let (words, runs) = tile_groups(runs_by_king, &numbers)?;
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
    let (tile_order, ranges) = (order.clone(), ranges.len() as u32);
    Ok(EncodedSide {
        record: WdlSide { tile_order, captures, ranges, pattern_words, run_bytes },
        bytes,
    })
}

/// A bit for each category in a pattern.
fn categories(masks: &CategoryMasks) -> u8 {
    (0..).zip(masks).fold(0, |set, (category, &mask)| set | u8::from(mask != 0) << category)
}

/// The words of all tile groups, and the runs of those with several; equal runs are stored once.
fn tile_groups(
    runs_by_king: &[PatternRuns],
    numbers: &HashMap<CategoryMasks, u32>,
) -> Result<(Vec<u32>, Vec<u8>), PatternOverflow> {
    let mut words = Vec::new();
    let mut runs: Vec<u8> = Vec::new();
    let mut known: HashMap<Vec<u8>, u32> = HashMap::new();
    for king in runs_by_king {
        let number =
            |(pattern, _): &(CategoryMasks, u32)| numbers.get(pattern).copied().unwrap_or(0);
        let numbers: Vec<u32> = king.patterns.iter().map(number).collect();
        let mut next = king.runs.iter().map(|&local| numbers[local as usize]);
        for &starts in &king.starts {
            let group: Vec<u32> = next.by_ref().take(starts.count_ones() as usize).collect();
            if let [number] = group[..] {
                words.push(number << WIDTH_BITS);
                continue;
            }
            let highest = group.iter().copied().max().unwrap_or(0);
            let bits = (u32::BITS - highest.leading_zeros()).max(1) as usize;
            let width = bits.div_ceil(u8::BITS as usize);
            let mut body = starts.to_le_bytes().to_vec();
            body.extend(
                group.iter().flat_map(|number| number.to_le_bytes().into_iter().take(width)),
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
