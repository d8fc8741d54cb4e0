//! The state that all requests share, and the answers to them.

use crate::answer_cache::{AnswerCache, JsonAnswer};
use crate::error::ServeError;
use crate::limits::ServiceLimits;
use crate::lookups::LookupQueue;
use crate::metrics::Metrics;
use crate::pages::PageFiles;
use crate::positions_request::{PositionsEntry, PositionsRequest};
use crate::preview::verdict;
use crate::served_atlas::{ServedAtlas, language};
use crate::tables::{ServedTables, is_makeable};
use crate::unread::UnreadAnswers;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{Path, RawQuery, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, VARY};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use sakmak_atlas::language::Language;
use sakmak_atlas::picture::picture;
use sakmak_atlas::web::LinkPreview;
use sakmak_probe::tablebase::Tablebase;
use sakmak_probe::{Answer, LookupBudget};
use sakmak_requests::error::AnswerError;
use sakmak_requests::found_answer::{FoundAnswer, FoundAnswerJson};
use sakmak_requests::mainline_json::MainlineJson;
use sakmak_requests::query::{PositionQuery, PositionRequest, read_query};
use sakmak_requests::variants_json::VariantsJson;
use sakmak_tables::excerpt::Excerpt;
use sakmak_tables::variants::{self, MAKRUK};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;
use utoipa::IntoParams;

/// The paths of the pages whose addresses have a position.
const BOARD: [&str; 2] = ["/", "/index.html"];
const TRAINER: [&str; 2] = ["/trainer", "/trainer.html"];

/// The path of the picture of a board.
const PICTURE: &str = "/board.png";

/// The time that a page waits for the verdict of its preview, which may need a table that is not there.
const PREVIEW: Duration = Duration::from_millis(200);

/// What the address of the board has beside the position.
#[derive(Default, Deserialize)]
#[serde(default)]
struct BoardQuery {
    variant: Option<String>,
    /// `none` if nobody counts.
    count: Option<String>,
}

/// The state that all requests share.
#[derive(Debug)]
pub struct Service {
    /// The tables.
    pub tables: Arc<ServedTables>,
    /// The directory of tables, which need not exist.
    pub directory: PathBuf,
    /// The files of pages.
    pub pages: PageFiles,
    /// The limits.
    pub limits: ServiceLimits,
    /// The atlas, if there is one.
    pub atlas: Option<ServedAtlas>,
    /// Answers to be given again.
    pub answers: AnswerCache,
    /// The answers that are not read.
    pub unread: UnreadAnswers,
    /// The metrics.
    pub metrics: Arc<Metrics>,
    /// Whether each request is logged.
    pub logs_requests: bool,
    /// The address of the pages for others, which ends with a slash.
    pub url: Option<String>,
}

/// The name of a variant in a path.
#[derive(IntoParams)]
#[into_params(names("variant"), parameter_in = Path)]
pub struct VariantPath(
    /// Name of a variant, such as makruk or ouk.
    #[allow(dead_code, reason = "names the parameter in /openapi.json only")]
    String,
);

/// The service as a router hands it to a request.
pub type SharedService = State<Arc<Service>>;

/// The answer for a position
#[utoipa::path(
    get,
    path = "/{variant}",
    params(VariantPath, PositionQuery),
    responses((status = 200, description = "The answer.", body = FoundAnswerJson))
)]
pub async fn position(
    State(service): SharedService,
    Path(variant): Path<String>,
    RawQuery(query): RawQuery,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, ServeError> {
    let variant = match variants::named(&variant) {
        Ok(variant) => variant,
        // A page has one name too.
        Err(unknown) => {
            let page = service.page(&uri, &headers).await;
            return page.map_err(|_| ServeError::no_game(&variant, unknown));
        }
    };
    let answer = async || {
        let request = read_query::<PositionQuery>(query.as_deref())?.read(variant)?;
        let mut found = service.found(&request).await?;
        if let FoundAnswer::Whole(answer) = &mut found
            && request.lacks(answer)
        {
            *answer = service.searched(&request, LookupBudget::THOROUGH).await?;
        }
        JsonAnswer::new(&found.json())
    };
    service.kept(&uri, answer).await
}

/// The answers for many positions
#[utoipa::path(
    post,
    path = "/{variant}",
    params(VariantPath),
    request_body = PositionsRequest,
    responses((
        status = 200,
        description = "Answers or errors, in the order of the positions.",
        body = [PositionsEntry]
    ))
)]
pub async fn positions(
    State(service): SharedService,
    Path(variant): Path<String>,
    uri: Uri,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, ServeError> {
    let variant = match variants::named(&variant) {
        Ok(variant) => variant,
        Err(unknown) => match service.pages.response(uri.path()) {
            Ok(_) => return Err(no_method(Method::POST).await),
            Err(_) => return Err(unknown.into()),
        },
    };
    let body = body.map_err(|error| match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => ServeError::TooLarge(service.limits.body),
        _ => ServeError::request(Excerpt::of(&error.body_text()).to_string()),
    })?;
    let request = PositionsRequest::read(&body, service.limits.positions)?;
    let requests: Vec<_> = request.into_queries().map(|query| query.read(variant)).collect();
    let mut answers = Vec::with_capacity(requests.len());
    for request in requests {
        answers.push(match request {
            Ok(request) => service.found(&request).await.map(|found| (request, found)),
            Err(error) => Err(error.into()),
        });
    }
    // All searches together take as much as one.
    let lacks = |(request, found): &&(PositionRequest, FoundAnswer)| match found {
        FoundAnswer::Whole(answer) => request.lacks(answer),
        FoundAnswer::Partial(..) => false,
    };
    let searching = answers.iter().flatten().filter(lacks);
    let searching = u32::try_from(searching.count().max(1)).unwrap_or(u32::MAX);
    let budget = LookupBudget(LookupBudget::THOROUGH.0 / searching);
    for answer in &mut answers {
        if let Ok((request, FoundAnswer::Whole(found))) = answer
            && request.lacks(found)
        {
            match service.searched(request, budget).await {
                Ok(searched) => *found = searched,
                Err(error) => *answer = Err(error),
            }
        }
    }
    let entries = answers.iter().map(|answer| match answer {
        Ok((_, found)) => PositionsEntry::Answer(Box::new(found.json())),
        Err(error) => PositionsEntry::Error(error.json()),
    });
    json_response(&entries.collect::<Vec<_>>())
}

/// Lines of best play
#[utoipa::path(
    get,
    path = "/{variant}/mainline",
    params(VariantPath, PositionQuery),
    responses((status = 200, description = "The lines.", body = MainlineJson))
)]
pub async fn mainline(
    State(service): SharedService,
    Path(variant): Path<String>,
    RawQuery(query): RawQuery,
    uri: Uri,
) -> Result<Response, ServeError> {
    let answer = async || {
        let query: PositionQuery = read_query(query.as_deref())?;
        let mut request = query.read(variants::named(&variant)?)?;
        request.lines = true;
        let answer = match request.searches {
            true => service.searched(&request, LookupBudget::THOROUGH).await?,
            false => service.of_tables(&request).await?,
        };
        let lines = answer.lines.as_ref();
        let lines = lines.ok_or_else(|| ServeError::internal("no lines"))?;
        JsonAnswer::new(&MainlineJson::new(&answer, lines))
    };
    service.kept(&uri, answer).await
}

/// The variants, and which positions of each have an answer
#[utoipa::path(
    get,
    path = "/variants",
    responses((status = 200, description = "The variants.", body = VariantsJson))
)]
pub async fn variants(State(service): SharedService) -> Result<Response, ServeError> {
    let listed = variants::all().into_iter().map(|variant| {
        let tables = service.tables.listed(variant.counting())?;
        Ok((variant, tables))
    });
    json_response(&VariantsJson::new(listed.collect::<Result<Vec<_>, ServeError>>()?))
}

/// Confirms that the service runs
#[utoipa::path(
    get,
    path = "/healthz",
    responses((status = 200, description = "It runs.", body = String, content_type = "text/plain"))
)]
pub async fn health() -> &'static str {
    "ok\n"
}

/// Metrics in the format of Prometheus
#[utoipa::path(
    get,
    path = "/metrics",
    responses((
        status = 200,
        description = "The counts.",
        body = String,
        content_type = "application/openmetrics-text"
    ))
)]
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

/// The answer for a method that a path does not have.
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

    /// A page whose address has a position, which is shown where a link to it is shown. The board
    /// shows the verdict too, which is for players to find in the trainer.
    async fn previewed(&self, uri: &Uri, headers: &HeaderMap) -> Result<Response, ServeError> {
        let language = language(uri, headers);
        let (request, count) = board_request(uri).unzip();
        let is_trainer = TRAINER.contains(&uri.path());
        let verdict = match &request {
            // A count that the page asks for is not in the request.
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

    /// The verdict on a position. `None` if it has none.
    async fn verdict(&self, request: &PositionRequest, language: Language) -> Option<String> {
        let answer = self.of_tables(request).await.ok()?;
        // What the count makes of the position is not known.
        answer.missing.is_none().then(|| verdict(language, &answer))
    }

    /// The picture of the position in the address, as the page of the board has it, else an example.
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

    /// The answer of the tables for a position.
    async fn of_tables(&self, request: &PositionRequest) -> Result<Answer, ServeError> {
        let queue = if request.lines { LookupQueue::Lines } else { LookupQueue::Light };
        self.answer(queue, request, LookupBudget::NONE).await
    }

    /// The answer of the tables for a position, or else for its moves into tables.
    async fn found(&self, request: &PositionRequest) -> Result<FoundAnswer, ServeError> {
        let error = match self.of_tables(request).await {
            Err(ServeError::Answer(error @ AnswerError::NoTable { .. })) => error,
            answer => return Ok(FoundAnswer::Whole(answer?)),
        };
        let asked = request.asked.clone();
        let position = asked.position;
        let lookup = move |tables: &Tablebase| {
            tables.probe_partially(&asked, |table| is_makeable(table.material))
        };
        match self.tables.look_up(LookupQueue::Light, &position, lookup).await? {
            Some(part) => Ok(FoundAnswer::Partial(part, error)),
            None => Err(error.into()),
        }
    }

    /// The answer for a position with mates in time that are found within the budget.
    async fn searched(
        &self,
        request: &PositionRequest,
        budget: LookupBudget,
    ) -> Result<Answer, ServeError> {
        self.answer(LookupQueue::Search, request, budget).await
    }

    async fn answer(
        &self,
        queue: LookupQueue,
        request: &PositionRequest,
        budget: LookupBudget,
    ) -> Result<Answer, ServeError> {
        let PositionRequest { asked, lines, .. } = request.clone();
        let (position, again) = (asked.position, asked.clone());
        let lookup = move |tables: &Tablebase| tables.searching(budget).probe(asked.clone(), lines);
        let answer = self.tables.look_up(queue, &position, lookup).await;
        let Some(missing) = answer.as_ref().err().and_then(ServeError::missing_counts) else {
            return answer;
        };
        // Tables of few men are made before the count is left out.
        let lookup =
            move |tables: &Tablebase| tables.probe_uncounted(again.clone(), lines, missing);
        let nobody = position.counted_by(position.variant().uncounted);
        self.tables.look_up(queue, &nobody, lookup).await
    }

    /// The answer that is kept for an address, else one that is kept from now on.
    async fn kept(
        &self,
        uri: &Uri,
        answer: impl AsyncFnOnce() -> Result<JsonAnswer, ServeError>,
    ) -> Result<Response, ServeError> {
        let generation = self.tables.generation();
        if let Some(kept) = self.answers.get(uri, generation) {
            return Ok(kept.into_response());
        }
        let answer = answer().await?;
        self.answers.keep(uri, generation, &answer);
        Ok(answer.into_response())
    }
}

/// The position in the address of the board, without lines, and the count there. `None` if there is
/// no position.
fn board_request(uri: &Uri) -> Option<(PositionRequest, Option<String>)> {
    let BoardQuery { variant, count } = read_query(uri.query()).ok()?;
    let variant = variants::named(variant.as_deref().unwrap_or(MAKRUK.name)).ok()?;
    let request = read_query::<PositionQuery>(uri.query()).ok()?.read(variant).ok()?;
    Some((PositionRequest { lines: false, ..request }, count))
}

/// A response with JSON, which may be kept for a while.
pub fn json_response(value: &impl Serialize) -> Result<Response, ServeError> {
    Ok(JsonAnswer::new(value)?.into_response())
}
