//! Decodes the symbols of a packed block, and numbers contexts.

pub struct SymbolFrequencies([(usize, usize); 16]);

impl SymbolFrequencies {
    pub fn read(bytes: &[u8]) -> SymbolFrequencies {
        let frequency =
            |i: usize| usize::from(u16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]]));
        let all = std::array::from_fn(|i| (frequency(i), usize::from(bytes[32 + i])));
        assert_eq!(all.iter().map(|(frequency, _)| frequency).sum::<usize>(), 16_384);
        assert!(all.iter().all(|&(frequency, symbol)| frequency > 0 && symbol < 16));
        SymbolFrequencies(all)
    }
}

pub struct Symbols<'a> {
    pub bytes: &'a [u8],
    pub state: usize,
}

impl Symbols<'_> {
    pub fn take(&mut self, from: &SymbolFrequencies) -> usize {
        while self.state < 1 << 23 && !self.bytes.is_empty() {
            self.state = 256 * self.state + usize::from(self.bytes[0]);
            self.bytes = &self.bytes[1..];
        }
        let place = self.state % 16_384;
        let mut begin = 0;
        for (frequency, symbol) in from.0 {
            if place < begin + frequency {
                self.state = frequency * (self.state / 16_384) + place - begin;
                return symbol;
            }
            begin += frequency;
        }
        unreachable!("the frequencies make up 16,384")
    }
}

pub fn apart(one: i32, other: i32) -> usize {
    [0, 1, 2, 2].get(one.abs_diff(other) as usize).copied().unwrap_or(3)
}

/// A number made of bits, the lowest first.
#[derive(Default)]
pub struct Bits {
    pub number: usize,
    length: usize,
}

impl Bits {
    pub fn add(&mut self, length: usize, bits: usize) -> &mut Bits {
        self.number |= bits << self.length;
        self.length += length;
        self
    }

    pub fn same(&mut self, one: i32, other: i32) -> &mut Bits {
        self.add(1, usize::from(one == other))
    }
}
