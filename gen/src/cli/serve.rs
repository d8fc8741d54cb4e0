//! `sakmak serve`: answers and web pages over HTTP.

use crate::cli::arguments::{AccessArgument, TablesArgument, UrlArgument};
use crate::cli::{CommandError, print, signals};
use clap::{Args, ValueEnum};
use sakmak_make::system::ByteSize;
use sakmak_make::system::directory;
use sakmak_make::system::machine::whole_memory;
use sakmak_make::system::open_files::allow_open_files;
use sakmak_make::system::temporary_directory::TemporaryDirectory;
use sakmak_serve::answer_cache::AnswerCache;
use sakmak_serve::connections::serve_connections;
use sakmak_serve::limits::ServiceLimits;
use sakmak_serve::metrics::Metrics;
use sakmak_serve::opened_tables::TableSources;
use sakmak_serve::pages::PageFiles;
use sakmak_serve::reloader::reload_for_ever;
use sakmak_serve::router::router;
use sakmak_serve::served_atlas::ServedAtlas;
use sakmak_serve::service::Service;
use sakmak_serve::start_log::log_start;
use sakmak_serve::tables::ServedTables;
use sakmak_serve::unread::UnreadAnswers;
use sakmak_tables::excerpt::Excerpt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::sync::oneshot;

/// The help after the options.
const AFTER: &str = "\
The first line of the output is the address. In a browser it shows a board; programs ask \
/makruk?fen=FEN, with underscores for blanks. docs/serve.md describes the interface.

Without tables the service answers positions of three and four men. It makes their tables as they \
are needed, one at a time, in a directory that it removes at its end. Tables that come, go or are \
replaced by renaming are noticed within seconds.

SIGTERM and SIGINT end the service after the requests that run; a second signal ends it at once.

  sakmak serve --tables DIR
  curl 'http://127.0.0.1:8080/makruk?fen=8/8/8/4k3/8/4K3/4S3/4M3_w'";

/// Open files that are reserved for tables, if the system allows more.
const FILES_OF_TABLES: usize = 2048;

/// The address, the tables and the log.
#[derive(Args)]
#[command(after_help = AFTER)]
pub struct ServeArguments {
    #[command(flatten)]
    tables: TablesArgument,
    #[command(flatten)]
    access: AccessArgument,
    /// Address or name, and port, such as localhost:8080; port 0 means any free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080",
        value_parser = listen_address)]
    listen: String,
    /// Cache for parts of tables, for all variants together
    #[arg(long, value_name = "SIZE", default_value = "256M",
        value_parser = crate::cli::memory::memory_amount)]
    cache: ByteSize,
    /// Seconds for a request, and for its headers
    #[arg(long, value_name = "SECONDS", default_value_t = 20,
        value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
    /// Format of the log on standard error: lines of text, or a line of JSON for each event
    #[arg(long, value_name = "FORM", default_value = "text")]
    log: LogForm,
    /// Log each request
    #[arg(long)]
    log_requests: bool,
    /// Serve the files of a directory in place of the pages in the program
    #[arg(long, value_name = "DIR")]
    pages: Option<PathBuf>,
    /// Directory of an atlas from 'sakmak report', served below /atlas/; its folders 'th' and 'km'
    /// hold the Thai and Khmer pages
    #[arg(long, value_name = "DIR")]
    atlas: Option<PathBuf>,
    #[command(flatten)]
    url: UrlArgument,
}

/// The form of a log.
#[derive(Clone, Copy, ValueEnum)]
enum LogForm {
    // Lines for people.
    Text,
    // A line of JSON for each event.
    Json,
}

pub fn run(arguments: ServeArguments) -> Result<(), CommandError> {
    if let Some(most) = whole_memory().filter(|&most| arguments.cache > most) {
        return Err(CommandError::bad_input(format!(
            "--cache {} is more memory than this machine has: {most}",
            arguments.cache
        )));
    }
    let sources = TableSources {
        directory: arguments.tables.readable()?,
        access: arguments.access.access()?,
        cache: arguments.cache,
    };
    arguments.atlas.iter().chain(&arguments.pages).try_for_each(|path| check_directory(path))?;
    start_log(arguments.log);
    let (end, ended) = oneshot::channel();
    let mut end = Some(end);
    signals::listen(move |signal| match end.take().map(|end| end.send(())) {
        Some(Ok(())) => {}
        // The second signal, or a signal after the end.
        _ => signals::end(signal, ""),
    })?;
    let limits = limits(Duration::from_secs(arguments.timeout));
    let metrics = Arc::new(Metrics::new());
    // Dropped after the runtime has abandoned the threads of lookups, which may hang.
    let made = TemporaryDirectory::new().map_err(CommandError::failure)?;
    let tables = ServedTables::new(&sources, made.path(), &limits, Arc::clone(&metrics))?;
    let tables = Arc::new(tables);
    let pages = PageFiles::new(arguments.pages);
    let service = Arc::new(Service {
        tables,
        pages,
        limits,
        answers: AnswerCache::new(limits.kept),
        unread: UnreadAnswers::new(limits.unread),
        atlas: arguments.atlas.map(ServedAtlas::new),
        metrics,
        logs_requests: arguments.log_requests,
        url: arguments.url.url(),
    });
    let runtime = Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(serve_until(ended, &service, &arguments.listen, arguments.cache));
    // A lookup may hang, for instance in a file on a dead disk: it ends with the process.
    runtime.shutdown_background();
    served
}

/// Serves requests at an address until the end is signalled.
async fn serve_until(
    ended: oneshot::Receiver<()>,
    service: &Arc<Service>,
    listen: &str,
    cache: ByteSize,
) -> Result<(), CommandError> {
    let listener = TcpListener::bind(listen)
        .await
        .map_err(|error| CommandError::failure(format!("cannot listen on {listen}: {error}")))?;
    let address = format!("http://{}/", listener.local_addr()?);
    log_start(&service.tables, &address, cache);
    print(&format!("{address}\n"))?;
    tokio::spawn(reload_for_ever(Arc::clone(&service.tables), service.limits.reload));
    let ended = async {
        // No signal can arrive after the sender is dropped: the service runs on.
        if ended.await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    match serve_connections(listener, router(service), service, ended).await {
        0 => tracing::info!("ended"),
        cut => tracing::warn!(connections = cut, "ended: requests were cut off"),
    }
    Ok(())
}

/// Checks that a directory can be read.
fn check_directory(directory: &Path) -> Result<(), CommandError> {
    let unreadable = |error: io::Error| {
        let path = directory.display();
        CommandError::bad_input(format!("cannot read the directory {path}: {error}"))
    };
    match directory::is_there(directory).map_err(unreadable)? {
        true => Ok(()),
        false => Err(unreadable(io::ErrorKind::NotFound.into())),
    }
}

/// Returns the limits of this machine, with this timeout of a request.
fn limits(timeout: Duration) -> ServiceLimits {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut limits = ServiceLimits::of_cores(cores);
    (limits.request, limits.head, limits.reading) = (timeout, timeout, 3 * timeout);
    if let Some(files) = allow_open_files() {
        limits.connections = limits.connections.min(files - FILES_OF_TABLES.min(files / 2));
    }
    limits
}

/// Parses an address or a name with a port.
fn listen_address(text: &str) -> Result<String, String> {
    let port = text.rsplit_once(':').filter(|(host, port)| {
        let is_address = !host.contains(':') || host.starts_with('[') && host.ends_with(']');
        !host.is_empty() && is_address && port.parse::<u16>().is_ok()
    });
    port.map(|_| text.to_string()).ok_or_else(|| {
        let text = Excerpt::of(text);
        format!("'{text}' is not an address with a port, such as 127.0.0.1:8080 or localhost:8080")
    })
}

/// Sends events to standard error.
fn start_log(form: LogForm) {
    let log = tracing_subscriber::fmt().with_writer(std::io::stderr).with_target(false);
    match form {
        LogForm::Text => log.with_ansi(false).init(),
        LogForm::Json => log.json().flatten_event(true).init(),
    }
}
