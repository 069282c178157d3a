/* change.c - what changes a crawl over HTTP: all of it through the store's command table
 *
 * A crawl that runs takes a command up within seconds; without one it waits for the next.
 * So an answer says that it was handed over, not that it was done. A request that comes
 * with an Idempotency-Key is carried out once: who sends it again, not knowing whether
 * the first one arrived, gets the answer of the first. */
#include "base/json.h"
#include "base/memory.h"
#include "crawl/intake/enlist.h"
#include "crawl/intake/seeds.h"
#include "crawl/judging/labels.h"
#include "net/url/canonical.h"
#include "server/ask.h"
#include "server/audit.h"
#include "server/inside.h"
#include "view/target.h"

#include <string.h>

/* --- once is enough --- */

enum { REMEMBERED = 256, MOST_REMEMBERED_BYTES = 64 << 10 };

struct remembered {
    uint64_t key, request; /* key 0: none */
    unsigned status;
    char *text;
    size_t len;
};

struct fg_memory {
    pthread_mutex_t lock; /* changes come one after the other */
    struct remembered at[REMEMBERED];
    size_t next;
};

struct fg_memory *fg_memory_new(void)
{
    struct fg_memory *memory = fg_zeroed(1, sizeof *memory);
    pthread_mutex_init(&memory->lock, NULL);
    return memory;
}

void fg_memory_free(struct fg_memory *memory)
{
    if (!memory)
        return;
    for (size_t i = 0; i < REMEMBERED; i++)
        free(memory->at[i].text);
    pthread_mutex_destroy(&memory->lock);
    free(memory);
}

static struct remembered *recall(struct fg_memory *memory, uint64_t key)
{
    for (size_t i = 0; i < REMEMBERED; i++)
        if (memory->at[i].key == key)
            return &memory->at[i];
    return NULL;
}

static void remember(struct fg_memory *memory, uint64_t key, uint64_t request,
                     const struct fg_reply *reply)
{
    if (reply->body.len > MOST_REMEMBERED_BYTES || reply->status / 100 != 2)
        return;
    struct remembered *place = &memory->at[memory->next++ % REMEMBERED];
    free(place->text);
    *place =
        (struct remembered){key, request, reply->status,
                            fg_resized(NULL, reply->body.len + 1, 1), reply->body.len};
    memcpy(place->text, reply->body.at, reply->body.len);
}

enum fg_status fg_memory_answer(struct fg_reply *reply, struct fg_http_request *request,
                                fg_answer_fn *answer, struct fg_err *err)
{
    struct fg_memory *memory = request->server->memory;
    uint64_t key = request->key.len ? fg_str_hash(request->key) | 1 : 0;
    uint64_t what = fg_str_hash(request->body) * 31 + fg_str_hash(request->path);
    enum fg_status st = FG_OK;
    if (request->key.len > 255)
        return fg_fail(err, FG_EINPUT, "the Idempotency-Key is longer than 255 bytes");
    pthread_mutex_lock(&memory->lock);
    const struct remembered *before = key ? recall(memory, key) : NULL;
    if (before && before->request != what) {
        st = fg_fail(err, FG_ELIMIT,
                     "this Idempotency-Key came with another request before");
    } else if (before) {
        reply->status = before->status;
        fg_buf_add(&reply->body, (struct fg_str){before->text, before->len});
    } else {
        st = answer(reply, request, err);
        if (!st && key)
            remember(memory, key, what, reply);
    }
    pthread_mutex_unlock(&memory->lock);
    return st;
}

/* --- telling --- */

static void begin(struct fg_json *json, struct fg_reply *reply,
                  const struct fg_look *look, bool is_changed)
{
    *json = fg_json_to(&reply->body);
    fg_json_object(json);
    fg_json_pair_bool(json, "changed", is_changed);
    fg_json_pair_bool(json, "handed_over", is_changed);
    fg_json_pair_bool(json, "running", look->writer >= 0);
}

static void finish(struct fg_json *json, struct fg_reply *reply, uint64_t audit)
{
    if (audit)
        fg_json_pair_uint(json, "audit", audit);
    fg_json_end(json);
    fg_buf_add_char(&reply->body, '\n');
}

static const char *place_of(const struct fg_http_request *request)
{
    return fg_server_store(&request->server->place);
}

/* {"name":"value",...}, for the audit. */
static struct fg_str object(struct fg_arena *arena, const char *name, struct fg_str value,
                            const char *other, struct fg_str other_value)
{
    struct fg_buf text;
    fg_buf_init(&text, FG_BODY_MOST);
    struct fg_json json = fg_json_to(&text);
    fg_json_object(&json);
    fg_json_pair(&json, name, value);
    if (other)
        fg_json_pair(&json, other, other_value);
    fg_json_end(&json);
    struct fg_str made = fg_arena_dup(arena, fg_buf_str(&text));
    fg_buf_clear(&text);
    return made;
}

/* --- adding --- */

static const char *const types[] = {"site", "source", "feed", "page", "document", NULL};

const struct fg_opt fg_add_opts[] = {
    {"url", FG_STRING(struct fg_add_question, url), .arg = "URL", .max = 8192,
     .help = "the address; without a scheme it is https"},
    {"type", FG_ENUM(struct fg_add_question, type, types), "site",
     .help =
         "a site to explore, a source to look at for links, a feed to follow alone, a "
         "page to fetch once, a document to keep fresh"},
    {"tags", FG_LIST(struct fg_add_question, tags), .arg = "WORD,...",
     .help = "tags for its site"},
    {"scope", FG_ENUM(struct fg_add_question, scope, fg_site_change_scopes), "as-is",
     .help = "which pages of its site are explored"},
    {"budget", FG_DOUBLE(struct fg_add_question, budget), .min = 0, .max = 1e9,
     .help = "page requests an hour to its site"},
    {"weight", FG_DOUBLE(struct fg_add_question, weight), .min = 0, .max = 1e9,
     .help = "importance of a document"},
    {"at-least", FG_SPAN(struct fg_add_question, at_least), .max = 366 * (double)FG_DAY,
     .help = "longest time between two visits"},
    {"value", FG_STRING(struct fg_add_question, value), .arg = "RULE",
     .check = fg_site_change_check_value, .help = "what of the document counts"},
    {0},
};

static enum fg_status tags_of(struct fg_str *tags, struct fg_arena *arena,
                              const struct fg_opt_list *list, struct fg_err *err)
{
    *tags = FG_STR("");
    for (size_t i = 0; i < list->len; i++) {
        if (fg_str_chr(list->at[i], '\t') != FG_NOT_FOUND ||
            fg_str_chr(list->at[i], '\n') != FG_NOT_FOUND)
            return fg_fail(err, FG_EINPUT, "a tag must not contain tabs or newlines");
        *tags = fg_arena_printf(arena, "%.*s%s%.*s", FG_ARG(*tags), i ? "," : "",
                                FG_ARG(list->at[i]));
    }
    return FG_OK;
}

static enum fg_status line_of(struct fg_seed_line *line, struct fg_http_request *request,
                              struct fg_err *err)
{
    struct fg_add_question q;
    const struct fg_crawl_options *options = request->server->place.crawl;
    enum fg_status st = fg_request_read(&q, request, err);
    if (!st && !q.url.len)
        st = fg_fail(err, FG_EINPUT, "'url' is missing");
    if (st)
        return st;
    *line =
        (struct fg_seed_line){.url = fg_seed_address(request->arena, fg_str_trim(q.url)),
                              .seed = {.weight = (float)q.weight,
                                       .budget = q.budget,
                                       .scope = (enum fg_scope)q.scope,
                                       .at_least = q.at_least,
                                       .value = q.value}};
    fg_seed_set_type(&line->seed, fg_str_from(types[q.type]));
    st = tags_of(&line->seed.tags, request->arena, &q.tags, err);
    if (!st)
        st = fg_seed_check_promise(&line->seed, err);
    if (!st)
        st = fg_seed_check_url(line->url, err);
    return st ? st : fg_seed_check(options, line->url, err);
}

static bool is_one_line(struct fg_str text)
{
    return fg_str_chr(text, '\n') == FG_NOT_FOUND &&
           fg_str_chr(text, '\t') == FG_NOT_FOUND;
}

/* The removal of what is added, for the inbox: it stands behind it there. */
static struct fg_str taking_back(struct fg_arena *arena, const struct fg_look *look,
                                 struct fg_str address, bool is_site)
{
    struct fg_url url;
    struct fg_buf text;
    if (!fg_url_parse(&url, arena, address, NULL))
        return FG_STR("");
    struct fg_str page = fg_canonical_from(arena, &url, look->keep);
    struct fg_control wish = {FG_CONTROL_REMOVE, fg_canonical_site(page),
                              is_site ? FG_STR("") : page};
    fg_buf_init(&text, FG_BODY_MOST);
    fg_control_format(&text, &wish, 1);
    struct fg_str made = object(arena, "text", fg_buf_str(&text), NULL, page);
    fg_buf_clear(&text);
    return made;
}

enum fg_status fg_answer_add(struct fg_reply *reply, struct fg_http_request *request,
                             struct fg_err *err)
{
    struct fg_seed_line line = {0};
    struct fg_enlisted made = {0};
    struct fg_look look;
    struct fg_json json;
    struct fg_buf text;
    enum fg_status st = line_of(&line, request, err);
    if (!st && (!is_one_line(line.url) || !is_one_line(line.seed.value)))
        st = fg_fail(err, FG_EINPUT, "an address or a rule has no tabs and newlines");
    if (!st)
        st = fg_ask_open(&look, request, err);
    if (st)
        return st;
    fg_buf_init(&text, FG_BODY_MOST);
    fg_seed_format(&text, line.url, &line.seed);
    st = fg_enlist_count(&made, look.store, look.keep, &line, 1, err);
    if (!st)
        st = fg_inbox_put(place_of(request), FG_INBOX_SEEDS, fg_buf_str(&text), err);
    fg_buf_clear(&text);
    if (!st) {
        struct fg_str undo =
            made.new_pages ? taking_back(request->arena, &look, line.url, made.new_sites)
                           : FG_STR("");
        uint64_t number =
            fg_audit_add(request, undo.len ? FG_AUDIT_TAKE_BACK : NULL, undo);
        begin(&json, reply, &look, true);
        fg_json_pair(&json, "url", line.url);
        fg_json_pair_uint(&json, "new_pages", made.new_pages);
        fg_json_pair_uint(&json, "new_sites", made.new_sites);
        finish(&json, reply, number);
    }
    fg_look_close(&look);
    return st;
}

/* --- pausing, resuming, removing --- */

const struct fg_opt fg_control_opts[] = {
    {"target", FG_STRING(struct fg_control_question, target), .arg = "SITE|URL",
     .max = 8192, .help = "a host name or an address"},
    {"site", FG_BOOL(struct fg_control_question, site),
     .help = "the site of this address"},
    {"page", FG_BOOL(struct fg_control_question, page),
     .help = "this page alone, also where its address stands for its site"},
    {0},
};

static enum fg_status control(struct fg_reply *reply, struct fg_http_request *request,
                              enum fg_control_kind kind, struct fg_err *err)
{
    static const char *const undoing[] = {"sites", "resume", "pause"};
    struct fg_control_question q;
    struct fg_targets targets = {.kind = kind};
    struct fg_look look;
    struct fg_json json;
    enum fg_status st = fg_request_read(&q, request, err);
    if (!st && (!q.target.len || (q.site && q.page)))
        st = fg_fail(err, FG_EINPUT,
                     q.target.len ? "'site' and 'page' cannot be combined"
                                  : "'target' is missing: a site or an address");
    if (st)
        return st;
    targets.takes_site = q.site;
    targets.takes_page = q.page;
    fg_targets_wait(&targets, request->arena, place_of(request));
    st = fg_ask_open(&look, request, err);
    if (st)
        return st;
    targets.look = &look;
    st = fg_targets_find(&targets, fg_str_trim(q.target), err);
    bool changes = !st && targets.found.at[0].changes;
    if (changes)
        st = fg_targets_hand_over(&targets, err);
    if (!st) {
        const struct fg_target *target = &targets.found.at[0];
        struct fg_str name = target->page.page ? target->page.url : target->site.key;
        uint64_t number = 0;
        if (changes)
            number = fg_audit_add(request, undoing[kind],
                                  object(request->arena,
                                         kind == FG_CONTROL_REMOVE ? "url" : "target",
                                         name, NULL, name));
        begin(&json, reply, &look, changes);
        fg_json_pair(&json, "site", target->site.key);
        fg_json_pair(&json, "page", target->page.url);
        finish(&json, reply, number);
    }
    fg_look_close(&look);
    return st;
}

enum fg_status fg_answer_pause(struct fg_reply *reply, struct fg_http_request *request,
                               struct fg_err *err)
{
    return control(reply, request, FG_CONTROL_PAUSE, err);
}

enum fg_status fg_answer_resume(struct fg_reply *reply, struct fg_http_request *request,
                                struct fg_err *err)
{
    return control(reply, request, FG_CONTROL_RESUME, err);
}

enum fg_status fg_answer_remove(struct fg_reply *reply, struct fg_http_request *request,
                                struct fg_err *err)
{
    return control(reply, request, FG_CONTROL_REMOVE, err);
}

/* --- labels --- */

static const char *const labels[] = {[FG_LABEL_IRRELEVANT] = "irrelevant",
                                     [FG_LABEL_RELEVANT] = "relevant",
                                     [FG_LABEL_REMOVED] = "none",
                                     NULL};

const struct fg_opt fg_label_opts[] = {
    {"url", FG_STRING(struct fg_label_question, url), .arg = "URL", .max = 8192,
     .help = "the page"},
    {"label", FG_ENUM(struct fg_label_question, label, labels), "relevant",
     .help = "what it is; none takes the label back"},
    {0},
};

static enum fg_label_kind label_before(struct fg_store *store, struct fg_arena *arena,
                                       struct fg_str url)
{
    struct fg_labels all;
    enum fg_label_kind before = FG_LABEL_REMOVED;
    if (!fg_labels_read(&all, arena, store, NULL))
        for (size_t i = 0; i < all.len; i++)
            if (fg_str_eq(all.at[i].looks.url, url))
                before = all.at[i].is_relevant ? FG_LABEL_RELEVANT : FG_LABEL_IRRELEVANT;
    return before;
}

enum fg_status fg_answer_label(struct fg_reply *reply, struct fg_http_request *request,
                               struct fg_err *err)
{
    struct fg_label_question q;
    struct fg_look look;
    struct fg_url url;
    struct fg_json json;
    struct fg_buf text;
    enum fg_status st = fg_request_read(&q, request, err);
    if (!st)
        st = fg_ask_open(&look, request, err);
    if (st)
        return st;
    st = fg_look_address(&look, q.url, &url, err);
    struct fg_label_wish wish = {.kind = (enum fg_label_kind)q.label};
    if (!st) {
        wish.looks.url = fg_canonical_from(request->arena, &url, look.keep);
        st = fg_seed_check(request->server->place.crawl, wish.looks.url, err);
    }
    enum fg_label_kind before = FG_LABEL_REMOVED;
    if (!st)
        before = label_before(look.store, request->arena, wish.looks.url);
    if (!st && wish.kind == FG_LABEL_REMOVED && before == FG_LABEL_REMOVED)
        st = fg_fail(err, FG_ENOTFOUND, "this page has no label");
    fg_buf_init(&text, FG_BODY_MOST);
    fg_label_format(&text, &wish);
    if (!st && before != wish.kind)
        st = fg_inbox_put(place_of(request), FG_INBOX_LABEL, fg_buf_str(&text), err);
    fg_buf_clear(&text);
    if (!st) {
        uint64_t number = 0;
        if (before != wish.kind)
            number = fg_audit_add(request, "label",
                                  object(request->arena, "url", wish.looks.url, "label",
                                         fg_str_from(labels[before])));
        begin(&json, reply, &look, before != wish.kind);
        fg_json_pair(&json, "url", wish.looks.url);
        fg_json_pair_cstr(&json, "label", labels[wish.kind]);
        finish(&json, reply, number);
    }
    fg_look_close(&look);
    return st;
}

/* --- the rules of a site --- */

const struct fg_opt fg_set_site_opts[] = {
    {"site", FG_STRING(struct fg_set_site_question, site), .arg = "SITE", .max = 8192,
     .help = "its host name or any address of it"},
    FG_SITE_CHANGE_OPTIONS(struct fg_set_site_question, change),
    {0},
};

enum fg_status fg_answer_set_site(struct fg_reply *reply, struct fg_http_request *request,
                                  struct fg_err *err)
{
    struct fg_set_site_question q;
    struct fg_changed_site changed = {0};
    struct fg_look look;
    struct fg_json json;
    enum fg_status st = fg_request_read(&q, request, err);
    if (!st && !q.site.len)
        st = fg_fail(err, FG_EINPUT, "'site' is missing");
    if (!st)
        st = fg_ask_open(&look, request, err);
    if (st)
        return st;
    st = fg_site_change_apply(&changed, &look, q.site, &q.change, err);
    uint64_t number = 0;
    if (!st && changed.is_changed) {
        struct fg_changed_site before = {.site = *fg_look_site(&look, changed.site.site)};
        st = fg_inbox_put(place_of(request), FG_INBOX_SITE,
                          fg_changed_site_text(request->arena, &changed), err);
        if (!st)
            number = fg_audit_add(request, FG_AUDIT_RESTORE,
                                  object(request->arena, "text",
                                         fg_changed_site_text(request->arena, &before),
                                         NULL, changed.site.key));
    }
    if (!st) {
        begin(&json, reply, &look, changed.is_changed);
        fg_json_pair(&json, "site", changed.site.key);
        fg_json_pair(&json, "tags", changed.site.tags);
        fg_json_pair(&json, "settings", changed.site.settings);
        finish(&json, reply, number);
    }
    fg_look_close(&look);
    return st;
}

/* --- webhooks --- */

struct retry_question {
    struct fg_str hook;
};
const struct fg_opt fg_retry_opts[] = {
    {"hook", FG_STRING(struct retry_question, hook), .arg = "NAME", .max = 200,
     .help = "the webhook; all of them if none is named"},
    {0},
};

enum fg_status fg_answer_retry(struct fg_reply *reply, struct fg_http_request *request,
                               struct fg_err *err)
{
    struct retry_question q;
    struct fg_look look;
    struct fg_json json;
    enum fg_status st = fg_request_read(&q, request, err);
    if (!st)
        st = fg_ask_open(&look, request, err);
    if (st)
        return st;
    st = fg_inbox_put(place_of(request), FG_INBOX_RETRY, q.hook, err);
    if (!st) {
        begin(&json, reply, &look, true);
        finish(&json, reply, fg_audit_add(request, NULL, FG_STR("")));
    }
    fg_look_close(&look);
    return st;
}
