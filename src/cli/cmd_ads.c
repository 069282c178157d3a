/* cmd_ads.c - forage ads: advertisements beside search results, and what they earned */
#include "base/csv.h"
#include "base/file.h"
#include "cli/crawling.h"
#include "view/ads.h"

struct options {
    struct fg_ads_form form;
    fg_time since;
    bool json;
};

/* --- frame --- */

/* What all these commands take. */
#define OPTIONS(own)                                                                     \
    .options = own, .options_size = sizeof(struct options), .settings = "workspace ads", \
    .main_settings = "workspace"

static enum fg_status open_ads(struct fg_cli *cli, struct fg_ads **ads,
                               struct fg_err *err)
{
    return fg_ads_open(ads, fg_cli_store_path(cli), &cli->settings.ads, err);
}

/* A workspace without a store gets one; one in which a crawl runs has it. */
static enum fg_status make_store(struct fg_cli *cli, struct fg_err *err)
{
    struct fg_store *store;
    if (fg_store_exists(fg_cli_store_path(cli)))
        return FG_OK;
    enum fg_status st = fg_cli_store(cli, false, &store, err);
    return st ? st : fg_store_close(store, err);
}

static void end_json(struct fg_cli *cli, struct fg_json *json)
{
    fg_json_end(json);
    fg_out_puts(&cli->out, "\n");
}

/* Advertisements that are kept but not shown would puzzle people. */
static void hint_if_off(struct fg_cli *cli)
{
    const struct options *o = cli->options;
    if (!cli->settings.ads.enabled && !o->json)
        fg_out_puts(&cli->out, "not shown yet: set ads.enabled to yes\n");
}

/* --- add --- */

static const struct fg_opt add_options[] = {
    FG_ADS_FORM_OPTIONS(struct options, form),
    {"json", FG_BOOL(struct options, json), .letter = 'j', .help = "as JSON"},
    {0},
};

static enum fg_status run_add(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    struct fg_ads *ads;
    int64_t number;
    bool is_new;
    struct fg_ads_campaign c;
    enum fg_status st =
        fg_ads_form_read(&c, &o->form, fg_str_from(cli->words[0]),
                         fg_str_from(cli->words[1]), fg_str_from(cli->words[2]), err);
    if (!st)
        st = make_store(cli, err);
    if (!st)
        st = open_ads(cli, &ads, err);
    if (st)
        return st;
    st = fg_ads_add(ads, &c, fg_time_now(), &number, &is_new, err);
    fg_ads_close(ads);
    if (st)
        return st;
    if (o->json) {
        struct fg_json json = fg_json_to(&cli->out.buf);
        fg_json_object(&json);
        fg_json_pair_int(&json, "ad", number);
        fg_json_pair_bool(&json, "new", is_new);
        end_json(cli, &json);
    } else {
        fg_out_printf(&cli->out, "ad %lld %s\n", (long long)number,
                      is_new ? "added" : "changed; what was learned of it is kept");
    }
    hint_if_off(cli);
    return FG_OK;
}

static const struct fg_example add_examples[] = {
    {"forage ads add 'Forest Shop' 'porcini risotto' https://shop.example/porcini --bid "
     "0.40 --budget 5 --title 'Dried porcini'",
     "for this phrase"},
    {"forage ads add 'Forest Shop' mushrooms https://shop.example/ --bid 0.15 --broad",
     "for all queries with the word, in the same budget"},
    {0},
};

const struct fg_command fg_cmd_ads_add = {
    .name = "ads add",
    .words = "ADVERTISER PHRASE URL",
    .summary = "submit an advertisement, or change its bid and texts",
    .about = "An ad is shown for queries that are its phrase, or with --broad for those "
             "that have all its words; words are compared by their stems. The "
             "advertiser pays the bid for a click, and never more than its budget a day "
             "(from midnight UTC).",
    .min_words = 3,
    .max_words = 3,
    OPTIONS(add_options),
    .examples = add_examples,
    .run = run_add,
};

/* --- import --- */

static const struct fg_opt json_options[] = {
    {"json", FG_BOOL(struct options, json), .letter = 'j', .help = "as JSON"},
    {0},
};

enum {
    ADVERTISER,
    BUDGET,
    PHRASE,
    MATCH,
    BID,
    TITLE,
    URL,
    TEXT,
    CLUSTER,
    ALPHA,
    BETA,
    COLUMNS
};
static const char *const columns[COLUMNS] = {"advertiser", "budget", "phrase", "match",
                                             "bid",        "title",  "url",    "text",
                                             "cluster",    "alpha",  "beta"};

struct table {
    struct fg_cli *cli;
    const char *path;
    int place[COLUMNS];                  /* of each column in a row; -1: not there */
    FG_VEC(struct fg_ads_campaign) rows; /* in the arena */
    size_t wrong;
};

static void complain(struct table *t, size_t line, const char *why)
{
    fg_cli_count_wrong(t->cli, t->path, line, why, &t->wrong);
}

static enum fg_status read_head(struct table *t, const struct fg_str *fields, size_t n,
                                struct fg_err *err)
{
    for (size_t c = 0; c < COLUMNS; c++)
        t->place[c] = -1;
    for (size_t i = 0; i < n; i++) {
        size_t c = 0;
        while (c < COLUMNS &&
               !fg_str_eq_nocase(fg_str_trim(fields[i]), fg_str_from(columns[c])))
            c++;
        if (c == COLUMNS)
            return fg_fail(err, FG_EINPUT,
                           "'%s': no column is called '%.*s'; there are: advertiser, "
                           "budget, phrase, match, bid, title, url, text, cluster, "
                           "alpha, beta",
                           fg_file_name(t->path), FG_ARG(fg_str_sub(fields[i], 0, 60)));
        t->place[c] = (int)i;
    }
    static const int needed[] = {ADVERTISER, PHRASE, BID, URL};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (t->place[needed[i]] < 0)
            return fg_fail(err, FG_EINPUT, "'%s': the column '%s' is missing",
                           fg_file_name(t->path), columns[needed[i]]);
    return FG_OK;
}

static struct fg_str field(const struct table *t, const struct fg_str *fields, size_t n,
                           int column)
{
    int place = t->place[column];
    return place >= 0 && (size_t)place < n ? fg_str_trim(fields[place]) : FG_STR("");
}

static const char *read_row(const struct table *t, const struct fg_str *fields, size_t n,
                            struct fg_ads_campaign *c)
{
    struct fg_str budget = field(t, fields, n, BUDGET),
                  match = field(t, fields, n, MATCH), alpha = field(t, fields, n, ALPHA),
                  beta = field(t, fields, n, BETA);
    *c = (struct fg_ads_campaign){.advertiser = field(t, fields, n, ADVERTISER),
                                  .phrase = field(t, fields, n, PHRASE),
                                  .title = field(t, fields, n, TITLE),
                                  .url = field(t, fields, n, URL),
                                  .text = field(t, fields, n, TEXT),
                                  .cluster = field(t, fields, n, CLUSTER),
                                  .budget = budget.len ? fg_money_read(budget) : -1,
                                  .keeps_budget = !budget.len,
                                  .bid = fg_money_read(field(t, fields, n, BID)),
                                  .is_broad = fg_str_eq(match, FG_STR("broad"))};
    if (!c->title.len)
        c->title = c->advertiser;
    if (match.len && !c->is_broad && !fg_str_eq(match, FG_STR("exact")))
        return "match must be exact or broad";
    if (budget.len && c->budget < 0)
        return "the budget is not a sum of money, such as 5.00";
    if (c->bid < 0)
        return "the bid is not a sum of money, such as 0.40";
    if ((alpha.len && !fg_str_to_double(alpha, &c->alpha)) ||
        (beta.len && !fg_str_to_double(beta, &c->beta)))
        return "alpha and beta are numbers";
    return NULL;
}

static enum fg_status read_table(struct table *t, struct fg_str text, struct fg_err *err)
{
    struct fg_csv csv = fg_csv_from(text);
    struct fg_str fields[FG_CSV_FIELDS];
    size_t n;
    if (!fg_csv_next(&csv, t->cli->arena, fields, &n))
        return fg_fail(err, FG_EINPUT, "'%s' is empty", fg_file_name(t->path));
    enum fg_status st = read_head(t, fields, n, err);
    while (!st && fg_csv_next(&csv, t->cli->arena, fields, &n)) {
        struct fg_ads_campaign campaign;
        struct fg_err why;
        const char *wrong = read_row(t, fields, n, &campaign);
        if (!wrong && fg_ads_check(&campaign, &why))
            wrong = why.text;
        if (wrong)
            complain(t, csv.line, wrong);
        else
            fg_vec_push_in(t->cli->arena, &t->rows, campaign);
    }
    if (!st && csv.is_broken)
        st = fg_fail(err, FG_EINPUT, "'%s' ends within quotes", fg_file_name(t->path));
    if (!st && t->wrong)
        st = fg_fail(err, FG_EINPUT, "%zu %s wrong; nothing was imported", t->wrong,
                     t->wrong == 1 ? "row is" : "rows are");
    return st;
}

static enum fg_status run_import(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    struct table t = {.cli = cli, .path = cli->words[0]};
    struct fg_ads *ads;
    struct fg_str text;
    size_t added = 0;
    enum fg_status st = fg_cli_unpacked(cli, t.path, &text, err);
    if (!st)
        st = read_table(&t, text, err);
    if (!st)
        st = make_store(cli, err);
    if (!st)
        st = open_ads(cli, &ads, err);
    if (st)
        return st;
    st = fg_ads_add_all(ads, t.rows.at, t.rows.len, fg_time_now(), &added, err);
    fg_ads_close(ads);
    if (st)
        return st;
    if (o->json) {
        struct fg_json json = fg_json_to(&cli->out.buf);
        fg_json_object(&json);
        fg_json_pair_uint(&json, "added", added);
        fg_json_pair_uint(&json, "changed", t.rows.len - added);
        end_json(cli, &json);
    } else {
        fg_out_printf(&cli->out, "%zu added, %zu changed\n", added, t.rows.len - added);
    }
    hint_if_off(cli);
    return FG_OK;
}

static const struct fg_example import_examples[] = {
    {"forage ads import ads.csv", "campaigns from a table"},
    {0},
};

const struct fg_command fg_cmd_ads_import = {
    .name = "ads import",
    .words = "FILE",
    .summary = "submit the advertisements of a CSV file",
    .about = "The first line names the columns: advertiser, phrase, bid and url, and if "
             "wanted budget, match (exact or broad), title, text, cluster, alpha and "
             "beta. The file is checked whole before anything is changed; importing it "
             "twice is as good as once.",
    .min_words = 1,
    .max_words = 1,
    OPTIONS(json_options),
    .examples = import_examples,
    .run = run_import,
};

/* --- list --- */

static void list_json(struct fg_cli *cli, const struct fg_ads_row *rows, size_t n)
{
    struct fg_json json = fg_json_to(&cli->out.buf);
    fg_json_array(&json);
    for (size_t i = 0; i < n; i++)
        fg_ads_row_json(&json, &rows[i]);
    end_json(cli, &json);
}

static void list_text(struct fg_cli *cli, const struct fg_ads_row *rows, size_t n)
{
    struct fg_out *out = &cli->out;
    for (size_t i = 0; i < n; i++) {
        const struct fg_ads_row *r = &rows[i];
        fg_out_printf(out, "%4lld  %-8s  %-5s  bid %s  budget %s  ", (long long)r->ad,
                      fg_ads_states[r->state], r->is_broad ? "broad" : "exact",
                      fg_money_text(cli->arena, r->bid).at,
                      fg_money_text(cli->arena, r->budget).at);
        fg_out_text(out, r->advertiser);
        fg_out_puts(out, ": ");
        fg_out_text(out, r->phrase);
        fg_out_printf(out, "\n      shown %lld, clicked %lld, spent %s  ",
                      (long long)r->shown, (long long)r->clicked,
                      fg_money_text(cli->arena, r->spent).at);
        fg_out_text(out, r->url);
        fg_out_puts(out, "\n");
    }
    if (!n)
        fg_out_puts(out, "no advertisements\n");
}

static enum fg_status run_list(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    struct fg_ads *ads;
    struct fg_ads_row *rows;
    size_t n;
    enum fg_status st = open_ads(cli, &ads, err);
    if (st)
        return st;
    st = fg_ads_list(ads, &rows, &n, cli->arena, err);
    fg_ads_close(ads);
    if (!st && o->json)
        list_json(cli, rows, n);
    else if (!st)
        list_text(cli, rows, n);
    return st;
}

static const struct fg_example list_examples[] = {
    {"forage ads list", "all advertisements, with what they got"},
    {0},
};

const struct fg_command fg_cmd_ads_list = {
    .name = "ads list",
    .words = "",
    .summary = "list advertisements",
    .about = "All advertisements of the workspace, with how often each was shown and "
             "clicked and what was paid for it.",
    OPTIONS(json_options),
    .examples = list_examples,
    .run = run_list,
};

/* --- stats --- */

static const struct fg_opt stats_options[] = {
    {"since", FG_SPAN(struct options, since), "30d", .letter = 's',
     .help = "days back from today"},
    {"json", FG_BOOL(struct options, json), .letter = 'j', .help = "as JSON"},
    {0},
};

static void stats_row(struct fg_cli *cli, const struct fg_ads_day *d)
{
    struct fg_str date = fg_ads_date(cli->arena, d->day);
    fg_out_printf(&cli->out, "%.*s  %9lld  %7lld  %7lld  %9s  %9s  ", FG_ARG(date),
                  (long long)d->shown, (long long)d->clicked, (long long)d->charged,
                  fg_money_text(cli->arena, d->spent).at,
                  fg_money_text(cli->arena, d->budget).at);
    fg_out_text(&cli->out, d->advertiser);
    fg_out_puts(&cli->out, "\n");
}

static enum fg_status run_stats(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    struct fg_ads *ads;
    struct fg_ads_day *days;
    size_t n;
    fg_time from = fg_time_now() - o->since;
    enum fg_status st = open_ads(cli, &ads, err);
    if (st)
        return st;
    st = fg_ads_report(ads, &days, &n, cli->arena, (int32_t)(from / FG_DAY), err);
    fg_ads_close(ads);
    if (st)
        return st;
    struct fg_json json = fg_json_to(&cli->out.buf);
    if (o->json)
        fg_json_array(&json);
    else
        fg_out_puts(&cli->out, "date            shown  clicked  charged      spent     "
                               "budget  advertiser\n");
    for (size_t i = 0; i < n; i++)
        if (o->json)
            fg_ads_day_json(&json, cli->arena, &days[i]);
        else
            stats_row(cli, &days[i]);
    if (o->json) {
        end_json(cli, &json);
    }
    return FG_OK;
}

static const struct fg_example stats_examples[] = {
    {"forage ads stats --since 7d", "what each advertiser got, day by day"},
    {0},
};

const struct fg_command fg_cmd_ads_stats = {
    .name = "ads stats",
    .words = "",
    .summary = "report what each advertiser got, day by day",
    .about = "Displays, clicks, those of them that were charged, and what was paid, for "
             "each advertiser and day (UTC).",
    OPTIONS(stats_options),
    .examples = stats_examples,
    .run = run_stats,
};

/* --- pause, resume, revoke --- */

static enum fg_status set_state(struct fg_cli *cli, enum fg_ads_state state,
                                struct fg_err *err)
{
    const struct options *o = cli->options;
    struct fg_ads *ads;
    enum fg_status st = open_ads(cli, &ads, err);
    if (st)
        return st;
    for (size_t i = 0; !st && i < cli->n_words; i++)
        st = fg_ads_set_state(ads, fg_str_from(cli->words[i]), state, err);
    fg_ads_close(ads);
    if (st)
        return st;
    if (o->json) {
        struct fg_json json = fg_json_to(&cli->out.buf);
        fg_json_object(&json);
        fg_json_pair_cstr(&json, "state", fg_ads_states[state]);
        fg_json_pair_uint(&json, "changed", cli->n_words);
        end_json(cli, &json);
    } else {
        fg_out_printf(&cli->out, "%s\n", fg_ads_states[state]);
    }
    return FG_OK;
}

static enum fg_status run_pause(struct fg_cli *cli, struct fg_err *err)
{
    return set_state(cli, FG_ADS_PAUSED, err);
}

static enum fg_status run_resume(struct fg_cli *cli, struct fg_err *err)
{
    return set_state(cli, FG_ADS_ACTIVE, err);
}

static enum fg_status run_revoke(struct fg_cli *cli, struct fg_err *err)
{
    return set_state(cli, FG_ADS_REVOKED, err);
}

#define STATE \
    .words = "ADVERTISER|AD...", .min_words = 1, .max_words = 1000, OPTIONS(json_options)

static const struct fg_example pause_examples[] = {
    {"forage ads pause 'Forest Shop'", "all ads of an advertiser"}, {0}};
const struct fg_command fg_cmd_ads_pause = {
    .name = "ads pause",
    .summary = "stop showing ads until 'forage ads resume'",
    .about = "An advertiser is told by its name, an ad by its number. Clicks on what was "
             "shown before are still charged.",
    STATE,
    .examples = pause_examples,
    .run = run_pause,
};

static const struct fg_example resume_examples[] = {
    {"forage ads resume 'Forest Shop'", "show them again"}, {0}};
const struct fg_command fg_cmd_ads_resume = {
    .name = "ads resume",
    .summary = "show ads again that were paused",
    .about = "An advertiser is told by its name, an ad by its number.",
    STATE,
    .examples = resume_examples,
    .run = run_resume,
};

static const struct fg_example revoke_examples[] = {
    {"forage ads revoke 1", "one ad, for good"}, {0}};
const struct fg_command fg_cmd_ads_revoke = {
    .name = "ads revoke",
    .summary = "take ads back for good",
    .about = "A revoked ad is not shown any more; what it got stays in the report. "
             "Submitted again it starts anew.",
    STATE,
    .examples = revoke_examples,
    .run = run_revoke,
};

/* --- click --- */

static enum fg_status run_click(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    struct fg_ads *ads;
    struct fg_ads_taken taken;
    enum fg_status st = open_ads(cli, &ads, err);
    if (st)
        return st;
    st = fg_ads_click(ads, &taken, cli->arena, fg_str_from(cli->words[0]),
                      cli->n_words > 1 ? fg_str_from(cli->words[1]) : FG_STR(""),
                      fg_time_now(), err);
    fg_ads_close(ads);
    if (st)
        return st;
    if (o->json) {
        struct fg_json json = fg_json_to(&cli->out.buf);
        fg_json_object(&json);
        fg_json_pair_cstr(&json, "outcome", fg_ads_outcome_name(taken.outcome));
        fg_money_json(&json, "charged", taken.charged);
        fg_json_pair(&json, "url", taken.url);
        end_json(cli, &json);
        return FG_OK;
    }
    fg_out_printf(&cli->out, "%s %s ", fg_ads_outcome_name(taken.outcome),
                  fg_money_text(cli->arena, taken.charged).at);
    fg_out_text(&cli->out, taken.url);
    fg_out_puts(&cli->out, "\n");
    return FG_OK;
}

static const struct fg_example click_examples[] = {
    {"forage ads click 1.1.ffffffffff.00 192.0.2.7 --json",
     "a token that is not ours: forged, and nothing is charged"},
    {0},
};

const struct fg_command fg_cmd_ads_click = {
    .name = "ads click",
    .words = "TOKEN [CLIENT]",
    .summary = "take a click on an advertisement",
    .about = "For programs that show the results of 'forage search --json' themselves: "
             "each sponsored result has a token. Says whether the click is charged, and "
             "where it leads. CLIENT tells clients apart, so that one that clicks too "
             "often is not charged; only a keyed hash of it is kept, until midnight.",
    .min_words = 1,
    .max_words = 2,
    OPTIONS(json_options),
    .examples = click_examples,
    .run = run_click,
};

/* --- the command --- */

static const struct fg_command *const parts[] = {
    &fg_cmd_ads_add,    &fg_cmd_ads_import, &fg_cmd_ads_list,
    &fg_cmd_ads_stats,  &fg_cmd_ads_pause,  &fg_cmd_ads_resume,
    &fg_cmd_ads_revoke, &fg_cmd_ads_click,  NULL,
};

static const struct fg_example examples[] = {
    {"forage ads add 'Forest Shop' 'porcini risotto' https://shop.example/ --bid 0.40",
     "an advertisement"},
    {"forage ads list --json", "what there is, for a script"},
    {0},
};

const struct fg_command fg_cmd_ads = {
    .name = "ads",
    .words = "ACTION ...",
    .summary = "advertisements beside search results, within daily budgets",
    .about =
        "Advertisers bid for phrases and set a budget a day. Which ads a query shows "
        "is learned from clicks; docs/ads.md has the policies and what they earn. "
        "Sponsored results are always labelled. Nothing is shown unless ads.enabled "
        "is set.",
    .examples = examples,
    .parts = parts,
};
