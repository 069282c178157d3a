/* The site's tdmrep.json is asked for where its answer matters: before the first page
 * whose body would be kept, and then once a day. It waits in the same queue as the pages,
 * in front of them. While it is on its way nothing of the site is kept. The last answer
 * lies in the store under the name "tdmrep", as JSON. */
#include "crawl/host/conduct.h"

#include "base/json.h"
#include "crawl/sites/site.h"
#include "crawl/state.h"

#include <jansson.h>

#define ROW(type, member) type(struct fg_conduct_rules, member)

static const char *const heeds[] = {
    [FG_HEED_OBEY] = "obey",
    [FG_HEED_NOTE] = "note",
    [FG_HEED_IGNORE] = "ignore",
    NULL,
};

const char *const fg_signal_names[FG_SIGNALS + 1] = {
    [FG_SIGNAL_SEARCH] = "search",
    [FG_SIGNAL_AI_INPUT] = "ai-input",
    [FG_SIGNAL_AI_TRAIN] = "ai-train",
    NULL,
};

static const char *refuse_purpose(struct fg_str purpose)
{
    for (size_t i = 0; i < FG_SIGNALS; i++)
        if (fg_str_eq(purpose, fg_str_from(fg_signal_names[i])))
            return NULL;
    return "is not one of search, ai-input, ai-train";
}

const struct fg_opt fg_conduct_opts[] = {
    {"conduct.tdmrep", FG_ENUM(struct fg_conduct_rules, tdmrep, heeds), "obey",
     .is_live = true,
     .help = "pages that reserve text and data mining: obey keeps no copy of them"},
    {"conduct.content-signal", FG_ENUM(struct fg_conduct_rules, content_signal, heeds),
     "obey", .is_live = true,
     .help = "pages whose robots.txt refuses one of the purposes: obey keeps no copy"},
    {"conduct.purposes", ROW(FG_LIST, purposes), "search", .arg = "WORD,...",
     .refuse = refuse_purpose, .is_live = true,
     .help = "what the crawl is for, of search, ai-input and ai-train"},
    {0},
};

/* --- judging --- */

static bool is_our_purpose(const struct fg_conduct_rules *rules, const char *name)
{
    for (size_t i = 0; i < rules->purposes.len; i++)
        if (fg_str_eq(rules->purposes.at[i], fg_str_from(name)))
            return true;
    return false;
}

static void judge_signals(struct fg_conduct *conduct,
                          const struct fg_conduct_rules *rules,
                          const struct fg_robots *robots, struct fg_str path)
{
    static const char *const refusals[] = {
        [FG_SIGNAL_SEARCH] = "robots.txt says search=no",
        [FG_SIGNAL_AI_INPUT] = "robots.txt says ai-input=no",
        [FG_SIGNAL_AI_TRAIN] = "robots.txt says ai-train=no",
    };
    if (!robots || rules->content_signal == FG_HEED_IGNORE)
        return;
    for (size_t i = 0; i < FG_SIGNALS; i++) {
        conduct->signals[i] =
            fg_robots_signal_at(robots, fg_str_from(fg_signal_names[i]), path);
        if (conduct->signals[i] != FG_ROBOTS_NO ||
            !is_our_purpose(rules, fg_signal_names[i]))
            continue;
        conduct->is_reserved = true;
        if (rules->content_signal == FG_HEED_OBEY)
            conduct->refusal = refusals[i];
    }
}

static const char *tdm_refusal(const struct fg_tdm *tdm)
{
    static const char *const refusals[] = {
        [FG_TDM_NOWHERE] = "text and data mining was reserved when it was last read",
        [FG_TDM_FILE] = "tdmrep.json reserves text and data mining",
        [FG_TDM_HEADER] = "a header reserves text and data mining",
        [FG_TDM_META] = "the page reserves text and data mining",
    };
    return refusals[tdm->from];
}

void fg_conduct_judge(struct fg_conduct *conduct, const struct fg_conduct_rules *rules,
                      const struct fg_robots *robots, const struct fg_tdmrep *file,
                      struct fg_str path, struct fg_tdm own)
{
    *conduct = (struct fg_conduct){0};
    judge_signals(conduct, rules, robots, path);
    if (rules->tdmrep == FG_HEED_IGNORE)
        return;
    conduct->tdm = own.reservation ? own : fg_tdmrep_at(file, path);
    if (conduct->tdm.reservation != FG_TDM_RESERVED)
        return;
    conduct->is_reserved = true;
    if (rules->tdmrep == FG_HEED_OBEY)
        conduct->refusal = tdm_refusal(&conduct->tdm);
}

/* --- what the store has --- */

static const char state_name[] = "tdmrep";

static struct fg_str to_state(struct fg_arena *arena, unsigned status, struct fg_str text,
                              fg_time now)
{
    struct fg_buf buf;
    fg_buf_init(&buf, 8 * FG_TDMREP_MAX_BYTES);
    struct fg_json json = fg_json_to(&buf);
    fg_json_object(&json);
    fg_json_pair_int(&json, "asked", now);
    fg_json_pair_uint(&json, "status", status);
    fg_json_key(&json, "file");
    fg_json_str(&json, text);
    fg_json_end(&json);
    struct fg_str made = fg_arena_dup(arena, fg_buf_str(&buf));
    fg_buf_clear(&buf);
    return made;
}

static void from_state(struct fg_str state, const struct fg_tdmrep **file, fg_time *asked,
                       struct fg_arena *arena)
{
    const char *problem;
    json_t *root = json_loadb(state.at, state.len, 0, NULL);
    const json_t *text = json_object_get(root, "file"),
                 *time = json_object_get(root, "asked");
    if (json_is_integer(time))
        *asked = json_integer_value(time);
    if (json_is_string(text))
        *file = fg_tdmrep_parse(
            arena, (struct fg_str){json_string_value(text), json_string_length(text)},
            &problem);
    json_decref(root);
}

enum fg_status fg_conduct_file(const struct fg_tdmrep **file, fg_time *asked,
                               struct fg_arena *arena, struct fg_store *store,
                               fg_site_id site, struct fg_err *err)
{
    struct fg_str state;
    *file = NULL;
    *asked = FG_NEVER;
    enum fg_status st = fg_store_state(store, &state, arena, site, state_name, err);
    if (!st)
        from_state(state, file, asked, arena);
    return st == FG_ENOTFOUND ? FG_OK : st;
}

enum fg_status fg_conduct_recall(struct fg_conduct *conduct, struct fg_arena *arena,
                                 struct fg_store *store,
                                 const struct fg_conduct_rules *rules,
                                 struct fg_str token, const struct fg_site_row *site,
                                 const struct fg_page_row *page, struct fg_err *err)
{
    const struct fg_tdmrep *file;
    fg_time asked;
    struct fg_str path = fg_robots_path(page->url);
    const struct fg_robots *robots =
        site->robots.len ? fg_robots_parse(arena, site->robots, token) : NULL;
    enum fg_status st = fg_conduct_file(&file, &asked, arena, store, site->site, err);
    fg_conduct_judge(conduct, rules, robots, file, path, (struct fg_tdm){0});
    if (!(page->flags & FG_PAGE_RESERVED) || conduct->is_reserved ||
        rules->tdmrep == FG_HEED_IGNORE)
        return st;
    conduct->is_reserved = true;
    conduct->tdm.reservation = FG_TDM_RESERVED;
    if (rules->tdmrep == FG_HEED_OBEY)
        conduct->refusal = tdm_refusal(&conduct->tdm);
    return st;
}

/* --- in a crawl --- */

/* Errors are tried again sooner than what was answered. */
static const fg_time lifetime = FG_DAY, after_trouble = FG_HOUR;

static void take_file(struct site *site, struct fg_str text)
{
    const char *problem;
    fg_arena_reset(&site->tdm.arena);
    site->tdm.file = text.len ? fg_tdmrep_parse(&site->tdm.arena, text, &problem) : NULL;
}

static void on_file(void *context, const struct fg_answer *answer)
{
    struct site *site = context;
    struct fg_crawl *crawl = site->tdm.crawl;
    const struct fg_response *response = answer->response;
    fg_time now = fg_clock_now(crawl->clock);
    site->tdm.is_asked = false;
    if (answer->end == FG_ASK_STOPPED)
        return;
    bool is_fetched = answer->end == FG_ASK_ANSWERED && response->outcome == FG_FETCHED;
    bool is_clear =
        answer->end == FG_ASK_ROBOTS ||
        (is_fetched && response->status / 100 != 5 && response->status != 429);
    site->tdm.is_known = true;
    site->tdm.expires = now + (is_clear ? lifetime : after_trouble);
    if (!is_clear)
        return; /* what it said before stands */
    bool has_file = is_fetched && response->status == 200 && !response->truncated;
    struct fg_str text = has_file ? response->body : FG_STR("");
    take_file(site, text);
    struct fg_arena arena = {0};
    struct fg_batch *batch = fg_batch_new(crawl->store);
    fg_batch_state(batch, site->id, state_name,
                   to_state(&arena, is_fetched ? response->status : 0, text, now));
    fg_store_submit(crawl->store, batch);
    fg_arena_clear(&arena);
}

static void recall_file(struct fg_crawl *crawl, struct site *site)
{
    fg_time asked, now = fg_clock_now(crawl->clock);
    site->tdm.is_recalled = true;
    fg_conduct_file(&site->tdm.file, &asked, &site->tdm.arena, crawl->store, site->id,
                    NULL);
    site->tdm.is_known = asked != FG_NEVER;
    site->tdm.expires = asked == FG_NEVER || asked > now ? now : asked + lifetime;
}

static bool is_file_needed(const struct fg_crawl *crawl)
{
    return (crawl->options.keeping.bodies || crawl->options.archive.dir) &&
           crawl->options.conduct.tdmrep != FG_HEED_IGNORE;
}

void conduct_prepare(struct fg_crawl *crawl, struct site *site)
{
    if (!is_file_needed(crawl) || site->tdm.is_asked)
        return;
    if (!site->tdm.is_recalled)
        recall_file(crawl, site);
    if (site->tdm.is_known && site->tdm.expires > fg_clock_now(crawl->clock))
        return;
    struct fg_arena arena = {0};
    site->tdm.crawl = crawl;
    site->tdm.is_asked = true;
    fg_polite_ask(
        crawl->polite,
        &(struct fg_ask){.url = fg_arena_printf(&arena, "%s" FG_TDMREP_PATH, site->key),
                         .accept = "application/json,*/*;q=0.1",
                         .max_body = FG_TDMREP_MAX_BYTES,
                         .priority = 1e29f,
                         .purpose = FG_REQUEST_TDMREP,
                         .done = on_file,
                         .context = site});
    fg_arena_clear(&arena);
}

void conduct_of(struct fg_conduct *conduct, struct fg_crawl *crawl,
                const struct site *site, struct fg_str url, struct fg_tdm own)
{
    const struct fg_conduct_rules *rules = &crawl->options.conduct;
    fg_conduct_judge(conduct, rules,
                     fg_polite_rules(crawl->polite, fg_str_from(site->key)),
                     site->tdm.file, fg_robots_path(url), own);
    bool is_open = is_file_needed(crawl) && !site->tdm.is_known && !own.reservation;
    if (is_open && rules->tdmrep == FG_HEED_OBEY && !conduct->refusal)
        conduct->refusal = "its tdmrep.json is not known yet";
}
