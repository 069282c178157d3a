/* whatif.c - what another policy, or another budget, would have found */
#include "view/past.h"

#include <math.h>
#include <string.h>

enum { AS_IT_WAS, AS_IT_IS, ASKED, MOST_ROWS, LEVELS = 3 };

struct row {
    const char *policy;
    struct fg_str budget, said; /* "2x"; for people */
    double factor, looks, found, low, high, share, within[LEVELS];
    fg_time p50, p90;
};

struct answer {
    fg_time from, to;
    size_t sites, sources;
    uint64_t told, elsewhere;
    double looks, change, change_low, change_high;
    struct fg_str words;
    struct fg_rows rows;
    struct fg_texts limits;
    struct fg_rows limit_lines;
};

static const fg_time levels[LEVELS] = {15 * FG_MINUTE, FG_HOUR, 6 * FG_HOUR};

/* Delays are known to a step; half of one lies between a page's coming and the step at
 * which it was there. */
static fg_time hours(double value, fg_time step)
{
    return isnan(value) ? FG_NEVER : (fg_time)(value * (double)FG_HOUR) + step / 2;
}

static struct row row_of(struct fg_arena *arena, const struct fg_past *past,
                         const struct fg_estimate *estimate, double factor)
{
    const struct fg_trial *trial = &estimate->trial;
    double steps = (double)(past->looked.to - past->looked.from) / (double)past->step;
    struct row row = {.budget = fg_arena_printf(arena, "%gx", factor),
                      .factor = factor,
                      .looks = fg_past_a_day(past, trial->looks / steps),
                      .found = fg_past_daily(past, estimate->found.mean),
                      .low = fg_past_daily(past, estimate->found.low),
                      .high = fg_past_daily(past, estimate->found.high),
                      .share = trial->found / trial->there,
                      .p50 = hours(trial->delay_p50, past->step),
                      .p90 = hours(trial->delay_p90, past->step)};
    for (size_t i = 0; i < LEVELS; i++)
        row.within[i] = past->step <= levels[i] ? trial->within[i] : NAN;
    row.said = isnan(row.low) ? fg_arena_printf(arena, "%.1f", row.found)
                              : fg_arena_printf(arena, "%.1f (%.1f to %.1f)", row.found,
                                                row.low, row.high);
    return row;
}

/* The error of a ratio of two estimates on recordings: rms of the worst policy, or of so
 * many times as many looks. */
static double error_of(double factor)
{
    return factor > 2.5 || factor < 0.2 ? 0.08 : factor > 1.2 ? 0.05 : 0.03;
}

static void compare(struct answer *a, struct fg_arena *arena, const struct row *rows,
                    size_t n)
{
    a->change = a->change_low = a->change_high = NAN;
    a->words = FG_STR("");
    if (n <= ASKED || !(rows[AS_IT_IS].found > 0))
        return;
    const struct row *asked = &rows[ASKED];
    double error = error_of(asked->factor);
    a->change = asked->found / rows[AS_IT_IS].found - 1;
    a->change_low = (a->change + 1) * (1 - error) - 1;
    a->change_high = (a->change + 1) * (1 + error) - 1;
    a->words =
        fg_arena_printf(arena,
                        "%s with %.*s the looks would have found %+.1f %% new pages "
                        "(%+.1f to %+.1f %%)",
                        asked->policy, (int)asked->budget.len, asked->budget.at,
                        100 * a->change, 100 * a->change_low, 100 * a->change_high);
}

/* --- the view --- */

struct question {
    struct fg_str policy, budget, site, tag;
    fg_time span;
};
static const struct fg_opt question[] = {
    {"policy", FG_STRING(struct question, policy), "",
     .help = "for discovery; otherwise the one that chooses now"},
    {"budget", FG_STRING(struct question, budget), "1x",
     .help = "looks at sources against those that were made: 2x, 0.5x, 200%"},
    {"span", FG_SPAN(struct question, span), "30d", .min = (double)FG_HOUR,
     .max = 90 * (double)FG_DAY, .help = "how far back the log is read"},
    {"site", FG_STRING(struct question, site), "", .help = "of this site alone"},
    {"tag", FG_STRING(struct question, tag), "", .help = "of sites with this tag"},
    {0},
};

static enum fg_status try_all(struct answer *a, struct fg_arena *arena,
                              const struct fg_past *past, const struct fg_policy *policy,
                              double factor, struct fg_err *err)
{
    enum { SEED = 1 };
    struct fg_twins twins;
    struct fg_estimate estimate;
    struct row *rows = FG_NEW(arena, struct row, MOST_ROWS);
    size_t n = policy == past->policy && factor == 1 ? ASKED : MOST_ROWS;
    enum fg_status st = FG_OK;
    struct fg_trial_rules rules = {.warm_up = past->warm_up};
    memcpy(rules.level, levels, sizeof levels);
    fg_twins_make(&twins, &past->looked, past->step, SEED);
    fg_twins_past(&estimate, &twins, &past->looked, &rules);
    rows[AS_IT_WAS] = row_of(arena, past, &estimate, 1);
    rows[AS_IT_WAS].policy = "as it was";
    for (size_t i = AS_IT_IS; !st && i < n; i++) {
        double times = i == ASKED ? factor : 1;
        rules.policy = i == ASKED ? policy : past->policy;
        rules.a_step = past->a_step * times;
        st = fg_twins_try(&estimate, &twins, &rules, err);
        rows[i] = row_of(arena, past, &estimate, times);
        rows[i].policy = rules.policy->name;
    }
    fg_twins_clear(&twins);
    a->rows = (struct fg_rows){.at = rows, .len = n, .size = sizeof *rows};
    if (!st)
        compare(a, arena, rows, n);
    return st;
}

static enum fg_status ask(const void **answer, const struct fg_asking *ask,
                          struct fg_err *err)
{
    const struct question *q = ask->question;
    struct fg_arena *arena = ask->look->texts;
    struct answer *a = FG_NEW(arena, struct answer, 1);
    struct fg_past_wish wish = {.site = q->site, .tag = q->tag, .span = q->span};
    struct fg_past past;
    double factor;
    const struct fg_policy *policy =
        q->policy.len ? fg_policy_find(q->policy, FG_DISCOVERY) : NULL;
    if (q->policy.len && !policy)
        return fg_fail(err, FG_EINPUT,
                       "no policy '%.*s' for discovery; 'forage policies' shows those "
                       "there are",
                       (int)q->policy.len, q->policy.at);
    enum fg_status st = fg_past_factor(&factor, q->budget, err);
    if (!st)
        st = fg_past_read(&past, ask->look, &wish, err);
    if (st)
        return st;
    *a = (struct answer){.from = past.looked.from,
                         .to = past.looked.to,
                         .sites = past.sites,
                         .sources = past.looked.n_sources,
                         .told = past.told,
                         .elsewhere = past.elsewhere,
                         .looks = fg_past_a_day(&past, past.a_step)};
    st = try_all(a, arena, &past, policy ? policy : past.policy, factor, err);
    a->limits = fg_past_limits(&past, arena, factor);
    a->limit_lines = (struct fg_rows){
        .at = a->limits.at, .len = a->limits.len, .size = sizeof *a->limits.at};
    fg_past_clear(&past);
    *answer = a;
    return st;
}

#define R struct row
static const struct fg_field row_fields[] = {
    {"policy", "policy", FG_AS_WORD(R, policy)},
    {"budget", "budget", FG_AS_TEXT(R, budget), .help = "against the looks of the log"},
    {"looks_a_day", "looks a day", FG_AS_NUMBER(R, looks)},
    {"found_a_day", NULL, FG_AS_NUMBER(R, found), .help = "new pages"},
    {"found_low", NULL, FG_AS_NUMBER(R, low), .help = "at least, by the interval"},
    {"found_high", NULL, FG_AS_NUMBER(R, high), .help = "at most, by the interval"},
    {NULL, "new pages a day", FG_AS_TEXT(R, said)},
    {"share", "of all", FG_AS_SHARE(R, share), .help = "of what there was to be found"},
    {"within_15m", "in 15m", FG_AS_SHARE(R, within[0]),
     .help = "found so soon, of what there was; null if looks were too far apart to say"},
    {"within_1h", "in 1h", FG_AS_SHARE(R, within[1])},
    {"within_6h", "in 6h", FG_AS_SHARE(R, within[2])},
    {"delay_p50_s", "half in", FG_AS_SPAN(R, p50), .help = "of those found"},
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
    {"sites", "sites", FG_AS_COUNT(A, sites)},
    {"sources", "sources", FG_AS_COUNT(A, sources)},
    {"looks_a_day", "looks a day", FG_AS_NUMBER(A, looks), .help = "as they were made"},
    {"new_pages", "new pages", FG_AS_COUNT(A, told), .help = "in the log"},
    {"elsewhere", NULL, FG_AS_COUNT(A, elsewhere),
     .help = "of these, not found by a look at a source"},
    {"rows", "", FG_AS_ROWS(A, rows, row_fields), .is_sheet = true,
     .help =
         "what the crawl found; what its policy finds on a likeness of its sites, with "
         "as many looks; and what is asked about, on the same likeness"},
    {"change", NULL, FG_AS_NUMBER(A, change),
     .help = "new pages of the third row against the second, less 1"},
    {"change_low", NULL, FG_AS_NUMBER(A, change_low), .help = "at least"},
    {"change_high", NULL, FG_AS_NUMBER(A, change_high), .help = "at most"},
    {NULL, "so", FG_AS_TEXT(A, words)},
    {"cannot_tell", NULL, FG_AS_TEXTS(A, limits), .help = "what the log does not say"},
    {NULL, "what the log cannot tell", FG_AS_ROWS(A, limit_lines, limit_fields),
     .style = FG_ROWS_LINES},
    {0},
};
#undef A

static const struct fg_view_example examples[] = {
    {"--policy thompson", "what thompson would have found with the same looks"},
    {"--budget 2x --span 2w", "what twice the looks would have found"},
    {"--policy round-robin --budget 50% --site news.example", "both, of one site"},
    {0},
};

const struct fg_view fg_view_whatif = {
    .name = "whatif",
    .summary = "estimate what another policy or budget would have found",
    .about = "Reconstructs the sites from the crawl's own log: when each source was "
             "looked at and which links it showed. The moment at which a link came or "
             "went between two looks is sampled. Any policy can then be tried on these "
             "sites with any number of looks. On recordings the estimates are off by 1 "
             "to 3 %. What the log cannot show is listed below the figures. It reads the "
             "store and changes nothing; it may take some seconds.",
    .question = question,
    .question_size = sizeof(struct question),
    .examples = examples,
    .answer = FG_RECORD_OF(fields),
    .ask = ask,
};
