/* budget.c - what half, twice and four times the looks would bring, and how many it takes
 * to find new pages as soon as is wanted */
#include "view/past.h"

#include <math.h>

static const double factors[] = {0.5, 1, 2, 4};
enum { FACTORS = sizeof factors / sizeof *factors, LEAST_SHARE = 64 };

/* By how much a budget that is promised is above the one that is likeliest to do: on
 * recordings 31 of 32 levels were kept with it. */
static const double safety = 1.3;

struct row {
    struct fg_str budget, found_said, within_said;
    double factor, looks, found, found_low, found_high, within, within_low, within_high;
    fg_time p90;
};

struct answer {
    fg_time from, to, level;
    size_t sites, sources;
    double looks, most, goal, needed, promised;
    bool is_possible;
    const char *policy;
    struct fg_str words;
    struct fg_rows rows;
    struct fg_texts limits;
    struct fg_rows limit_lines;
};

static struct fg_str range_said(struct fg_arena *arena, struct fg_range range)
{
    return fg_arena_printf(arena, "%.1f %% (%.0f to %.0f)", 100 * range.mean,
                           100 * range.low, 100 * range.high);
}

static struct row row_of(struct fg_arena *arena, const struct fg_past *past,
                         const struct fg_estimate *estimate, double factor)
{
    const struct fg_trial *trial = &estimate->trial;
    struct fg_range found = fg_share_range(trial->found / trial->there);
    const struct fg_range *within = &estimate->within[0];
    return (struct row){
        .budget = fg_arena_printf(arena, "%gx", factor),
        .factor = factor,
        .looks = fg_past_a_day(past, past->a_step * factor),
        .found = found.mean,
        .found_low = found.low,
        .found_high = found.high,
        .within = within->mean,
        .within_low = within->low,
        .within_high = within->high,
        .found_said = range_said(arena, found),
        .within_said = range_said(arena, *within),
        .p90 = isnan(trial->delay_p90)
                   ? FG_NEVER
                   : (fg_time)(trial->delay_p90 * (double)FG_HOUR) + past->step / 2,
    };
}

static enum fg_status find_budget(struct answer *a, struct fg_arena *arena,
                                  const struct fg_past *past,
                                  const struct fg_twins *twins,
                                  const struct fg_trial_rules *rules, struct fg_err *err)
{
    double most = fmin(past->most, (double)past->looked.n_sources), needed;
    char level[FG_SPAN_TEXT];
    fg_span_format(level, a->level);
    enum fg_status st = fg_twins_need(&needed, twins, rules, a->goal,
                                      fmin(past->a_step, most) / LEAST_SHARE, most, err);
    if (st)
        return st;
    a->is_possible = !isinf(needed);
    a->most = fg_past_a_day(past, most);
    if (!a->is_possible) {
        a->words = fg_arena_printf(arena,
                                   "no budget within politeness finds %g %% of new pages "
                                   "within %s: not even %.0f looks a day do",
                                   100 * a->goal, level, a->most);
        return FG_OK;
    }
    a->needed = fg_past_a_day(past, needed);
    a->promised = fmin(a->needed * safety, a->most);
    a->words = fg_arena_printf(arena,
                               "%.0f looks a day are likely to find %g %% of new pages "
                               "within %s; plan with %.0f to be sure",
                               a->needed, 100 * a->goal, level, a->promised);
    return FG_OK;
}

static enum fg_status foresee(struct answer *a, struct fg_arena *arena,
                              const struct fg_past *past, struct fg_err *err)
{
    enum { SEED = 1 };
    struct fg_twins twins;
    struct row *rows = FG_NEW(arena, struct row, FACTORS);
    struct fg_trial_rules rules = {
        .policy = past->policy, .warm_up = past->warm_up, .level = {a->level}};
    enum fg_status st = FG_OK;
    fg_twins_make(&twins, &past->looked, past->step, SEED);
    for (size_t i = 0; !st && i < FACTORS; i++) {
        struct fg_estimate estimate;
        rules.a_step = past->a_step * factors[i];
        st = fg_twins_try(&estimate, &twins, &rules, err);
        if (!st)
            rows[i] = row_of(arena, past, &estimate, factors[i]);
    }
    a->rows = (struct fg_rows){.at = rows, .len = FACTORS, .size = sizeof *rows};
    if (!st && a->goal > 0)
        st = find_budget(a, arena, past, &twins, &rules, err);
    fg_twins_clear(&twins);
    return st;
}

/* --- the view --- */

struct question {
    struct fg_str goal, site, tag;
    fg_time within, span;
};
static const struct fg_opt question[] = {
    {"goal", FG_STRING(struct question, goal), "",
     .help = "share of new pages that are to be found in time, such as 90%"},
    {"within", FG_SPAN(struct question, within), "1h", .min = (double)FG_MINUTE,
     .max = 7 * (double)FG_DAY, .help = "the time in which they are to be found"},
    {"span", FG_SPAN(struct question, span), "30d", .min = (double)FG_HOUR,
     .max = 90 * (double)FG_DAY, .help = "how far back the log is read"},
    {"site", FG_STRING(struct question, site), "", .help = "of this site alone"},
    {"tag", FG_STRING(struct question, tag), "", .help = "of sites with this tag"},
    {0},
};

static enum fg_status read_goal(double *goal, struct fg_str text, struct fg_err *err)
{
    struct fg_str number = fg_str_trim(text);
    bool is_percent = fg_str_ends(number, FG_STR("%"));
    *goal = 0;
    if (!number.len)
        return FG_OK;
    number.len -= is_percent;
    if (!fg_str_to_double(fg_str_trim(number), goal) ||
        !(*goal *= is_percent ? 0.01 : 1, *goal > 0 && *goal < 1))
        return fg_fail(err, FG_EINPUT, "'%.*s' is not a goal: write 90%%, or 0.9",
                       (int)text.len, text.at);
    return FG_OK;
}

static enum fg_status ask(const void **answer, const struct fg_asking *ask,
                          struct fg_err *err)
{
    const struct question *q = ask->question;
    struct fg_arena *arena = ask->look->texts;
    struct answer *a = FG_NEW(arena, struct answer, 1);
    struct fg_past_wish wish = {
        .site = q->site, .tag = q->tag, .span = q->span, .level = q->within};
    struct fg_past past;
    double goal;
    enum fg_status st = read_goal(&goal, q->goal, err);
    if (!st)
        st = fg_past_read(&past, ask->look, &wish, err);
    if (st)
        return st;
    *a = (struct answer){.from = past.looked.from,
                         .to = past.looked.to,
                         .level = q->within,
                         .sites = past.sites,
                         .sources = past.looked.n_sources,
                         .looks = fg_past_a_day(&past, past.a_step),
                         .goal = goal,
                         .most = NAN,
                         .needed = NAN,
                         .promised = NAN,
                         .policy = past.policy->name};
    st = foresee(a, arena, &past, err);
    a->limits = fg_past_limits(&past, arena, factors[FACTORS - 1]);
    a->limit_lines = (struct fg_rows){
        .at = a->limits.at, .len = a->limits.len, .size = sizeof *a->limits.at};
    fg_past_clear(&past);
    *answer = a;
    return st;
}

#define R struct row
static const struct fg_field row_fields[] = {
    {"budget", "budget", FG_AS_TEXT(R, budget), .help = "against the looks of the log"},
    {"looks_a_day", "looks a day", FG_AS_NUMBER(R, looks)},
    {"found", NULL, FG_AS_SHARE(R, found), .help = "of new pages, however late"},
    {"found_low", NULL, FG_AS_SHARE(R, found_low), .help = "at least, by the interval"},
    {"found_high", NULL, FG_AS_SHARE(R, found_high)},
    {NULL, "found", FG_AS_TEXT(R, found_said)},
    {"within", NULL, FG_AS_SHARE(R, within), .help = "found in time"},
    {"within_low", NULL, FG_AS_SHARE(R, within_low), .help = "at least, by the interval"},
    {"within_high", NULL, FG_AS_SHARE(R, within_high)},
    {NULL, "in time", FG_AS_TEXT(R, within_said)},
    {"delay_p90_s", "90 % in", FG_AS_SPAN(R, p90), .help = "of those found"},
    {0},
};
#undef R

static const struct fg_field limit_fields[] = {
    {NULL, "", .type = FG_FIELD_TEXT, .size = sizeof(struct fg_str)},
    {0},
};

#define A struct answer
static const struct fg_field fields[] = {
    {"from", "from", FG_AS_TIME(A, from), .help = "of the log that was read"},
    {"to", "to", FG_AS_TIME(A, to)},
    {"policy", "policy", FG_AS_WORD(A, policy), .help = "that chooses sources"},
    {"sites", "sites", FG_AS_COUNT(A, sites)},
    {"sources", "sources", FG_AS_COUNT(A, sources)},
    {"looks_a_day", "looks a day", FG_AS_NUMBER(A, looks), .help = "as they were made"},
    {"within_s", "in time means in", FG_AS_SPAN(A, level)},
    {"rows", "", FG_AS_ROWS(A, rows, row_fields), .is_sheet = true},
    {"goal", NULL, FG_AS_SHARE(A, goal), .help = "0: none was given"},
    {"is_possible", NULL, FG_AS_YES(A, is_possible),
     .help = "the goal can be reached within politeness"},
    {"looks_needed", NULL, FG_AS_NUMBER(A, needed), .help = "a day, likeliest"},
    {"looks_promised", NULL, FG_AS_NUMBER(A, promised), .help = "a day, to be sure"},
    {"looks_allowed", NULL, FG_AS_NUMBER(A, most),
     .help = "a day, by politeness and crawl.site-budget"},
    {NULL, "so", FG_AS_TEXT(A, words)},
    {"cannot_tell", NULL, FG_AS_TEXTS(A, limits), .help = "what the log does not say"},
    {NULL, "what the log cannot tell", FG_AS_ROWS(A, limit_lines, limit_fields),
     .style = FG_ROWS_LINES},
    {0},
};
#undef A

static const struct fg_view_example examples[] = {
    {"", "half, the same, twice and four times the looks"},
    {"--goal 90% --within 15m", "the fewest looks with which nine of ten come in time"},
    {"--goal 95% --within 1h --tag press --json", "of sites with a tag, for a program"},
    {0},
};

const struct fg_view fg_view_budget = {
    .name = "budget",
    .summary = "estimate what more or fewer looks at sources would find",
    .about = "Shows what half, the same, twice and four times the looks at sources would "
             "find, how much of it in time, and with --goal the fewest looks that find "
             "this share in time, or that politeness does not allow that many. The "
             "estimates come from the crawl's own log, as those of whatif do, and assume "
             "that the coming weeks are like those of the log. A share p is given with "
             "the interval p -+ (.02 + .4 (1 - p)), which contained the true share "
             "nearly always on recordings. It may take some seconds.",
    .question = question,
    .question_size = sizeof(struct question),
    .examples = examples,
    .answer = FG_RECORD_OF(fields),
    .ask = ask,
};
