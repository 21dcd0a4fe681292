//! The desk, the archive and the embedded spool, with clocks set by hand; no server is needed.

mod archive;
mod demo;
mod desk;
mod init;
mod lanes;
mod plans;
mod rehearsal;
mod safekeeping;
mod spool;
mod web;
