//! How many bodies the instance keeps that keeps most, told move by move in constant time. Must never look at instances.

/// The largest of many numbers that change by one at a time.
#[derive(Clone, Debug, Default)]
pub struct Fullest {
    /// How many instances keep one body, two, three and so on.
    with: Vec<u32>,
    most: u32,
}

impl Fullest {
    /// An instance that kept `before` keeps one more. By how much the largest number changes.
    pub fn more(&mut self, before: u32) -> i32 {
        if before > 0 {
            self.with[before as usize - 1] -= 1;
        }
        let now = before as usize;
        if self.with.len() <= now {
            self.with.push(0);
        }
        self.with[now] += 1;
        let rises = before == self.most;
        self.most += u32::from(rises);
        i32::from(rises)
    }

    /// An instance that kept `before` keeps one less. By how much the largest number changes.
    pub fn less(&mut self, before: u32) -> i32 {
        let place = before as usize - 1;
        self.with[place] -= 1;
        if place > 0 {
            self.with[place - 1] += 1;
        }
        let falls = before == self.most && self.with[place] == 0;
        self.most -= u32::from(falls);
        -i32::from(falls)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_largest_number_is_that_of_a_full_look(moves in proptest::collection::vec((0_usize..5, any::<bool>()), 0..300)) {
            let (mut held, mut fullest, mut most) = ([0_u32; 5], Fullest::default(), 0);
            for (at, more) in moves {
                if more {
                    most += fullest.more(held[at]);
                    held[at] += 1;
                } else if held[at] > 0 {
                    most += fullest.less(held[at]);
                    held[at] -= 1;
                }
                prop_assert_eq!(most, held.into_iter().max().unwrap_or(0) as i32);
            }
        }
    }
}
