#![no_main]
//! The decoder of web pages decodes what the C library decodes, and damaged blocks do not make it
//! panic.
//!
//! Results for a damaged block may differ: neither decoder finds all damage of Huffman streams.
//! Readers compare the checksum of a block before they decode it, see FORMAT.md.

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use ruzstd::decoding::FrameDecoder;
use sakmak_fuzz::damage::Damage;

#[derive(Arbitrary, Debug)]
struct Block {
    /// Runs of codes: a code and its number, or a distance and the number of codes to repeat from
    /// there.
    runs: Vec<Run>,
    level: i8,
    damage: Damage,
}

#[derive(Arbitrary, Debug)]
enum Run {
    Same(u8, u8),
    Back(u16, u8),
}

impl Block {
    fn codes(&self) -> Vec<u8> {
        let mut codes = Vec::new();
        for run in self.runs.iter().take(1000) {
            match *run {
                Run::Same(code, times) => codes.resize(codes.len() + usize::from(times), code),
                Run::Back(distance, times) => {
                    let first = codes.len().saturating_sub(usize::from(distance));
                    let end = codes.len().min(first + usize::from(times));
                    codes.extend_from_within(first..end);
                }
            }
        }
        codes
    }
}

fuzz_target!(|input: Block| {
    let codes = input.codes();
    let level = i32::from(input.level % 20);
    let whole = zstd::bulk::compress(&codes, level).expect("room in memory");
    let block = input.damage.done_to(&whole, &[0..whole.len()]);
    let mut in_rust = vec![0; codes.len()];
    let length = FrameDecoder::new().decode_all(&block, &mut in_rust).ok();
    let in_rust = length.and_then(|length| in_rust.get(..length));
    let in_c = zstd::bulk::decompress(&block, codes.len()).ok();
    if block == whole {
        assert_eq!(in_rust, Some(&*codes));
        assert_eq!(in_c.as_deref(), Some(&*codes));
    }
});
