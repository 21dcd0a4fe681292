//! Any bytes as a mail, head and all.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| cursus_fuzz::intake::open(data));
