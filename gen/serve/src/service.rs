//! The shared state of all requests, and their answers.

use crate::answer_cache::{AnswerCache, JsonAnswer};
use crate::error::ServeError;
use crate::limits::ServiceLimits;
use crate::lookups::LookupQueue;
use crate::metrics::Metrics;
use crate::pages::PageFiles;
use crate::positions_body::PositionsBody;
use crate::preview::verdict;
use crate::served_atlas::{ServedAtlas, language};
use crate::tables::ServedTables;
use crate::unread::UnreadAnswers;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{MatchedPath, Path, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, VARY};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use sakmak_atlas::language::Language;
use sakmak_atlas::picture::picture;
use sakmak_atlas::web::LinkPreview;
use sakmak_probe::LookupBudget;
use sakmak_probe::json::json_line;
use sakmak_probe::variant::Variant;
use sakmak_requests::error::AnswerError;
use sakmak_requests::query::{PositionParameters, PositionRequest, read_query};
use sakmak_requests::request::Request;
use sakmak_tables::excerpt::Excerpt;
use sakmak_tables::variants::{self, MAKRUK};
use serde::Deserialize;
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// The path of the positions of a variant.
pub const VARIANT: &str = "/{variant}";

/// The paths of the pages whose addresses have a position.
const BOARD: [&str; 2] = ["/", "/index.html"];
const TRAINER: [&str; 2] = ["/trainer", "/trainer.html"];

/// The path of the picture of a board.
const PICTURE: &str = "/board.png";

/// Time limit for the verdict of a preview, which may wait for a table.
const PREVIEW: Duration = Duration::from_millis(200);

/// The parameters of a board's address besides the position.
#[derive(Default, Deserialize)]
#[serde(default)]
struct BoardQuery {
    variant: Option<String>,
    /// `none` if nobody counts.
    count: Option<String>,
}

/// The shared state of all requests.
pub struct Service {
    /// The tables.
    pub tables: Arc<ServedTables>,
    /// The files of pages.
    pub pages: PageFiles,
    /// The limits.
    pub limits: ServiceLimits,
    /// The atlas, if the service has one.
    pub atlas: Option<ServedAtlas>,
    /// Cached answers.
    pub answers: AnswerCache,
    /// The memory of unread answers.
    pub unread: UnreadAnswers,
    /// The metrics.
    pub metrics: Arc<Metrics>,
    /// Whether each request is logged.
    pub logs_requests: bool,
    /// The public address of the pages, with a slash at its end.
    pub url: Option<String>,
}

/// The service as a router hands it to a request.
pub type SharedService = State<Arc<Service>>;

/// Answers a request that has no body.
pub async fn answer(
    State(service): SharedService,
    path: MatchedPath,
    variant: Option<Path<String>>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, ServeError> {
    let generation = service.tables.generation();
    if let Some(kept) = service.answers.get(&uri, generation) {
        return Ok(kept.into_response());
    }
    let variant = variant.map(|Path(variant)| variant).unwrap_or_default();
    let segments = path.as_str().split('/').skip(1);
    let segments: Vec<&str> =
        segments.map(|segment| if segment == "{variant}" { &variant } else { segment }).collect();
    let request = match Request::read(&segments, uri.query()) {
        // A page has one name too.
        Err(unknown @ AnswerError::Variant(_)) if path.as_str() == VARIANT => {
            return service.page(&uri, &headers).await.map_err(|_| unknown.into());
        }
        request => Arc::new(request?),
    };
    let mut answered = service.tables.answer(&request, request.first_budget()).await?;
    if answered.lacks_mates {
        answered = service.tables.answer(&request, LookupBudget::THOROUGH).await?;
    }
    if let Request::Exercise(..) = *request {
        // The next one is another.
        let headers = [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")];
        let headers = headers.map(|(name, value)| (name, HeaderValue::from_static(value)));
        return Ok((headers, answered.json).into_response());
    }
    let answer = JsonAnswer::new(answered.json)?;
    if request.is_repeatable() {
        service.answers.keep(&uri, generation, &answer);
    }
    Ok(answer.into_response())
}

/// Answers a request about many positions.
pub async fn positions(
    State(service): SharedService,
    Path(variant): Path<String>,
    uri: Uri,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, ServeError> {
    let variant = match Variant::named(&variant) {
        Ok(variant) => variant,
        Err(unknown) => match service.pages.response(uri.path()) {
            Err(_) => return Err(AnswerError::from(unknown).into()),
            _ => return Err(no_method(Method::POST).await),
        },
    };
    let body = body.map_err(|error| match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => ServeError::TooLarge(service.limits.body),
        _ => ServeError::request(Excerpt::of(&error.body_text()).to_string()),
    })?;
    let body = PositionsBody::read(&body, service.limits.positions)?;
    let mut answers = Vec::with_capacity(body.fens.len());
    for parameters in body.into_parameters() {
        answers.push(match Request::about(variant, parameters) {
            Ok(request) => {
                let request = Arc::new(request);
                let answered = service.tables.answer(&request, LookupBudget::NONE).await;
                answered.map(|answered| (request, answered))
            }
            Err(error) => Err(error.into()),
        });
    }
    // All searches together have the budget of one search.
    let searching = answers.iter().flatten().filter(|(_, answered)| answered.lacks_mates).count();
    let searching = u32::try_from(searching.max(1)).unwrap_or(u32::MAX);
    let budget = LookupBudget(LookupBudget::THOROUGH.0 / searching);
    for answer in &mut answers {
        if let Ok((request, answered)) = answer
            && answered.lacks_mates
        {
            match service.tables.answer(request, budget).await {
                Ok(searched) => *answered = searched,
                Err(error) => *answer = Err(error),
            }
        }
    }
    let entries = answers.into_iter().map(|answer| match answer {
        Ok((_, answered)) => Ok(answered.json),
        Err(error) => json_line(&error.json()).map_err(ServeError::internal),
    });
    let entries: Vec<String> = entries.collect::<Result<_, _>>()?;
    Ok(JsonAnswer::new(format!("[{}]", entries.join(",")))?.into_response())
}

/// Confirms that the service runs.
pub async fn health() -> &'static str {
    "ok\n"
}

/// Metrics in the format of Prometheus.
pub async fn metrics(State(service): SharedService) -> Result<Response, ServeError> {
    let text = service.metrics.text();
    let text = text.map_err(ServeError::internal)?;
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    Ok(([(CONTENT_TYPE, HeaderValue::from_static(kind))], text).into_response())
}

/// A file of a page.
pub async fn page(
    State(service): SharedService,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, ServeError> {
    let of_atlas = service.atlas.as_ref().and_then(|atlas| atlas.response(&uri, &headers));
    let page = match of_atlas {
        Some(page) => page,
        None => service.page(&uri, &headers).await,
    };
    let is_of_no_path = [Method::TRACE, Method::CONNECT].contains(&method);
    match page {
        _ if [Method::GET, Method::HEAD].contains(&method) => page,
        Err(error) if !is_of_no_path => Err(error),
        _ => Err(no_method(method).await),
    }
}

/// The error for a method that a path does not have.
pub async fn no_method(method: Method) -> ServeError {
    ServeError::NoMethod(Excerpt::of(method.as_str()))
}

impl Service {
    /// A file of the pages.
    async fn page(&self, uri: &Uri, headers: &HeaderMap) -> Result<Response, ServeError> {
        match uri.path() {
            path if BOARD.contains(&path) || TRAINER.contains(&path) => {
                self.previewed(uri, headers).await
            }
            PICTURE => self.picture(uri).await,
            path => self.pages.response(path),
        }
    }

    /// A page with a preview of the position in its address. The preview of the board has the
    /// verdict too; the preview of the trainer does not, because players are to find the verdict.
    async fn previewed(&self, uri: &Uri, headers: &HeaderMap) -> Result<Response, ServeError> {
        let language = language(uri, headers);
        let (request, count) = board_request(uri).unzip();
        let is_trainer = TRAINER.contains(&uri.path());
        let verdict = match &request {
            // The request lacks the count of the page.
            Some(request) if !is_trainer && count.flatten().is_none() => {
                let verdict = timeout(PREVIEW, self.verdict(request, language));
                verdict.await.ok().flatten()
            }
            _ => None,
        };
        let title = match is_trainer {
            true => Cow::from(format!("Sakmak: {}", language.text("trainer.title"))),
            false => Cow::from(language.text("explorer.title")),
        };
        let preview = LinkPreview {
            title: &title,
            description: verdict.as_deref().unwrap_or(language.text("atlas.about")),
            url: self.url.as_deref(),
            position: request.as_ref().map(|request| &request.asked.position),
        };
        let mut page = self.pages.previewed(uri.path(), &preview)?;
        page.headers_mut().insert(VARY, HeaderValue::from_static("Accept-Language"));
        Ok(page)
    }

    /// The verdict on a position. `None` without an answer.
    async fn verdict(&self, request: &PositionRequest, language: Language) -> Option<String> {
        let answer = self.tables.probe(request.clone()).await.ok()?;
        // Without the count the verdict may be wrong.
        answer.missing.is_none().then(|| verdict(language, &answer))
    }

    /// The picture of the position in the address; without a position, an example.
    async fn picture(&self, uri: &Uri) -> Result<Response, ServeError> {
        let Some((PositionRequest { asked, .. }, _)) = board_request(uri) else {
            return self.pages.response(PICTURE);
        };
        let drawn = self.tables.run(LookupQueue::Lines, move || picture(&asked.position)).await?;
        let drawn = drawn.map_err(ServeError::internal)?;
        let media_type = HeaderValue::from_static("image/png");
        let kept = HeaderValue::from_static("public, max-age=86400");
        Ok(([(CONTENT_TYPE, media_type), (CACHE_CONTROL, kept)], drawn).into_response())
    }
}

/// The position in the address of the board, without lines, and the parameter `count`. `None`
/// without a position.
fn board_request(uri: &Uri) -> Option<(PositionRequest, Option<String>)> {
    let BoardQuery { variant, count } = read_query(uri.query()).ok()?;
    let variant = variants::named(variant.as_deref().unwrap_or(MAKRUK.name)).ok()?;
    let request = read_query::<PositionParameters>(uri.query()).ok()?.read(variant).ok()?;
    Some((PositionRequest { lines: false, solution: false, ..request }, count))
}
