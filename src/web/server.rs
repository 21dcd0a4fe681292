//! The server itself: who may connect, for how long, and which page answers what.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use axum::extract::{ConnectInfo, DefaultBodyLimit};
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Extension, Router, middleware};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::timeout::TimeoutLayer;

use super::callers::is_among;
use super::hall::Hall;
use super::limits::{Limits, Places, counted};
use super::window::Window;
use super::{
    Settings, TlsFiles, Words, about, assets, entering, headers, moderator, news, past, public, seats, sending,
};

/// So long open lines have to end when we do.
const GOODBYE: Duration = Duration::from_secs(2);
/// So long we wait when the system has no room for one more connection.
const NO_ROOM: Duration = Duration::from_millis(50);
/// The most headers of a request, and the most bytes of them.
const MOST_HEADERS: usize = 64;
const LARGEST_HEAD: usize = 16 * 1024;
/// So many threads work things out; there is a turn for fewer at a time.
const THINKERS: usize = 8;

/// The server, at work until it is dropped.
pub struct Server {
    address: SocketAddr,
    end: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Opens the door: a port that is taken, or a certificate that cannot be read, is an error at once.
    ///
    /// # Errors
    /// There is no server.
    pub(crate) fn open(settings: Settings, window: Window, words: Words) -> io::Result<Server> {
        let listener = TcpListener::bind(settings.listen)?;
        Server::on(listener, settings, window, words)
    }

    /// The same on a port that is open already.
    ///
    /// # Errors
    /// There is no server.
    pub fn on(listener: TcpListener, settings: Settings, window: Window, words: Words) -> io::Result<Server> {
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let tls = settings.tls.as_ref().map(certificate).transpose()?;
        let (end, ends) = watch::channel(false);
        let work = move || {
            yield_to_the_desk();
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_io()
                .enable_time()
                .thread_name("web")
                .max_blocking_threads(THINKERS)
                .on_thread_start(yield_to_the_desk)
                .build();
            match runtime {
                Ok(runtime) => runtime.block_on(serve(
                    listener,
                    tls,
                    Arc::new(Hall::new(settings, window, words, ends.clone())),
                    ends,
                )),
                Err(trouble) => tracing::error!("the order page has no thread: {trouble}"),
            }
        };
        let thread = thread::Builder::new().name("web".to_owned()).spawn(work)?;
        Ok(Server { address, end, thread: Some(thread) })
    }

    /// Where it listens, with the port that the system gave.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.end.send(true);
        if let Some(thread) = self.thread.take() {
            // It has said what was wrong itself.
            let _ = thread.join();
        }
    }
}

/// Where there is not time for everything, letters go before pages.
fn yield_to_the_desk() {
    // On Linux this is of the thread alone; elsewhere it would be of the whole process.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(5);
}

fn router(hall: Arc<Hall>) -> Router {
    let limits = hall.settings.limits;
    let quick = Router::new()
        .route("/", get(seats::all))
        .route("/p/{link}", get(entering::follow))
        .route("/enter", get(entering::enter).post(entering::ask_for_code))
        .route("/enter/code", post(entering::confirm))
        .route("/s/{game}/{seat}", get(seats::page))
        .route("/s/{game}/{seat}/data", get(seats::data))
        .route("/s/{game}/{seat}/map/{name}", get(seats::map))
        .route("/s/{game}/{seat}/past", get(past::past))
        .route("/s/{game}/{seat}/past/{name}", get(past::map))
        .route("/s/{game}/{seat}/letter/{number}", get(past::letter))
        .route("/s/{game}/{seat}/book", get(past::book))
        .route("/s/{game}/{seat}/try", post(seats::attempt))
        .route("/s/{game}/{seat}/send", post(sending::send))
        .route("/s/{game}/{seat}/sent/{id}", get(sending::sent))
        .route("/s/{game}/{seat}/leave", post(sending::leave))
        .route("/g", get(public::games))
        .route("/g/{game}", get(public::page))
        .route("/g/{game}/map/{name}", get(public::map))
        .route("/g/{game}/preview.png", get(public::preview))
        .route("/m", get(moderator::all))
        .route("/m/{game}", get(moderator::page))
        .route("/m/{game}/send", post(moderator::send))
        .route("/m/{game}/leave", post(moderator::leave))
        .route("/robots.txt", get(assets::robots))
        .route("/about", get(about::about))
        .route("/a/{version}/{name}", get(assets::file))
        .fallback(entering::nothing)
        .layer(TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, limits.time))
        .layer(CompressionLayer::new());
    Router::new()
        .route("/s/{game}/{seat}/events", get(news::events))
        .route("/about/stream", get(about::trial_stream))
        .merge(quick)
        .layer(DefaultBodyLimit::max(limits.body))
        .layer(CatchPanicLayer::new())
        .layer(middleware::from_fn(headers::admit))
        .layer(middleware::from_fn(headers::tell))
        .layer(Extension(hall))
}

async fn serve(
    listener: TcpListener,
    tls: Option<Arc<ServerConfig>>,
    hall: Arc<Hall>,
    mut ends: watch::Receiver<bool>,
) {
    let listener = match tokio::net::TcpListener::from_std(listener) {
        Ok(listener) => listener,
        Err(trouble) => return tracing::error!("the order page cannot listen: {trouble}"),
    };
    let (limits, proxies) = (hall.settings.limits, hall.settings.proxies.clone());
    let router = router(hall);
    let acceptor = tls.map(TlsAcceptor::from);
    let (room, places) = (Arc::new(Semaphore::new(limits.connections)), Places::new(limits.connections_each));
    let graceful = GracefulShutdown::new();
    loop {
        let permit = tokio::select! {
            permit = Arc::clone(&room).acquire_owned() => permit.expect("nobody closes it"),
            _ = ends.wait_for(|ends| *ends) => break,
        };
        let (tcp, peer) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(_) => {
                    sleep(NO_ROOM).await;
                    continue;
                }
            },
            _ = ends.wait_for(|ends| *ends) => break,
        };
        // A proxy counts its callers itself.
        let place = if is_among(&proxies, peer.ip()) {
            None
        } else {
            match places.take(&counted(peer.ip())) {
                Some(place) => Some(place),
                None => continue,
            }
        };
        let _ = tcp.set_nodelay(true);
        let (router, watcher, acceptor) = (router.clone(), graceful.watcher(), acceptor.clone());
        tokio::spawn(async move {
            let _held = (permit, place);
            let service = TowerToHyperService::new(router.layer(Extension(ConnectInfo(peer))));
            let talk = async {
                match acceptor {
                    None => {
                        let _ = watcher.watch(line(&limits).serve_connection(TokioIo::new(tcp), service)).await;
                    }
                    Some(acceptor) => {
                        if let Ok(Ok(sealed)) = timeout(limits.head_time, acceptor.accept(tcp)).await {
                            let _ = watcher.watch(line(&limits).serve_connection(TokioIo::new(sealed), service)).await;
                        }
                    }
                }
            };
            // Whoever asks and never reads holds their place no longer than this.
            let _ = timeout(limits.life, talk).await;
        });
    }
    drop(listener);
    // What is still open then ends with the runtime.
    let _ = timeout(GOODBYE, graceful.shutdown()).await;
}

/// How a line is talked on.
fn line(limits: &Limits) -> hyper::server::conn::http1::Builder {
    let mut line = hyper::server::conn::http1::Builder::new();
    // Without a timer nobody sees that a head never ends.
    line.timer(TokioTimer::new())
        .header_read_timeout(limits.head_time)
        .max_buf_size(LARGEST_HEAD)
        .max_headers(MOST_HEADERS);
    line
}

/// The certificate in these files.
fn certificate(files: &TlsFiles) -> io::Result<Arc<ServerConfig>> {
    let wrong = |path: &std::path::Path, trouble: &dyn std::fmt::Display| {
        io::Error::new(io::ErrorKind::InvalidData, format!("{}: {trouble}", path.display()))
    };
    let chain = CertificateDer::pem_file_iter(&files.certificate)
        .and_then(Iterator::collect)
        .map_err(|trouble| wrong(&files.certificate, &trouble))?;
    let key = PrivateKeyDer::from_pem_file(&files.key).map_err(|trouble| wrong(&files.key, &trouble))?;
    let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|trouble| wrong(&files.certificate, &trouble))?
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .map_err(|trouble| wrong(&files.certificate, &trouble))?;
    Ok(Arc::new(config))
}
