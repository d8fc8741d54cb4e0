//! Slots that are no legal position, given the code that compresses best.
//!
//! Nobody may ask for them, so each repeats the code before it: runs get longer and no
//! code is rarer for it. Filling starts anew in every block, which is compressed on its
//! own anyway, so blocks are filled in parallel and the result never depends on threads.

use rayon::prelude::*;
use sakmak_tables::index::Slot;

/// Gives every illegal slot the code of the legal slot before it in its block, or of the
/// first legal one where none comes before; blocks without a legal slot get code 0.
///
/// `codes` are those of one side to move by slot, `width` bytes each; `block_codes` is
/// the number of codes in a block of the file to be written.
pub fn fill_illegal(
    codes: &mut [u8],
    width: usize,
    block_codes: u32,
    legal: impl Fn(Slot) -> bool + Sync,
) {
    let width = width.max(1);
    let block_codes = block_codes.max(1) as usize;
    codes.par_chunks_mut(block_codes * width).enumerate().for_each(|(number, block)| {
        let first = (number * block_codes) as u64;
        if width == 1 {
            fill_block(block.iter_mut(), first, &legal);
        } else {
            let (pairs, _) = block.as_chunks_mut::<2>();
            fill_block(pairs.iter_mut(), first, &legal);
        }
    });
}

/// Fills one block, the slots of which begin at `first`.
fn fill_block<'a, Code: Copy + Default + 'a>(
    codes: impl ExactSizeIterator<Item = &'a mut Code>,
    first: u64,
    legal: &impl Fn(Slot) -> bool,
) {
    let mut waiting: Vec<&mut Code> = Vec::new();
    let mut last = None;
    for (slot, code) in (first..).map(Slot).zip(codes) {
        if legal(slot) {
            for earlier in waiting.drain(..) {
                *earlier = *code;
            }
            last = Some(*code);
        } else if let Some(last) = last {
            *code = last;
        } else {
            waiting.push(code);
        }
    }
    for code in waiting {
        *code = Code::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn illegal_slots_repeat_the_code_before_them() {
        let legal = |slot: Slot| [2, 3, 6, 8].contains(&slot.0);
        let mut codes = vec![9, 9, 1, 2, 9, 9, 3, 9, 4, 9, 9, 9, 9, 9];
        fill_illegal(&mut codes, 1, 8, legal);
        assert_eq!(codes, [1, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4, 4, 4, 4]);
        let mut codes = vec![9, 9, 1, 2, 9, 9, 3, 9, 4, 9, 9, 9, 9, 9];
        fill_illegal(&mut codes, 1, 4, legal);
        assert_eq!(codes, [1, 1, 1, 2, 3, 3, 3, 3, 4, 4, 4, 4, 0, 0]);
    }

    #[test]
    fn two_byte_codes_stay_together() {
        let mut codes = vec![9, 9, 1, 2, 9, 9];
        fill_illegal(&mut codes, 2, 16, |slot| slot.0 == 1);
        assert_eq!(codes, [1, 2, 1, 2, 1, 2]);
    }
}
