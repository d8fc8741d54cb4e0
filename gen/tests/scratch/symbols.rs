//! Symbols from the bytes of a packed block, and the number of a context.

pub struct Distribution([(usize, usize); 16]);

impl Distribution {
    pub fn read(bytes: &[u8]) -> Distribution {
        let share = |i: usize| usize::from(u16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]]));
        let all = std::array::from_fn(|i| (share(i), usize::from(bytes[32 + i])));
        assert_eq!(all.iter().map(|(share, _)| share).sum::<usize>(), 16_384);
        assert!(all.iter().all(|&(share, symbol)| share > 0 && symbol < 16));
        Distribution(all)
    }
}

pub struct Symbols<'a> {
    pub bytes: &'a [u8],
    pub state: usize,
}

impl Symbols<'_> {
    pub fn take(&mut self, from: &Distribution) -> usize {
        while self.state < 1 << 23 && !self.bytes.is_empty() {
            self.state = 256 * self.state + usize::from(self.bytes[0]);
            self.bytes = &self.bytes[1..];
        }
        let place = self.state % 16_384;
        let mut begin = 0;
        for (share, symbol) in from.0 {
            if place < begin + share {
                self.state = share * (self.state / 16_384) + place - begin;
                return symbol;
            }
            begin += share;
        }
        unreachable!("the shares make up 16,384")
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
