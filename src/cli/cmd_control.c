/* cmd_control.c - forage remove, pause and resume: what the user takes back
 *
 * All names are found before anything is changed, so that a slip changes nothing. If a
 * crawl is running, it alone may write to the store: then the wishes are left in the
 * inbox of the workspace, where it finds them within seconds. What lies there already
 * counts as done. */
#include "cli/crawling.h"
#include "cli/showing.h"
#include "crawl/control.h"
#include "net/canonical.h"
#include "net/url.h"

struct options {
    bool site, page, json;
};

static const struct fg_opt options[] = {
    {"site", FG_BOOL(struct options, site), .letter = 's',
     .help = "the sites of these addresses"},
    {"page", FG_BOOL(struct options, page), .letter = 'p',
     .help = "these pages alone, also where an address stands for its site"},
    {"json", FG_BOOL(struct options, json), .letter = 'j', .help = "as JSON"},
    {0},
};

/* What a name stands for. */
struct target {
    struct fg_site_row site;
    struct fg_page_row page; /* page.page 0: the site as a whole */
    bool changes;
};

struct job {
    struct fg_cli *cli;
    struct fg_look look;
    const struct options *o;
    enum fg_control_kind kind;
    struct fg_control_waiting waiting; /* in the inbox, and what this call adds to it */
    bool has_waiting;                  /* there was something before this call */
    FG_VEC(struct target) targets;
};

/* --- near names --- */

enum { MOST_NEAR = 3 };

struct near {
    struct fg_str name;
    bool takes_parts; /* "news" is near to "news.example" */
    struct fg_arena *arena;
    struct fg_str best[MOST_NEAR];
    size_t distance[MOST_NEAR], n;
};

static void consider(struct near *near, struct fg_str name)
{
    bool is_part = near->takes_parts && near->name.len >= 3 &&
                   (fg_str_find(name, near->name) != FG_NOT_FOUND ||
                    fg_str_find(near->name, name) != FG_NOT_FOUND);
    size_t distance = is_part ? 1 : fg_str_distance(near->name, name);
    if (distance >= near->name.len / 3 + 2)
        return;
    size_t at = near->n < MOST_NEAR ? near->n++ : MOST_NEAR - 1;
    if (at == MOST_NEAR - 1 && near->best[at].at && near->distance[at] <= distance)
        return;
    for (; at && near->distance[at - 1] > distance; at--) {
        near->best[at] = near->best[at - 1];
        near->distance[at] = near->distance[at - 1];
    }
    near->best[at] = fg_arena_dup(near->arena, name);
    near->distance[at] = distance;
}

static struct fg_str words_for(const struct near *near)
{
    if (!near->n)
        return FG_STR("; 'forage status' lists the sites");
    struct fg_str words = FG_STR("; did you mean ");
    for (size_t i = 0; i < near->n; i++)
        words = fg_arena_printf(near->arena, "%.*s%s%.*s", FG_ARG(words), i ? " or " : "",
                                FG_ARG(near->best[i]));
    words = fg_arena_printf(near->arena, "%.*s?", FG_ARG(words));
    return words;
}

static struct fg_str host_of(struct fg_str name)
{
    size_t slashes = fg_str_find(name, FG_STR("://"));
    if (slashes != FG_NOT_FOUND)
        name = fg_str_skip(name, slashes + 3);
    size_t end = fg_str_chr(name, '/');
    return end == FG_NOT_FOUND ? name : fg_str_sub(name, 0, end);
}

static bool is_ours(const struct fg_site_row *row)
{
    return row && strcmp(fg_site_state_name(row->state), "host") != 0;
}

static enum fg_status no_such_site(const struct job *job, struct fg_str name,
                                   struct fg_err *err)
{
    struct near near = {
        .name = host_of(name), .takes_parts = true, .arena = job->cli->arena};
    for (size_t i = 0; i < job->look.n_sites; i++)
        if (is_ours(&job->look.sites[i]) && !fg_site_is_removed(&job->look.sites[i]) &&
            job->look.sites[i].key.len)
            consider(&near, host_of(job->look.sites[i].key));
    return fg_fail(err, FG_ENOTFOUND, "no site '%.*s' is watched in '%s'%.*s",
                   FG_ARG(fg_str_sub(name, 0, 200)), job->cli->settings.workspace.at,
                   FG_ARG(words_for(&near)));
}

static bool consider_page(void *context, const struct fg_page_row *page)
{
    if (page->flags & (FG_PAGE_SEED | FG_PAGE_SOURCE | FG_PAGE_DOCUMENT))
        consider(context, page->url);
    return true;
}

static enum fg_status no_such_page(const struct job *job, const struct fg_site_row *site,
                                   struct fg_str url, struct fg_err *err)
{
    struct near near = {.name = url, .arena = job->cli->arena};
    fg_store_pages(job->look.store, site->site, consider_page, &near, NULL);
    return fg_fail(err, FG_ENOTFOUND, "no page '%.*s' is known on %.*s%.*s",
                   FG_ARG(fg_str_sub(url, 0, 200)), FG_ARG(site->key),
                   FG_ARG(near.n ? words_for(&near) : FG_STR("")));
}

/* --- finding --- */

/* Does it name more than a host? */
static bool has_path(struct fg_str name)
{
    size_t slashes = fg_str_find(name, FG_STR("://"));
    size_t host = slashes == FG_NOT_FOUND ? 0 : slashes + 3;
    for (size_t i = host; i < name.len; i++)
        if (name.at[i] == '/' || name.at[i] == '?')
            return i + 1 < name.len;
    return false;
}

/* As it was written, or with the scheme that it needs. */
static const struct fg_site_row *find_site(const struct job *job, struct fg_str name)
{
    fg_site_id id = 0;
    struct fg_arena *arena = job->cli->arena;
    struct fg_str tries[] = {
        name,
        host_of(name),
        fg_seed_address(arena, name),
        fg_arena_printf(arena, "http://%.*s", FG_ARG(name)),
    };
    bool has_scheme = fg_str_find(name, FG_STR("://")) != FG_NOT_FOUND;
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i += has_scheme ? 4 : 1)
        if (!fg_look_find_site(&job->look, tries[i], &id, NULL) &&
            is_ours(fg_look_site(&job->look, id)))
            return fg_look_site(&job->look, id);
    return NULL;
}

/* The address of a page of this site, canonical. */
static bool address_on(const struct job *job, const struct fg_site_row *site,
                       struct fg_str name, struct fg_str *url)
{
    struct fg_url base, parsed;
    struct fg_arena *arena = job->cli->arena;
    struct fg_str text = name;
    if (fg_str_find(name, FG_STR("://")) == FG_NOT_FOUND)
        text = fg_str_skip(name, host_of(name).len);
    if (!fg_url_parse(&base, arena, site->key, NULL) ||
        !fg_url_parse(&parsed, arena, text.len ? text : FG_STR("/"), &base))
        return false;
    *url = fg_canonical_from(arena, &parsed, job->look.keep);
    return fg_str_eq(fg_canonical_site(*url), site->key);
}

struct seeds {
    fg_page_id page;
    size_t others;
};

static bool count_seed(void *context, const struct fg_page_row *page)
{
    struct seeds *seeds = context;
    uint32_t gone = FG_PAGE_ALIAS | FG_PAGE_REMOVED;
    seeds->others +=
        page->page != seeds->page && page->flags & FG_PAGE_SEED && !(page->flags & gone);
    return true;
}

/* What was added by one address is taken back by it: if nothing else was added of its
 * site, it stands for the site. */
static bool stands_for_site(const struct job *job, const struct fg_page_row *page)
{
    struct seeds seeds = {.page = page->page};
    return page->flags & FG_PAGE_SEED && !job->o->page &&
           !fg_store_pages(job->look.store, page->site, count_seed, &seeds, NULL) &&
           !seeds.others;
}

static enum fg_status find_page(struct job *job, struct target *target,
                                struct fg_str name, struct fg_err *err)
{
    struct fg_str url;
    struct fg_page_row page;
    if (!address_on(job, &target->site, name, &url))
        return fg_fail(err, FG_ECONFIG, "'%.*s' is not an address",
                       FG_ARG(fg_str_sub(name, 0, 200)));
    enum fg_status st = fg_store_page_by_fingerprint(job->look.store, &page,
                                                     job->cli->arena, target->site.site,
                                                     fg_canonical_fingerprint(url), err);
    if (st)
        return st == FG_ENOTFOUND ? no_such_page(job, &target->site, url, err) : st;
    if (!stands_for_site(job, &page))
        target->page = page;
    return FG_OK;
}

/* How a target stands, or will when the crawl has taken what waits for it. */
struct standing {
    bool is_paused, is_removed;
};

static struct standing standing_of(const struct job *job, struct fg_str key,
                                   struct fg_str url, struct standing stored)
{
    for (size_t i = 0; i < job->waiting.wishes.len; i++) {
        const struct fg_control *wish = &job->waiting.wishes.at[i];
        if (!fg_str_eq(wish->key, key) || !fg_str_eq(wish->url, url))
            continue;
        stored.is_paused = wish->kind == FG_CONTROL_PAUSE;
        stored.is_removed |=
            wish->kind == FG_CONTROL_REMOVE || wish->kind == FG_CONTROL_FORGET;
    }
    return stored;
}

static struct standing site_standing(const struct job *job, const struct target *target)
{
    const struct fg_site_row *site = &target->site;
    return standing_of(
        job, site->key, (struct fg_str){0},
        (struct standing){fg_site_is_paused(site), fg_site_is_removed(site)});
}

static struct standing target_standing(const struct job *job, const struct target *target)
{
    uint32_t flags = target->page.flags;
    return !target->page.page ? site_standing(job, target)
                              : standing_of(job, target->site.key, target->page.url,
                                            (struct standing){flags & FG_PAGE_PAUSED,
                                                              flags & FG_PAGE_REMOVED});
}

static bool would_change(const struct job *job, struct standing now)
{
    return job->kind == FG_CONTROL_REMOVE  ? !now.is_removed || job->waiting.has_seeds
           : job->kind == FG_CONTROL_PAUSE ? !now.is_paused
                                           : now.is_paused;
}

static enum fg_status find(struct job *job, struct fg_str name, struct fg_err *err)
{
    struct target target = {0};
    const struct fg_site_row *site = find_site(job, name);
    if (!site)
        return no_such_site(job, name, err);
    target.site = *site;
    bool is_page = job->o->page || (has_path(name) && !job->o->site);
    enum fg_status st = is_page ? find_page(job, &target, name, err) : FG_OK;
    if (st)
        return st;
    struct standing now = target_standing(job, &target);
    bool is_gone = now.is_removed || site_standing(job, &target).is_removed;
    if (is_gone && job->kind != FG_CONTROL_REMOVE)
        return fg_fail(err, FG_ENOTFOUND,
                       "'%.*s' was removed; 'forage add' watches it again",
                       FG_ARG(fg_str_sub(name, 0, 200)));
    target.changes = would_change(job, now);
    fg_vec_push_in(job->cli->arena, &job->targets, target);
    struct fg_control wish = {job->kind, target.site.key, target.page.url};
    if (target.changes)
        fg_vec_push_in(job->cli->arena, &job->waiting.wishes, wish);
    return FG_OK;
}

/* --- doing --- */

static size_t wishes_of(const struct job *job, struct fg_control *wishes)
{
    size_t n = 0;
    for (size_t i = 0; i < job->targets.len; i++) {
        const struct target *target = &job->targets.at[i];
        if (target->changes)
            wishes[n++] =
                (struct fg_control){job->kind, target->site.key, target->page.url};
    }
    return n;
}

static enum fg_status hand_over(struct job *job, const struct fg_control *wishes,
                                size_t n, struct fg_err *err)
{
    struct fg_buf text;
    fg_buf_init(&text, 16 << 20);
    fg_control_format(&text, wishes, n);
    enum fg_status st =
        text.full ? fg_fail(err, FG_ELIMIT, "more than a running crawl can be given")
                  : fg_inbox_put(fg_cli_inbox(job->cli), FG_INBOX_CONTROL,
                                 fg_buf_str(&text), err);
    fg_buf_clear(&text);
    return st;
}

static enum fg_status put(struct job *job, struct fg_err *err)
{
    struct fg_store *store;
    struct fg_control *wishes =
        FG_NEW(job->cli->arena, struct fg_control, job->targets.len + 1);
    size_t n = wishes_of(job, wishes);
    if (!n)
        return FG_OK;
    if (job->look.writer >= 0 || job->has_waiting) /* what came first is taken first */
        return hand_over(job, wishes, n, err);
    enum fg_status st = fg_cli_store(job->cli, false, &store, err);
    if (st)
        return st;
    st = fg_control_put(store, wishes, n, job->look.now, err);
    enum fg_status closed = fg_store_close(store, st ? NULL : err);
    return st ? st : closed;
}

/* --- telling --- */

static void tell_json(struct job *job)
{
    struct fg_json json = fg_json_to(&job->cli->out.buf);
    fg_json_object(&json);
    fg_json_key(&json, "targets");
    fg_json_array(&json);
    size_t changed = 0;
    for (size_t i = 0; i < job->targets.len; i++) {
        const struct target *target = &job->targets.at[i];
        fg_json_object(&json);
        fg_json_pair(&json, "site", target->site.key);
        fg_json_pair(&json, "page", target->page.url);
        fg_json_pair_bool(&json, "changed", target->changes);
        fg_json_end(&json);
        changed += target->changes;
    }
    fg_json_end(&json);
    fg_json_pair_bool(&json, "handed_over",
                      changed && (job->look.writer >= 0 || job->has_waiting));
    fg_json_end(&json);
    fg_out_puts(&job->cli->out, "\n");
}

static void tell(struct job *job)
{
    static const char *const done[] = {"removed", "paused", "resumed"};
    static const char *const undone[] = {"was removed before", "is paused already",
                                         "is not paused"};
    struct fg_out *out = &job->cli->out;
    bool is_handed_over = false;
    for (size_t i = 0; i < job->targets.len; i++) {
        const struct target *target = &job->targets.at[i];
        bool is_page = target->page.page;
        fg_out_text(out, is_page ? target->page.url : target->site.key);
        fg_out_printf(out, "  %s %s", is_page ? "page" : "site",
                      target->changes ? done[job->kind] : undone[job->kind]);
        fg_out_puts(out, is_page && job->kind == FG_CONTROL_RESUME &&
                                 site_standing(job, target).is_paused
                             ? "; its site is paused still\n"
                             : "\n");
        is_handed_over |= target->changes;
    }
    if (is_handed_over && job->look.writer < 0 && job->has_waiting)
        fg_out_puts(out, "left for the next crawl, behind what waits for it already\n");
    else if (is_handed_over && job->look.writer >= 0)
        fg_out_printf(out,
                      "given to the crawl that is running (process %lld); it heeds it "
                      "within seconds\n",
                      (long long)job->look.writer);
}

/* --- the commands --- */

static enum fg_status run(struct fg_cli *cli, enum fg_control_kind kind,
                          struct fg_err *err)
{
    struct job job = {.cli = cli, .o = cli->options, .kind = kind};
    if (job.o->site && job.o->page)
        return fg_fail(err, FG_ECONFIG, "--site and --page cannot be combined");
    /* First: what was in the inbox and is no more is in the store by then. */
    fg_control_waiting(&job.waiting, cli->arena, fg_cli_inbox(cli));
    job.has_waiting = job.waiting.wishes.len > 0;
    enum fg_status st = fg_cli_look(cli, &job.look, err);
    for (size_t i = 0; !st && i < cli->n_words; i++)
        st = find(&job, fg_str_trim(fg_str_from(cli->words[i])), err);
    if (!st)
        st = put(&job, err);
    if (!st && job.o->json)
        tell_json(&job);
    else if (!st)
        tell(&job);
    fg_cli_look_close(&job.look);
    return st;
}

static enum fg_status run_remove(struct fg_cli *cli, struct fg_err *err)
{
    return run(cli, FG_CONTROL_REMOVE, err);
}

static enum fg_status run_pause(struct fg_cli *cli, struct fg_err *err)
{
    return run(cli, FG_CONTROL_PAUSE, err);
}

static enum fg_status run_resume(struct fg_cli *cli, struct fg_err *err)
{
    return run(cli, FG_CONTROL_RESUME, err);
}

#define NAMES                                                                          \
    " A host name, or the address of a home page, stands for its site, and so does "   \
    "the one address that was added of a site; any other address stands for its page " \
    "(--site and --page say otherwise). If a name is not known, nothing is changed. "  \
    "A crawl that runs heeds it within seconds."
#define CONTROL                                                                     \
    .words = "SITE|URL...", .min_words = 1, .max_words = 10000, .options = options, \
    .options_size = sizeof(struct options), .settings = "workspace"

static const struct fg_example remove_examples[] = {
    {"forage remove shop.example", "a site"},
    {"forage remove --page https://law.example/42 --json", "a page, for a script"},
    {0},
};

const struct fg_command fg_cmd_remove = {
    .name = "remove",
    .summary = "stop watching sites or pages; 'forage add' watches them again",
    .about =
        "Nothing is asked of a removed site any more, and status, new and feeds list it "
        "no more; what was stored of it stays until it is added again, which begins a "
        "new watch without a past, or until 'forage site --forget'. A removed page is no "
        "source, document or seed any "
        "more, and is not fetched." NAMES,
    CONTROL,
    .examples = remove_examples,
    .run = run_remove,
};

static const struct fg_example pause_examples[] = {
    {"forage pause news.example", "leave a site alone"},
    {"forage pause https://news.example/sport/", "leave one page alone"},
    {0},
};

const struct fg_command fg_cmd_pause = {
    .name = "pause",
    .summary = "leave sites or pages alone until 'forage resume'",
    .about = "Nothing is asked of a paused site or page, not even robots.txt. What is "
             "known of it is kept, and 'forage resume' goes on where it was; what "
             "appeared meanwhile counts as new at the first look then." NAMES,
    CONTROL,
    .examples = pause_examples,
    .run = run_pause,
};

static const struct fg_example resume_examples[] = {
    {"forage resume news.example https://news.example/sport/", "go on with both"},
    {0},
};

const struct fg_command fg_cmd_resume = {
    .name = "resume",
    .summary = "go on with sites or pages that were paused",
    .about = "Goes on where 'forage pause' left off." NAMES,
    CONTROL,
    .examples = resume_examples,
    .run = run_resume,
};
