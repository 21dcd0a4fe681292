//! Any bytes as the words of a letter of a player.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| cursus_fuzz::letter::answer(data));
