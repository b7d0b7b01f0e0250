#[derive(Debug, PartialEq)]
pub struct Money {
    pub cents: i64,
    pub currency: String,
}

pub fn parse(text: &str) -> Money {
    let (cents, currency) = text.split_once(' ').expect("amount and currency");
    Money { cents: cents.parse().unwrap(), currency: currency.to_string() }
}
