//! Any bytes as a post of a forum.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| cursus_fuzz::post::read(data));
