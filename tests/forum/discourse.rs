//! A stand-in for Discourse, which cannot be installed here: it keeps its topics in memory and behaves as its documentation
//! and its source say, release 2026.8. Where it does something in particular, a comment names the file of Discourse and the site
//! setting (`config/site_settings.yml`) that it follows. Every request is written down; one that Discourse would not understand is answered as it would be.

use std::collections::BTreeMap;
use std::fs;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use cursus::post::forum::{Forum, ForumSettings, Software};
use serde_json::{Value, json};

use super::http::{Request, Response, Server};

/// The name and the key of the user that is Cursus.
pub const BOT: &str = "cursus";
pub const KEY: &str = "0123456789abcdef0123456789abcdef";
/// The category that everybody may write in.
pub const CATEGORY: u64 = 5;
/// Our user's id.
pub const BOT_ID: u64 = 2;

/// The forum. Its users are `cursus` (2), `ania` (3), `bob` (4) and `celina` (5).
pub struct Discourse {
    server: Server,
    state: Arc<Mutex<State>>,
    folder: tempfile::TempDir,
}

/// What the forum knows, and how it behaves.
pub struct State {
    pub users: BTreeMap<u64, String>,
    pub topics: BTreeMap<u64, Topic>,
    next_post: u64,
    next_topic: u64,
    /// Everything that was asked.
    pub log: Vec<Request>,
    /// Requests in one minute that are answered: `max_admin_api_reqs_per_minute` (config/discourse_defaults.conf), 60 for all keys
    /// of the site together.
    pub limit: usize,
    asked: Vec<Instant>,
    pub retry_after: u64,
    /// How many posts in sequence one may write who did not begin the topic: `max_consecutive_replies`, 3.
    pub consecutive: usize,
    /// Whether our user is an administrator.
    pub is_admin: bool,
    /// Whether something on the way takes the key out of the head.
    pub is_keyless: bool,
    /// Whether posts wait for approval: lib/new_post_manager.rb, `post_needs_approval?`, with `approve_post_count`,
    /// `approve_unless_allowed_groups` and their like; not for staff, and not in private.
    pub is_queued: bool,
    /// What waits for approval: the request that wrote it.
    pub queue: Vec<Value>,
    /// Whether pictures are taken: `authorized_extensions`, `embedded_media_post_allowed_groups`.
    pub takes_pictures: bool,
    /// How many answers to a new post are lost on their way.
    pub losses: usize,
    /// What is answered to everything, if anything is.
    pub always: Option<Response>,
    /// How many posts are sent at once: app/controllers/topics_controller.rb, `posts`.
    pub chunk: usize,
    /// How many topics are on a page of a list: lib/topic_query.rb, `DEFAULT_PER_PAGE_COUNT`, 30.
    pub per_page: usize,
    /// Groups that our user may write to: `Group.messageable`.
    pub groups: Vec<String>,
    /// `max_post_length`.
    pub longest: usize,
    /// `tl2_post_edit_time_limit`, which holds from trust level 2 on; in minutes, 30 days at first.
    pub edit_minutes: i64,
    /// `max_edits_per_day`, for what is left of them.
    pub edits_left: usize,
    /// `max_personal_messages_per_day`, for what is left of them.
    pub messages_left: usize,
    /// `TopicView::MEGA_TOPIC_POSTS_COUNT` (lib/topic_view.rb): 10,000.
    pub mega: usize,
    /// Whether the key has scopes: app/models/api_key_scope.rb. Then only these paths are open to it, by method and beginning.
    pub scopes: Option<Vec<(&'static str, &'static str)>>,
    /// Whether every post is shown in a translation: `content_localization_enabled` (app/serializers/basic_post_serializer.rb).
    pub translates: bool,
    /// The language of what the forum says: everything in config/locales/server.*.yml is there in fifty.
    pub speaks_polish: bool,
}

pub struct Topic {
    pub id: u64,
    pub title: String,
    pub user_id: u64,
    pub category: Option<u64>,
    /// Those who take part, if it is private.
    pub allowed: Option<Vec<u64>>,
    pub posts: Vec<Row>,
    pub bumped_at: DateTime<Utc>,
    pub is_deleted: bool,
    /// lib/post_creator.rb: closed at `auto_close_messages_post_count`.
    pub closed: bool,
    /// `topics.slow_mode_seconds`.
    pub slow_mode_seconds: u64,
}

pub struct Row {
    pub id: u64,
    pub user_id: u64,
    pub number: u64,
    pub raw: String,
    /// What is shown instead of what follows from the text: previews of links come later.
    pub cooked: Option<String>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    pub version: u64,
    pub kind: u64,
    pub reply_to: Option<u64>,
    pub is_gone: bool,
    pub user_deleted: bool,
    /// People have flagged it: app/models/post.rb, `hide!`.
    pub hidden: bool,
}

impl Discourse {
    pub fn start() -> Self {
        let users = [(1, "admin"), (BOT_ID, BOT), (3, "ania"), (4, "bob"), (5, "celina")];
        let state = Arc::new(Mutex::new(State {
            users: users.iter().map(|(id, name)| (*id, (*name).to_owned())).collect(),
            topics: BTreeMap::new(),
            next_post: 101,
            next_topic: 11,
            log: Vec::new(),
            limit: 1000,
            asked: Vec::new(),
            retry_after: 1,
            consecutive: 3,
            is_admin: true,
            is_keyless: false,
            is_queued: false,
            queue: Vec::new(),
            takes_pictures: true,
            losses: 0,
            always: None,
            chunk: 1000,
            per_page: 30,
            groups: vec!["staff".to_owned(), "moderators".to_owned()],
            longest: 32_000,
            edit_minutes: 43_200,
            edits_left: 100,
            messages_left: 100,
            mega: 10_000,
            scopes: None,
            translates: false,
            speaks_polish: false,
        }));
        let known = Arc::clone(&state);
        let server = Server::start(move |request| known.lock().expect("the forum").answer(request));
        Self { server, state, folder: tempfile::tempdir().expect("a folder") }
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("the forum")
    }

    pub fn url(&self) -> String {
        self.server.url()
    }

    /// The settings of the carrier, with this key.
    pub fn settings_with(&self, key: &str) -> ForumSettings {
        let secret = self.folder.path().join("key");
        fs::write(&secret, format!("{key}\n")).expect("a key is written");
        ForumSettings {
            software: Software::Discourse,
            url: self.url(),
            user: BOT.to_owned(),
            secret_file: Some(secret),
            secret_env: None,
            category: Some(CATEGORY.to_string()),
            private_messages: true,
            root_certificate: None,
        }
    }

    pub fn settings(&self) -> ForumSettings {
        self.settings_with(KEY)
    }

    pub fn forum(&self) -> Forum {
        Forum::open("forum", self.settings()).expect("the settings are in order")
    }

    /// Somebody begins a topic; gives its id.
    pub fn open_topic(&self, user: u64, title: &str, raw: &str) -> u64 {
        self.state().begin(user, title, raw, Some(CATEGORY), None).0
    }

    /// Somebody writes a private message to somebody; gives the id of the topic.
    pub fn message(&self, user: u64, to: u64, title: &str, raw: &str) -> u64 {
        self.state().begin(user, title, raw, None, Some(vec![user, to])).0
    }

    /// Somebody replies; gives the id of the post.
    pub fn reply(&self, user: u64, topic: u64, raw: &str) -> u64 {
        self.state().write(user, topic, raw)
    }

    /// Staff approves what waits.
    pub fn approve(&self) {
        self.state().approve();
    }

    /// Does something to a post.
    pub fn change(&self, post: u64, change: impl FnOnce(&mut Row)) {
        let mut state = self.state();
        let row = state.row(post).expect("the post is there");
        change(row);
        row.updated_at = Utc::now();
    }

    /// A post as it is typed.
    pub fn raw(&self, post: u64) -> String {
        self.state().row(post).expect("the post is there").raw.clone()
    }

    /// The texts of a topic, as they are typed.
    pub fn texts(&self, topic: u64) -> Vec<String> {
        self.state().topics[&topic].posts.iter().filter(|row| !row.is_gone).map(|row| row.raw.clone()).collect()
    }

    /// What was asked since the last time: the method and the path.
    pub fn asked(&self) -> Vec<String> {
        let log = std::mem::take(&mut self.state().log);
        log.iter().map(|request| format!("{} {}", request.method, request.target)).collect()
    }
}

impl State {
    fn row(&mut self, post: u64) -> Option<&mut Row> {
        self.topics.values_mut().flat_map(|topic| &mut topic.posts).find(|row| row.id == post)
    }

    fn begin(
        &mut self,
        user: u64,
        title: &str,
        raw: &str,
        category: Option<u64>,
        allowed: Option<Vec<u64>>,
    ) -> (u64, u64) {
        let id = self.next_topic;
        self.next_topic += 1;
        let topic = Topic {
            id,
            title: title.to_owned(),
            user_id: user,
            category,
            allowed,
            posts: vec![],
            bumped_at: Utc::now(),
            is_deleted: false,
            closed: false,
            slow_mode_seconds: 0,
        };
        self.topics.insert(id, topic);
        (id, self.write(user, id, raw))
    }

    fn write(&mut self, user: u64, topic: u64, raw: &str) -> u64 {
        let id = self.next_post;
        self.next_post += 1;
        let now = Utc::now();
        let topic = self.topics.get_mut(&topic).expect("the topic is there");
        topic.bumped_at = now;
        topic.posts.push(Row {
            id,
            user_id: user,
            number: topic.posts.len() as u64 + 1,
            raw: raw.trim_end().to_owned(),
            cooked: None,
            created_at: now,
            updated_at: now,
            version: 1,
            kind: 1,
            reply_to: None,
            is_gone: false,
            user_deleted: false,
            hidden: false,
        });
        id
    }

    fn answer(&mut self, request: &Request) -> Response {
        self.log.push(request.clone());
        if let Some(response) = &self.always {
            return response.clone();
        }
        // lib/rate_limiter/limit_exceeded.rb and app/controllers/application_controller.rb, `render_rate_limit_error`.
        self.asked.retain(|asked| asked.elapsed() < Duration::from_secs(60));
        if self.asked.len() >= self.limit {
            let wait = self.retry_after;
            self.limit += 1;
            let body = json!({
                "errors": ["You’ve performed this action too many times, please try again later."],
                "error_type": "rate_limit",
                "extras": {"wait_seconds": wait, "time_left": format!("{wait} seconds")},
            });
            return Response::json(429, &body).with("Retry-After", &wait.to_string());
        }
        self.asked.push(Instant::now());
        // lib/auth/default_current_user_provider.rb, `lookup_api_user`: a wrong key is refused, where no key is a guest.
        let key = if self.is_keyless { "" } else { request.header("api-key") };
        let is_ours = key == KEY && request.header("api-username") == BOT;
        if !key.is_empty() && !is_ours {
            let says = "You are not permitted to view the requested resource. The API username or key is invalid.";
            return Response::json(403, &json!({"errors": [says], "error_type": "invalid_access"}));
        }
        // lib/auth/default_current_user_provider.rb: a key is none where no scope of it permits the request.
        let permits = |(method, begin): &(&str, &str)| request.method == *method && request.target.starts_with(begin);
        if is_ours && self.scopes.as_ref().is_some_and(|scopes| !scopes.iter().any(permits)) {
            let says = "You are not permitted to view the requested resource. The API username or key is invalid.";
            return Response::json(403, &json!({"errors": [says], "error_type": "invalid_access"}));
        }
        let response = self.route(request, is_ours);
        if request.method == "POST" && request.target == "/posts.json" && response.status == 200 && self.losses > 0 {
            self.losses -= 1;
            return Response { is_lost: true, ..response };
        }
        response
    }

    fn route(&mut self, request: &Request, is_user: bool) -> Response {
        let (path, query) = request.target.split_once('?').unwrap_or((&request.target, ""));
        let parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
        let number = |text: &str| text.trim_end_matches(".json").parse::<u64>().unwrap_or(0);
        match (request.method.as_str(), parts.as_slice()) {
            // app/controllers/session_controller.rb, `current`: 404 for guests.
            ("GET", ["session", "current.json"]) if is_user => {
                ok(&json!({"current_user": {"id": BOT_ID, "username": BOT, "trust_level": 4, "admin": self.is_admin}}))
            }
            ("GET", ["t", topic]) if topic.ends_with(".json") => self.show_topic(number(topic), query, is_user),
            ("GET", ["t", topic, "posts.json"]) => self.show_posts(number(topic), query, is_user),
            ("GET", ["topics", list, name]) if is_user => self.list(list, name.trim_end_matches(".json"), query),
            // app/controllers/users_controller.rb, `cards`: the users of these ids, 50 at most, whose profiles we may see.
            ("GET", ["user-cards.json"]) => {
                let ids = query.strip_prefix("user_ids=").unwrap_or_default().split(',').map(number);
                let card = |id| Some(json!({"id": id, "username": self.users.get(&id)?, "trust_level": 1}));
                ok(&json!({"users": ids.filter_map(card).collect::<Vec<_>>()}))
            }
            // The same, `show`: users only, for a group has its page under `/g`.
            ("GET", ["u", name]) => {
                let name = name.trim_end_matches(".json").to_lowercase();
                match self.users.iter().find(|(_, user)| user.to_lowercase() == name) {
                    Some((id, user)) => ok(&json!({"user": {"id": id, "username": user, "trust_level": 1}})),
                    None => not_found(),
                }
            }
            // app/controllers/site_controller.rb, `settings`: those that a browser needs, to everybody.
            ("GET", ["site", "settings.json"]) => {
                ok(&json!({"title": "Games", "max_post_length": self.longest, "min_post_length": 20}))
            }
            ("GET", ["latest.json"]) => ok(&json!({"topic_list": {"topics": []}})),
            ("GET", ["categories.json"]) => ok(&json!({"category_list": {"categories": []}})),
            // app/serializers/category_serializer.rb: `permission` is 1 for whoever may begin topics there.
            ("GET", ["c", id, "show.json"]) if number(id) == CATEGORY => {
                let permission = if is_user { json!(1) } else { Value::Null };
                ok(&json!({"category": {"id": CATEGORY, "name": "Games", "slug": "games", "permission": permission}}))
            }
            // app/controllers/posts_controller.rb, `pending`, for oneself and staff; app/serializers/pending_post_serializer.rb.
            ("GET", ["posts", name, "pending.json"]) if is_user && *name == BOT => {
                let waits = self.queue.iter().enumerate();
                let waits =
                    waits.map(|(id, request)| json!({"id": id, "raw_text": request["raw"], "title": request["title"]}));
                ok(&json!({"pending_posts": waits.collect::<Vec<_>>()}))
            }
            ("GET", ["posts", id]) => {
                let topic = self.topics.values().find(|topic| topic.posts.iter().any(|row| row.id == number(id)));
                let found = topic.and_then(|topic| Some((topic, topic.posts.iter().find(|row| row.id == number(id))?)));
                match found {
                    Some((topic, row)) if !topic.is_deleted && !row.is_gone => ok(&self.shown(row, topic, true)),
                    Some(_) | None => not_found(),
                }
            }
            ("POST", ["posts.json"]) if is_user => self.create(&request.json()),
            ("PUT", ["posts", id]) if is_user => self.update(number(id), &request.json()),
            ("POST", ["uploads.json"]) if is_user => self.upload(request),
            // app/controllers/posts_controller.rb, `destroy`: `max_post_deletions_per_minute`, `max_post_deletions_per_day`.
            ("DELETE", ["posts", id]) if is_user => match self.row(number(id)) {
                Some(row) => {
                    row.is_gone = true;
                    Response::new(200, "application/json", "")
                }
                None => not_found(),
            },
            // app/controllers/topics_controller.rb, `destroy`; lib/guardian/topic_guardian.rb, `can_delete_topic?`.
            ("DELETE", ["t", id]) if is_user => match self.topics.get_mut(&number(id)) {
                Some(topic) => {
                    topic.is_deleted = true;
                    Response::new(200, "application/json", "")
                }
                None => not_found(),
            },
            ("POST" | "PUT" | "DELETE", _) => {
                let says = "You need to be logged in to do that.";
                Response::json(403, &json!({"errors": [says], "error_type": "not_logged_in"}))
            }
            _ => not_found(),
        }
    }

    fn sees(&self, topic: &Topic, is_user: bool) -> bool {
        let is_allowed = |allowed: &Vec<u64>| is_user && (self.is_admin || allowed.contains(&BOT_ID));
        !topic.is_deleted && topic.allowed.as_ref().is_none_or(is_allowed)
    }

    fn show_topic(&self, id: u64, query: &str, is_user: bool) -> Response {
        let Some(topic) = self.topics.get(&id).filter(|topic| self.sees(topic, is_user)) else { return not_found() };
        let rows: Vec<&Row> = topic.posts.iter().filter(|row| !row.is_gone).collect();
        let first: Vec<Value> =
            rows.iter().take(20).map(|row| self.shown(row, topic, query == "include_raw=true")).collect();
        let stream: Vec<u64> = rows.iter().map(|row| row.id).collect();
        // app/serializers/concerns/topic_view/post_stream_serializer_mixin: a topic of 10,000 posts has no stream.
        let post_stream = if topic.posts.len() >= self.mega {
            json!({"posts": first, "isMegaTopic": true, "lastId": stream.last()})
        } else {
            json!({"posts": first, "stream": stream})
        };
        ok(&json!({
            "post_stream": post_stream,
            "closed": topic.closed,
            "archived": false,
            "slow_mode_seconds": topic.slow_mode_seconds,
            "id": topic.id,
            "title": topic.title,
            "posts_count": rows.len(),
            "highest_post_number": topic.posts.len(),
            "archetype": if topic.allowed.is_some() { "private_message" } else { "regular" },
            "category_id": topic.category,
            "chunk_size": 20,
            "bookmarked": false,
        }))
    }

    fn show_posts(&self, id: u64, query: &str, is_user: bool) -> Response {
        let Some(topic) = self.topics.get(&id).filter(|topic| self.sees(topic, is_user)) else { return not_found() };
        let query = query.replace("%5B", "[").replace("%5D", "]");
        // lib/topic_view.rb, `filter_posts_by_post_number`: a window of those above or below a post, without it.
        if let Some(above) = query.split('&').find_map(|pair| pair.strip_prefix("post_number=")?.parse::<u64>().ok()) {
            assert!(query.contains("asc=false") && query.contains("include_raw=true"), "{query}");
            let rows: Vec<&Row> = topic.posts.iter().filter(|row| !row.is_gone && row.number < above).collect();
            let window = &rows[rows.len().saturating_sub(20)..];
            let posts: Vec<Value> = window.iter().map(|row| self.shown(row, topic, true)).collect();
            return ok(&json!({"post_stream": {"posts": posts}, "id": id}));
        }
        let ids: Vec<u64> =
            query.split('&').filter_map(|pair| pair.strip_prefix("post_ids[]=")?.parse().ok()).collect();
        if ids.is_empty() {
            let says = "param is missing or the value is empty: post_ids";
            return Response::json(400, &json!({"errors": [says], "error_type": "invalid_parameters"}));
        }
        let has_raw = query.split('&').any(|pair| pair == "include_raw=true");
        let rows = topic.posts.iter().filter(|row| ids.contains(&row.id) && (self.is_admin || !row.is_gone));
        let posts: Vec<Value> = rows.take(self.chunk).map(|row| self.shown(row, topic, has_raw)).collect();
        ok(&json!({"post_stream": {"posts": posts}, "id": id}))
    }

    /// app/controllers/list_controller.rb: the lists of a user, with whether there are more.
    fn list(&self, list: &str, name: &str, query: &str) -> Response {
        if name != BOT {
            return not_found();
        }
        let page = query.strip_prefix("page=").and_then(|page| page.parse().ok()).unwrap_or(0_usize);
        let is_in = |topic: &&Topic| match list {
            "created-by" => topic.allowed.is_none() && topic.user_id == BOT_ID,
            "private-messages-sent" => topic.allowed.is_some() && topic.user_id == BOT_ID,
            "private-messages" => {
                let is_ours = topic.allowed.as_ref().is_some_and(|allowed| allowed.contains(&BOT_ID));
                is_ours && topic.posts.iter().any(|row| row.user_id != BOT_ID)
            }
            _ => false,
        };
        let mut topics: Vec<&Topic> = self.topics.values().filter(|topic| !topic.is_deleted).filter(is_in).collect();
        topics.sort_by_key(|topic| std::cmp::Reverse(topic.bumped_at));
        let rest = topics.len().saturating_sub((page + 1) * self.per_page);
        let shown: Vec<Value> = topics
            .iter()
            .skip(page * self.per_page)
            .take(self.per_page)
            .map(|topic| {
                let rows: Vec<&Row> = topic.posts.iter().filter(|row| !row.is_gone).collect();
                json!({
                    "id": topic.id,
                    "title": topic.title,
                    "fancy_title": topic.title,
                    "slug": "a-topic",
                    "posts_count": rows.len(),
                    "highest_post_number": topic.posts.len(),
                    "created_at": topic.posts.first().map(|row| row.created_at),
                    "last_posted_at": rows.last().map(|row| row.created_at),
                    "bumped_at": topic.bumped_at,
                    "archetype": if topic.allowed.is_some() { "private_message" } else { "regular" },
                    "last_poster_username": rows.last().map(|row| self.users[&row.user_id].clone()),
                })
            })
            .collect();
        let mut topic_list = json!({"can_create_topic": true, "per_page": self.per_page, "topics": shown});
        if rest > 0 {
            topic_list["more_topics_url"] = json!(format!("/topics/{list}/{name}?page={}", page + 1));
        }
        ok(&json!({"users": [], "topic_list": topic_list}))
    }

    fn create(&mut self, request: &Value) -> Response {
        let fields = request.as_object().cloned().unwrap_or_default();
        let known = ["title", "raw", "topic_id", "category", "target_recipients", "archetype"];
        assert!(fields.keys().all(|name| known.contains(&name.as_str())), "no such field: {request}");
        let raw = request["raw"].as_str().unwrap_or_default().trim().to_owned();
        // lib/validators/post_validator.rb: `min_post_length`; in private `min_personal_message_post_length`, which is 10.
        if raw.chars().count() < 20 {
            return refused("Body is too short (minimum is 20 characters)");
        }
        // lib/validators/post_validator.rb, `stripped_length`: `max_post_length`, in private too.
        if raw.chars().count() > self.longest {
            return self.refuses("Body is too long", "Treść jest zbyt długa");
        }
        let recent = Utc::now() - chrono::Duration::minutes(5);
        let rows = self.topics.values().flat_map(|topic| &topic.posts);
        // The same, `unique_post_validator`: `unique_posts_mins`; not for staff.
        if rows.clone().any(|row| row.user_id == BOT_ID && row.raw == raw && row.created_at > recent) {
            return refused("Body is too similar to what you recently posted");
        }
        let title = request["title"].as_str().unwrap_or_default();
        let (topic, post) = if let Some(id) = request["topic_id"].as_u64() {
            let Some(topic) = self.topics.get(&id).filter(|topic| self.sees(topic, true)) else {
                return Response::json(
                    403,
                    &json!({"errors": ["You are not permitted to view the requested resource."], "error_type": "invalid_access"}),
                );
            };
            let mut ours = topic.posts.iter().rev().filter(|row| !row.is_gone).take_while(|row| row.user_id == BOT_ID);
            // lib/post_creator.rb and lib/guardian/topic_guardian.rb, `affected_by_slow_mode?`: everybody but staff.
            let pause = chrono::Duration::seconds(topic.slow_mode_seconds as i64);
            if !self.is_admin && ours.clone().next().is_some_and(|row| row.created_at + pause > Utc::now()) {
                return self.refuses("This topic is in slow mode.", "Ten temat jest w trybie powolnym.");
            }
            // lib/validators/post_validator.rb, `force_edit_last_validator`: `max_consecutive_replies`; not in private, not for
            // staff, and not for whoever began the topic.
            let is_exempt = self.is_admin || topic.user_id == BOT_ID || topic.allowed.is_some();
            if !is_exempt && ours.nth(self.consecutive.saturating_sub(1)).is_some() {
                return self.refuses(
                    "No more than 3 consecutive replies are allowed. Please edit your previous reply, or wait for someone to reply to you.",
                    "Nie można dodać więcej niż 3 odpowiedzi z rzędu.",
                );
            }
            if self.is_queued && topic.allowed.is_none() {
                return self.queue(request);
            }
            (id, self.write(BOT_ID, id, &raw))
        } else if request["archetype"] == "private_message" {
            let name = request["target_recipients"].as_str().unwrap_or_default().to_lowercase();
            // app/models/topic.rb, `limit_private_messages_per_day`: `max_personal_messages_per_day`; not for staff.
            if !self.is_admin {
                if self.messages_left == 0 {
                    return limited(86_400);
                }
                self.messages_left -= 1;
            }
            // app/controllers/posts_controller.rb, `create_params`: who is named like a group is the group.
            if self.groups.contains(&name) {
                let everybody = self.users.keys().copied().collect();
                let (topic, post) = self.begin(BOT_ID, title, &raw, None, Some(everybody));
                let topic = &self.topics[&topic];
                let row = topic.posts.iter().find(|row| row.id == post).expect("the post is there");
                return ok(&self.shown(row, topic, true));
            }
            let Some(to) = self.users.iter().find(|(_, user)| **user == name).map(|(id, _)| *id) else {
                return refused(&format!("Sorry, {name} could not be found"));
            };
            self.begin(BOT_ID, title, &raw, None, Some(vec![BOT_ID, to]))
        } else {
            // lib/validators/quality_title_validator.rb and app/models/topic.rb: `min_topic_title_length` (15), and
            // `allow_duplicate_topic_titles`, which is off at first.
            if title.chars().count() < 15 {
                return refused("Title is too short (minimum is 15 characters)");
            }
            if self.topics.values().any(|topic| topic.title == title && topic.allowed.is_none()) {
                return refused("Title has already been used");
            }
            // lib/guardian/category_guardian.rb, `can_create_topic_on_category?`: `create_topic_allowed_groups`, permissions of
            // the category.
            if request["category"].as_u64() != Some(CATEGORY) {
                return Response::json(
                    403,
                    &json!({"errors": ["You are not permitted to view the requested resource."], "error_type": "invalid_access"}),
                );
            }
            if self.is_queued {
                return self.queue(request);
            }
            self.begin(BOT_ID, title, &raw, Some(CATEGORY), None)
        };
        let topic = &self.topics[&topic];
        let row = topic.posts.iter().find(|row| row.id == post).expect("the post is there");
        ok(&self.shown(row, topic, true))
    }

    /// app/serializers/new_post_result_serializer.rb: what waits is no failure, and has no id.
    fn queue(&mut self, request: &Value) -> Response {
        self.queue.push(request.clone());
        let count = self.queue.len();
        ok(
            &json!({"action": "enqueued", "success": true, "pending_count": count, "pending_post": {"id": count, "raw": request["raw"]}}),
        )
    }

    /// Staff approves what waits: app/models/reviewable_queued_post.rb, `perform_approve_post`.
    fn approve(&mut self) {
        for request in std::mem::take(&mut self.queue) {
            let raw = request["raw"].as_str().unwrap_or_default().to_owned();
            match request["topic_id"].as_u64() {
                Some(topic) => drop(self.write(BOT_ID, topic, &raw)),
                None => {
                    let title = request["title"].as_str().unwrap_or_default().to_owned();
                    self.begin(BOT_ID, &title, &raw, Some(CATEGORY), None);
                }
            }
        }
    }

    fn shown(&self, row: &Row, topic: &Topic, has_raw: bool) -> Value {
        let escaped = row
            .raw
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace("&lt;small>", "<small>")
            .replace("&lt;/small>", "</small>");
        let paragraphs: Vec<String> =
            escaped.split("\n\n").map(|text| format!("<p>{}</p>", text.replace('\n', "<br>\n"))).collect();
        // app/serializers/basic_post_serializer.rb: what is flagged is covered for everybody but staff, and the text as it was typed
        // is left out (app/serializers/post_serializer.rb, `include_raw?`).
        let is_covered = row.hidden && !self.is_admin && row.user_id != BOT_ID;
        let cooked = if row.user_deleted {
            // app/models/post.rb, `user_deleted`, with `delete_removed_posts_after`: a sentence stands there for a day.
            "<p>(post deleted by author)</p>".to_owned()
        } else if is_covered {
            "<p>This post was flagged by the community and is temporarily hidden.</p>".to_owned()
        } else if self.translates {
            "<p>przesuń 9 z Krety na Therę</p>".to_owned()
        } else {
            paragraphs.join("\n")
        };
        let age = Utc::now() - row.created_at;
        let mut post = json!({
            "id": row.id,
            "name": "",
            "username": self.users.get(&row.user_id),
            "user_id": row.user_id,
            "created_at": row.created_at,
            "updated_at": row.updated_at,
            "cooked": row.cooked.clone().unwrap_or(cooked),
            "post_number": row.number,
            "post_type": row.kind,
            "reply_to_post_number": row.reply_to,
            "topic_id": topic.id,
            "topic_slug": "a-topic",
            "version": row.version,
            "hidden": row.hidden,
            "can_edit": row.user_id == BOT_ID && (self.is_admin || age <= chrono::Duration::minutes(self.edit_minutes)),
            "user_deleted": row.user_deleted,
            "deleted_at": if row.is_gone { json!(row.updated_at) } else { Value::Null },
            "yours": row.user_id == BOT_ID,
        });
        if has_raw && !is_covered {
            post["raw"] = json!(row.raw);
        }
        post
    }

    /// A refusal in the forum's own language.
    fn refuses(&self, english: &str, polish: &str) -> Response {
        refused(if self.speaks_polish { polish } else { english })
    }

    fn update(&mut self, id: u64, request: &Value) -> Response {
        let raw = request["post"]["raw"].as_str().unwrap_or_default().trim().to_owned();
        if raw.chars().count() < 20 {
            return refused("Body is too short (minimum is 20 characters)");
        }
        if raw.chars().count() > self.longest {
            return self.refuses("Body is too long", "Treść jest zbyt długa");
        }
        let slow = self.topics.values().find(|topic| topic.posts.iter().any(|row| row.id == id));
        let slow = slow.is_some_and(|topic| topic.slow_mode_seconds > 0);
        let (is_admin, edit_minutes, edits_left) = (self.is_admin, self.edit_minutes, self.edits_left);
        let late = self.refuses(
            "You can no longer edit this post as it was created too long ago.",
            "Nie możesz już edytować tego wpisu.",
        );
        let slowed = self.refuses(
            "This topic is in slow mode. Editing old posts in this topic isn't allowed during slow mode.",
            "Ten temat jest w trybie powolnym.",
        );
        let Some(row) = self.row(id).filter(|row| !row.is_gone) else { return not_found() };
        let age = Utc::now() - row.created_at;
        // app/controllers/posts_controller.rb, `update`: a status of 422 and not of 403.
        if row.user_id == BOT_ID && !is_admin && age > chrono::Duration::minutes(edit_minutes) {
            return late;
        }
        // lib/post_revisor.rb: `slow_mode_prevents_editing`, but for `editing_grace_period` of five minutes.
        if !is_admin && slow && age > chrono::Duration::minutes(5) {
            return slowed;
        }
        // The same, `EditRateLimiter`: `max_edits_per_day`; not for staff.
        if !is_admin && edits_left == 0 {
            return limited(3_600);
        }
        if row.user_id != BOT_ID {
            return Response::json(
                403,
                &json!({"errors": ["You are not permitted to view the requested resource."], "error_type": "invalid_access"}),
            );
        }
        // lib/post_revisor.rb, `should_create_new_version?`: an edit within `editing_grace_period` leaves the number of the version as it is.
        row.version += u64::from(Utc::now() - row.created_at > chrono::Duration::minutes(5));
        row.updated_at = Utc::now();
        row.raw = raw;
        self.edits_left = edits_left.saturating_sub(1);
        let topic = self.topics.values().find(|topic| topic.posts.iter().any(|row| row.id == id)).expect("its topic");
        let row = topic.posts.iter().find(|row| row.id == id).expect("the post is there");
        ok(&json!({"post": self.shown(row, topic, true)}))
    }

    fn upload(&mut self, request: &Request) -> Response {
        let kind = request.header("content-type");
        let boundary = kind.strip_prefix("multipart/form-data; boundary=").expect("a form");
        let text = String::from_utf8_lossy(&request.body);
        let parts: Vec<&str> = text.split(&format!("--{boundary}")).collect();
        assert!(parts.last().is_some_and(|last| last.trim_end() == "--"), "the form has an end");
        let has = |field: &str, value: &str| {
            parts.iter().any(|part| part.contains(&format!("name=\"{field}\"\r\n\r\n{value}\r\n")))
        };
        // app/controllers/uploads_controller.rb, `create`: `type` alone is for clients of old.
        assert!(has("upload_type", "composer") && !has("type", "composer") && has("synchronous", "true"), "{text}");
        let file = parts.iter().find(|part| part.contains("name=\"file\"; filename=\"")).expect("a file");
        assert!(file.contains("Content-Type: image/png\r\n\r\n") && file.contains("PNG"), "a picture");
        if !self.takes_pictures {
            return refused("Sorry, new users can not upload images.");
        }
        ok(&json!({
            "id": 9,
            "url": "/uploads/default/original/1X/abc.png",
            "original_filename": "map.png",
            "extension": "png",
            "short_url": "upload://k1mYjT2Lp.png",
            "short_path": "/uploads/short-url/k1mYjT2Lp.png",
        }))
    }
}

fn ok(body: &Value) -> Response {
    Response::json(200, body)
}

/// lib/rate_limiter: 429, with how long to wait.
fn limited(wait: u64) -> Response {
    let says = "You’ve performed this action too many times, please try again later.";
    let body = json!({"errors": [says], "error_type": "rate_limit", "extras": {"wait_seconds": wait}});
    Response::json(429, &body).with("Retry-After", &wait.to_string())
}

fn refused(says: &str) -> Response {
    Response::json(422, &json!({"action": "create_post", "errors": [says]}))
}

fn not_found() -> Response {
    let says = "The requested URL or resource could not be found.";
    Response::json(404, &json!({"errors": [says], "error_type": "not_found"}))
}
