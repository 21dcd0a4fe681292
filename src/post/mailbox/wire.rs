//! The wire to a mail server: a connection that never hangs and never floods us, sealed or not.
//!
//! Everything on it is bounded by [`Limits`]: when an answer must be there, how long somebody may wait in between, and how
//! many bytes may come. They hold below the seal, so a server that sends a byte a minute runs into them as well.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, StreamOwned};

use super::settings::{Server, Tls};

/// How long one address of a server may take to answer.
const KNOCK: Duration = Duration::from_secs(10);
/// While it waits, the wire looks so often whether it is called away.
const GLANCE: Duration = Duration::from_millis(200);
/// A server that has begun to answer may pause so long.
const PAUSE: Duration = Duration::from_secs(20);
/// After a wait the server may take so long to come back to order.
const AFTER_WAIT: Duration = Duration::from_secs(10);

/// What bounds a wire. Its owner sets them, the wire obeys.
pub(super) struct Limits {
    bounds: Mutex<Bounds>,
    called_away: Arc<AtomicBool>,
}

struct Bounds {
    /// Nothing whatsoever takes longer.
    end: Instant,
    /// The answer to the command must be there.
    deadline: Instant,
    /// Waiting ends, and no harm is done.
    wait: Option<Instant>,
    /// Whether it has begun since the last command.
    has_waited: bool,
    /// So many bytes may still come.
    allowance: u64,
}

impl Limits {
    /// Nothing on the wire takes longer than until `end`; whoever sets `called_away` ends a wait.
    pub(super) fn new(end: Instant, called_away: Arc<AtomicBool>) -> Arc<Self> {
        let bounds = Bounds { end, deadline: end, wait: None, has_waited: false, allowance: 0 };
        Arc::new(Self { bounds: Mutex::new(bounds), called_away })
    }

    /// Sets when everything ends.
    pub(super) fn end_at(&self, end: Instant) {
        let mut bounds = self.bounds();
        bounds.end = end;
        bounds.deadline = end;
    }

    /// The next answer may take so long and have so many bytes.
    pub(super) fn allow(&self, time: Duration, bytes: u64) {
        let mut bounds = self.bounds();
        bounds.deadline = bounds.end.min(Instant::now() + time);
        bounds.allowance = bytes;
        bounds.wait = None;
        bounds.has_waited = false;
    }

    /// Whether waiting has begun since the last command.
    pub(super) fn has_waited(&self) -> bool {
        self.bounds().has_waited
    }

    /// How much time is left for everything.
    pub(super) fn left(&self) -> Duration {
        self.bounds().end.saturating_duration_since(Instant::now())
    }

    /// Waiting for something to happen begins; returns to commands with `None`.
    fn wait(&self, time: Option<Duration>) {
        let mut bounds = self.bounds();
        bounds.wait = time.map(|time| Instant::now() + time);
        bounds.has_waited = true;
        let order = bounds.wait.unwrap_or_else(Instant::now) + AFTER_WAIT;
        bounds.deadline = bounds.end.min(order);
    }

    fn bounds(&self) -> MutexGuard<'_, Bounds> {
        self.bounds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How long the wire may be silent now, and whether it waits.
    fn silence(&self) -> io::Result<(Duration, bool)> {
        let bounds = self.bounds();
        let until = bounds.wait.map_or(bounds.deadline, |wait| wait.min(bounds.deadline));
        let left = until.saturating_duration_since(Instant::now());
        let is_called_away = bounds.wait.is_some() && self.called_away.load(Ordering::Relaxed);
        if left.is_zero() || is_called_away {
            return Err(no_answer());
        }
        Ok((left, bounds.wait.is_some()))
    }

    fn spend(&self, bytes: usize) -> io::Result<()> {
        let mut bounds = self.bounds();
        bounds.allowance = bounds
            .allowance
            .checked_sub(bytes as u64)
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "the server sends more than was asked for"))?;
        Ok(())
    }
}

/// A connection to a server.
pub(super) enum Wire {
    Plain(Bounded),
    Sealed(Box<StreamOwned<ClientConnection, Bounded>>),
}

/// A socket within its limits.
pub(super) struct Bounded {
    socket: TcpStream,
    limits: Arc<Limits>,
}

impl Wire {
    /// Connects to an IMAP server. Says also whether its greeting was read already.
    pub(super) fn connect(
        server: &Server,
        port: u16,
        config: &Arc<ClientConfig>,
        limits: &Arc<Limits>,
    ) -> io::Result<(Self, bool)> {
        let socket = dial(&server.host, port, server.tls, limits)?;
        socket.set_nodelay(true)?;
        let mut bounded = Bounded { socket, limits: Arc::clone(limits) };
        match server.tls {
            Tls::None => Ok((Self::Plain(bounded), false)),
            Tls::Implicit => Ok((bounded.sealed(&server.host, config)?, false)),
            Tls::StartTls => {
                bounded.start_tls()?;
                Ok((bounded.sealed(&server.host, config)?, true))
            }
        }
    }

    /// Waiting for something to happen begins; returns to commands with `None`.
    pub(super) fn wait(&mut self, time: Option<Duration>) {
        match self {
            Self::Plain(bounded) => bounded.limits.wait(time),
            Self::Sealed(stream) => stream.sock.limits.wait(time),
        }
    }
}

impl Bounded {
    fn sealed(mut self, host: &str, config: &Arc<ClientConfig>) -> io::Result<Wire> {
        let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
        let mut connection = ClientConnection::new(Arc::clone(config), name).map_err(io::Error::other)?;
        while connection.is_handshaking() {
            connection.complete_io(&mut self)?;
        }
        Ok(Wire::Sealed(Box::new(StreamOwned::new(connection, self))))
    }

    /// Asks for the seal. Reads byte by byte, so that nothing said in the open is taken for something sealed.
    fn start_tls(&mut self) -> io::Result<()> {
        if !self.line()?.to_ascii_uppercase().starts_with(b"* OK") {
            return Err(io::Error::other("the server turns us away"));
        }
        self.write_all(b"s1 STARTTLS\r\n")?;
        loop {
            let line = self.line()?.to_ascii_uppercase();
            if line.starts_with(b"S1 OK") {
                return Ok(());
            }
            if !line.starts_with(b"* ") {
                return Err(io::Error::other("the server offers no STARTTLS"));
            }
        }
    }

    fn line(&mut self) -> io::Result<Vec<u8>> {
        let mut line = Vec::new();
        let mut byte = [0];
        while line.len() < 4096 {
            self.read_exact(&mut byte)?;
            if byte == *b"\n" {
                return Ok(line);
            }
            line.push(byte[0]);
        }
        Err(io::Error::new(io::ErrorKind::InvalidData, "the server's greeting has no end"))
    }
}

impl Read for Bounded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let (left, waits) = self.limits.silence()?;
            let time = left.min(if waits { GLANCE } else { PAUSE });
            self.socket.set_read_timeout(Some(time.max(Duration::from_millis(1))))?;
            match self.socket.read(buffer) {
                Ok(bytes) => {
                    self.limits.spend(bytes)?;
                    return Ok(bytes);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if is_pause(&error) && waits => {}
                Err(error) if is_pause(&error) => return Err(no_answer()),
                Err(error) => return Err(error),
            }
        }
    }
}

impl Write for Bounded {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        loop {
            let (left, _) = self.limits.silence()?;
            self.socket.set_write_timeout(Some(left.max(Duration::from_millis(1))))?;
            match self.socket.write(buffer) {
                Err(error) if is_pause(&error) || error.kind() == io::ErrorKind::Interrupted => {}
                written => return written,
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.socket.flush()
    }
}

impl Read for Wire {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(bounded) => bounded.read(buffer),
            Self::Sealed(stream) => match stream.read(buffer) {
                // Many servers hang up without a word.
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(0),
                read => read,
            },
        }
    }
}

impl Write for Wire {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(bounded) => bounded.write(buffer),
            Self::Sealed(stream) => stream.write(buffer),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(bounded) => bounded.flush(),
            Self::Sealed(stream) => stream.flush(),
        }
    }
}

fn dial(host: &str, port: u16, tls: Tls, limits: &Limits) -> io::Result<TcpStream> {
    let mut last = io::Error::new(io::ErrorKind::NotFound, "the server's name is not known");
    for address in resolve(host, port, limits.left().min(KNOCK))? {
        // Whatever a name means here: in the open we speak to this machine only.
        if tls == Tls::None && !address.ip().is_loopback() {
            continue;
        }
        let left = limits.left();
        if left.is_zero() {
            break;
        }
        match TcpStream::connect_timeout(&address, left.min(KNOCK)) {
            Ok(socket) => return Ok(socket),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// The addresses of a host. The system may take its time over this, so it is asked in a thread that may be left behind.
fn resolve(host: &str, port: u16, within: Duration) -> io::Result<Vec<SocketAddr>> {
    let (sender, receiver) = mpsc::channel();
    let host = host.to_owned();
    thread::Builder::new().name("resolve".to_owned()).spawn(move || {
        let found = (host.as_str(), port).to_socket_addrs().map(Iterator::collect::<Vec<_>>);
        // Nobody may be waiting any more.
        let _ = sender.send(found);
    })?;
    let found = receiver.recv_timeout(within);
    found.unwrap_or_else(|_| Err(io::Error::new(io::ErrorKind::TimedOut, "the server's name is not found in time")))
}

fn no_answer() -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, "the server does not answer")
}

fn is_pause(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}
