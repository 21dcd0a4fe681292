//! The order page.
fn main() {}
