//! `cursus serve`: the daemon.

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::thread;

use anyhow::{Context, bail};
use chrono::{Duration, Utc};

use super::house;
use crate::archive::{Archive, Durability, Status};
use crate::desk::Desk;
use crate::desk::serving::Bell;
use crate::desk::settings::Settings;
use crate::web::Server;

/// Whoever calls for single rounds is expected back within a day; a longer silence is an outage.
const BETWEEN_ROUNDS: Duration = Duration::hours(26);

/// Runs the daemon until somebody stops it, or for one round.
pub fn serve(config: Option<&Path>, rules: Option<&Path>, once: bool, out: &mut dyn Write) -> anyhow::Result<bool> {
    let settings = house::settings(config)?;
    log(&settings);
    if house::place(config).is_none() {
        // A house that was begun without settings goes on; nobody begins one by a slip.
        if !settings.archive.exists() {
            bail!(
                "there is no cursus.toml in this folder, and no config/cursus.toml. `cursus init` writes one by asking; \
                 `--config FILE` names another{}",
                house::elsewhere()
            );
        }
        tracing::warn!(
            "there is no cursus.toml here, so the built-in settings are used: letters go into folders, not by mail"
        );
    }
    if let Some(sample) = settings.sample() {
        bail!("{sample} is an address of the sample file, which nobody has; write your own into the settings");
    }
    // The lock is held until the process ends.
    let _lock = Archive::lock(&settings.archive)?;
    let carriers = house::carriers(&settings)?;
    let archive = Archive::open(&settings.archive, Durability::Full)?;
    tracing::info!(archive = %archive.path().display(), carriers = carriers.len(), version = env!("CARGO_PKG_VERSION"), "at work");
    know_all_carriers(&archive, &settings)?;
    make_shrinkable(&archive)?;
    let mut desk = house::desk(archive, settings, rules)?;
    if once {
        desk.wake_after(Utc::now(), BETWEEN_ROUNDS)?;
        let round = desk.round(&carriers, Utc::now())?;
        let (received, handled, ruled, sent) = (round.received, round.handled, round.ruled, round.sent);
        writeln!(
            out,
            "{received} letters received, {handled} handled, {ruled} games ruled by the clock, {sent} letters sent"
        )?;
        return Ok(round.troubles == 0);
    }
    let page = order_page(&mut desk)?;
    desk.serve(&carriers, Utc::now, stop_at_signals).context("the daemon has stopped")?;
    drop(page);
    Ok(true)
}

/// The server of the order page, where the settings have one. It ends when it is dropped.
fn order_page(desk: &mut Desk) -> anyhow::Result<Option<Server>> {
    let Some(settings) = desk.house.settings.web.clone() else { return Ok(None) };
    let (listen, address) = (settings.listen, settings.address.clone());
    let server = Server::open(settings, desk.open_window(), desk.page_words());
    let server = server.with_context(|| format!("the order page cannot be served at {listen}"))?;
    tracing::info!(%listen, address, "the order page is served");
    Ok(Some(server))
}

/// An archive of the first edition never became smaller. It is written anew once, and gives room back from then on.
fn make_shrinkable(archive: &Archive) -> anyhow::Result<()> {
    if archive.can_shrink()? {
        return Ok(());
    }
    let before = archive.room()?.bytes;
    match archive.make_anew() {
        Ok(()) => tracing::info!(
            before,
            after = archive.room()?.bytes,
            "the archive was written anew; it gives room back now"
        ),
        // Everything else works without it.
        Err(error) => {
            tracing::warn!("the archive cannot give room back: it needs as much again to be written anew: {error}")
        }
    }
    Ok(())
}

/// Whoever is written to by a carrier that the settings lack would be written to by another: these are the wrong settings.
fn know_all_carriers(archive: &Archive, settings: &Settings) -> anyhow::Result<()> {
    for game in archive.games()?.iter().filter(|game| game.status != Status::Ended) {
        let seats = archive.seats(&game.id)?;
        let mut carriers = seats.iter().flat_map(|seat| &seat.addresses).map(|address| address.carrier.as_str());
        if let Some(unknown) = carriers.find(|carrier| settings.carrier(carrier).is_none()) {
            bail!(
                "the game `{}` is played by the carrier `{unknown}`, which these settings do not have; name the right \
                 ones with --config, or add [carriers.{unknown}]",
                game.id
            );
        }
    }
    Ok(())
}

/// Rings the bell when the process is asked to end.
fn stop_at_signals(bell: Bell) {
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
        let Ok(runtime) = runtime else { return };
        let waited = runtime.block_on(async {
            #[cfg(unix)]
            {
                use tokio::signal::unix::{SignalKind, signal};
                let mut terminate = signal(SignalKind::terminate())?;
                tokio::select! {
                    interrupted = tokio::signal::ctrl_c() => interrupted,
                    _ = terminate.recv() => Ok(()),
                }
            }
            #[cfg(not(unix))]
            tokio::signal::ctrl_c().await
        });
        if waited.is_ok() {
            bell.ring();
        }
    });
}

/// Logs go to standard error: a line each, without addresses, hands, orders and secrets.
fn log(settings: &Settings) {
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(settings.log)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false);
    // A second call in one process, as in tests, keeps the first.
    let _ = subscriber.try_init();
}
