//! What the fuzzer and the replay of its corpus do with what comes in: the words of a letter, a mail, a post of a forum.

pub mod intake;
pub mod letter;
pub mod post;
