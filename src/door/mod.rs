//! The front door: the command line, a file for each command.
//!
//! Comes in: what somebody typed. Goes out: what the person reads, and an exit code: 0 done, 1 the answer is no, 2 the
//! call was wrong. Looks into every room.

pub mod backup;
pub mod call;
pub mod casebook;
pub mod cases;
pub mod check;
pub(crate) mod club;
pub mod demo;
pub mod doctor;
pub mod edition;
pub mod game;
pub mod guide;
pub(crate) mod house;
pub mod init;
pub mod map;
pub mod moderate;
pub mod moving;
pub mod opening;
pub mod plain;
pub mod read;
pub mod restore;
pub mod sample;
pub mod serve;
pub mod session;
pub mod sign_in;
pub mod simulate;
pub mod standings;
pub mod withdrawing;
