use std::collections::HashMap;

pub struct Book {
    rows: HashMap<String, i64>,
}

impl Book {
    pub fn add(&self, name: String, cents: i64) {
        self.rows.insert(name, cents);
        println!("added {}", name);
    }

    pub fn get(&self, name: &str) -> Option<i64> {
        self.rows.get(name)
    }
}

pub fn label(cents: i64) -> String {
    match cents.cmp(&0) {
        std::cmp::Ordering::Less => "debit",
        std::cmp::Ordering::Equal => "even".to_string(),
    }
}
