pub mod money;

pub fn total(rows: &[i64]) -> i64 {
    rows.iter().sum()
}

fn unused_helper(count: usize) -> usize {
    let mut twice = count * 2;
    count
}
