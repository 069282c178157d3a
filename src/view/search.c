/* search.c - pages by what they say: see view/view.h for how it is asked */
#include "view/search.h"

#include "crawl/sites/site_row.h"
#include "search/feedback.h"
#include "search/query.h"

/* --- fields --- */

struct row {
    struct fg_str title, url, site, language, also, token, mark;
    struct fg_marked snippet;
    struct fg_texts parts, others;
    double score;
    uint64_t inlinks;
    bool is_promoted;
    fg_time date, found;
};

#define R struct row
static const struct fg_field fields[] = {
    {"title", "title", FG_AS_TEXT(R, title)},
    {"url", "url", FG_AS_URL(R, url)},
    {"site", NULL, FG_AS_TEXT(R, site)},
    {"date", "date", FG_AS_TIME(R, date), .help = "published; if not known, found"},
    {"found_at", NULL, FG_AS_TIME(R, found), .help = "first seen"},
    {"language", NULL, FG_AS_TEXT(R, language), .help = "as the page says"},
    {"score", NULL, FG_AS_NUMBER(R, score)},
    {"inlinks", NULL, FG_AS_COUNT(R, inlinks), .help = "links of sources; at most 100"},
    {"snippet", "", FG_AS_MARKED(R, snippet), .help = "a passage with what was found"},
    {"snippet_parts", NULL, FG_AS_TEXTS(R, parts),
     .help = "the snippet in parts: every second one is a word that was found"},
    {"others", NULL, FG_AS_TEXTS(R, others), .help = "pages that say nearly the same"},
    {"promoted", NULL, FG_AS_YES(R, is_promoted),
     .help = "it stands here by chance, so that people get to know it"},
    {"token", NULL, FG_AS_TEXT(R, token), .is_null_if_empty = true,
     .help = "to tell what became of it: 'forage import feedback'"},
    {NULL, "", FG_AS_LINES(R, mark)},
    {NULL, "", FG_AS_LINES(R, also)},
    {0},
};
#undef R

/* An advertisement is never shown without its label. */
struct ad {
    struct fg_str label, title, url, text, token;
};

#define S struct ad
static const struct fg_field ad_fields[] = {
    {"label", "", FG_AS_TEXT(S, label), .help = "says that it is paid for"},
    {"title", "title", FG_AS_TEXT(S, title)},
    {"url", "url", FG_AS_URL(S, url)},
    {"text", "", FG_AS_TEXT(S, text)},
    {"token", NULL, FG_AS_TEXT(S, token), .help = "for 'forage ads click'"},
    {0},
};
#undef S

struct answer {
    struct fg_search_shown shown; /* first: it is what is given */
    struct fg_rows ads;
    struct fg_rows rows;
    struct fg_str query, next, instead, said, more;
    uint64_t matches, with_all;
};

#define A struct answer
static const struct fg_field answer_fields[] = {
    {"query", NULL, FG_AS_TEXT(A, query)},
    {"matches", NULL, FG_AS_COUNT(A, matches),
     .help = "pages with any of the words, as far as they were looked at"},
    {"with_all", NULL, FG_AS_COUNT(A, with_all),
     .help = "those with all of them; of more than some 100,000 a part is counted"},
    {"sponsored", "", FG_AS_ROWS(A, ads, ad_fields), .style = FG_ROWS_LINES,
     .help = "advertisements, if ads.enabled is set"},
    {"results", "", FG_AS_ROWS(A, rows, fields), .style = FG_ROWS_LINES,
     .is_sheet = true},
    {"next", NULL, FG_AS_TEXT(A, next), .is_null_if_empty = true,
     .help = "for --after, to go on"},
    {"did_you_mean", NULL, FG_AS_TEXT(A, instead), .is_null_if_empty = true,
     .help = "words that are known, where no page has all of these"},
    {NULL, "", FG_AS_TEXT(A, said), .is_title = true},
    {NULL, "", FG_AS_TEXT(A, more), .is_title = true},
    {0},
};
#undef A

/* --- asking --- */

struct filter {
    const struct fg_look *look;
    struct fg_str tag;
    struct fg_arena arena;
};

static bool allows(void *context, const struct fg_page_row *page)
{
    struct filter *filter = context;
    const struct fg_site_row *site = fg_look_site(filter->look, page->site);
    if (!site || fg_site_is_removed(site))
        return false;
    if (!filter->tag.len)
        return true;
    fg_arena_reset(&filter->arena);
    return fg_tags_have(
        fg_look_tags(filter->look, &filter->arena, page->site, page->page), filter->tag);
}

static struct fg_str name_others(struct fg_arena *arena, const struct fg_texts *others)
{
    struct fg_buf all;
    fg_buf_init(&all, 1 << 16);
    for (size_t i = 0; i < others->len; i++)
        fg_buf_printf(&all, "%s%.*s", i ? "\n      " : "also: ", FG_ARG(others->at[i]));
    struct fg_str text = fg_arena_dup(arena, fg_buf_str(&all));
    fg_buf_clear(&all);
    return text;
}

/* How results are ranked by what people made of them, as the settings say. */
static struct fg_ranking ranking_of(const struct fg_crawl_options *settings)
{
    const struct fg_ranking_options *o = &settings->keeping.ranking;
    return (struct fg_ranking){
        .policy = fg_rank_policy_find(fg_str_from(fg_ranking_names[o->policy])),
        .degree = o->degree,
        .start = o->start,
        .seed = fg_feedback_view() >> 32};
}

/* A token for each result; none where the key cannot be had, on a medium that is
 * read-only. */
static void add_tokens(struct row *rows, const struct fg_look *look,
                       const struct fg_search_answer *found)
{
    struct fg_feedback_key key;
    uint64_t view = fg_feedback_view();
    if (!found->n ||
        fg_feedback_key(&key, look->store, fg_workspace_store(&look->place), NULL))
        return;
    for (size_t i = 0; i < found->n; i++) {
        const struct fg_search_result *result = &found->results[i];
        rows[i].token =
            fg_feedback_token(look->texts, &key,
                              &(struct fg_shown){.site = result->page.site,
                                                 .page = result->page.page,
                                                 .place = result->place,
                                                 .is_promoted = result->is_promoted,
                                                 .time = fg_time_now(),
                                                 .view = view});
    }
}

/* Cut where marks begin and end; a part may be empty. */
static struct fg_texts parts_of(struct fg_arena *arena, const struct fg_marked *snippet)
{
    struct fg_str *parts = FG_NEW(arena, struct fg_str, 2 * snippet->n_marks + 1);
    size_t n = 0, from = 0;
    for (size_t i = 0; i < snippet->n_marks; i++) {
        parts[n++] = fg_str_sub(snippet->text, from, snippet->marks[i].from);
        parts[n++] =
            fg_str_sub(snippet->text, snippet->marks[i].from, snippet->marks[i].to);
        from = snippet->marks[i].to;
    }
    parts[n++] = fg_str_skip(snippet->text, from);
    return (struct fg_texts){parts, n};
}

static struct row row_of(const struct fg_look *look,
                         const struct fg_search_result *result)
{
    const struct fg_page_row *page = &result->page;
    const struct fg_site_row *site = fg_look_site(look, page->site);
    struct row row = {.title = page->title,
                      .url = page->url,
                      .site = site ? site->key : FG_STR(""),
                      .language = page->language,
                      .snippet = result->snippet,
                      .parts = parts_of(look->texts, &result->snippet),
                      .others = {result->others, result->n_others},
                      .score = result->score,
                      .inlinks = result->inlinks,
                      .is_promoted = result->is_promoted,
                      .found = page->first_seen};
    row.date = page->published != FG_NEVER ? page->published : page->first_seen;
    if (row.is_promoted)
        row.mark = FG_STR("promoted: few have seen this page yet");
    row.also = name_others(look->texts, &row.others);
    return row;
}

static void fill(struct answer *a, const struct fg_look *look,
                 const struct fg_search_answer *found, bool has_tokens)
{
    struct row *rows = FG_NEW(look->texts, struct row, found->n + 1);
    for (size_t i = 0; i < found->n; i++)
        rows[i] = row_of(look, &found->results[i]);
    if (has_tokens)
        add_tokens(rows, look, found);
    a->rows = (struct fg_rows){.at = rows, .len = found->n, .size = sizeof *rows};
    a->matches = found->matches;
    a->with_all = found->with_all;
    a->next = found->next;
    a->instead = found->instead;
    a->shown.n = found->n;
    if (found->instead.len)
        a->said =
            fg_arena_printf(look->texts, "%s; did you mean: %.*s",
                            found->n ? "no page has all of these words" : "nothing found",
                            FG_ARG(found->instead));
    else if (!found->n)
        a->said = FG_STR("nothing found");
    if (found->next.len)
        a->more = fg_arena_printf(look->texts, "more: --after %.*s", FG_ARG(found->next));
}

static void fill_ads(struct answer *a, const struct fg_look *look,
                     const struct fg_ads_shown *shown)
{
    size_t n = shown ? shown->n : 0;
    struct ad *rows = FG_NEW(look->texts, struct ad, n + 1);
    for (size_t i = 0; i < n; i++)
        rows[i] = (struct ad){FG_STR("sponsored"), shown->at[i].title, shown->at[i].url,
                              shown->at[i].text, shown->at[i].token};
    a->ads = (struct fg_rows){.at = rows, .len = n, .size = sizeof *rows};
}

/* The words without `site:NAME`, which stands for --site where people can only type
 * words; the last one counts. Quotes keep it as text. */
static struct fg_str take_site(struct fg_arena *arena, struct fg_str words,
                               struct fg_str *site)
{
    static const char mark[] = "site:";
    char *kept = fg_arena_bytes(arena, words.len + 1);
    bool is_quoted = false;
    size_t n = 0;
    for (size_t at = 0; at < words.len;) {
        struct fg_str rest = fg_str_skip(words, at);
        bool begins = !is_quoted && (!at || fg_is_space(words.at[at - 1]));
        size_t len = 0;
        while (begins && len < rest.len && !fg_is_space(rest.at[len]))
            len++;
        if (len > sizeof mark - 1 &&
            fg_str_eq_nocase(fg_str_sub(rest, 0, sizeof mark - 1), fg_str_from(mark))) {
            *site = fg_arena_dup(arena, fg_str_sub(rest, sizeof mark - 1, len));
            at += len;
            continue;
        }
        is_quoted ^= words.at[at] == '"';
        kept[n++] = words.at[at++];
    }
    return (struct fg_str){kept, n};
}

static enum fg_status ask(const void **answer, const struct fg_asking *asking,
                          struct fg_err *err)
{
    const struct fg_search_ask *q = asking->question;
    struct fg_look *look = asking->look;
    struct answer *a = FG_NEW(look->texts, struct answer, 1);
    struct filter filter = {.look = look, .tag = q->tag};
    struct fg_search_answer found;
    struct fg_str site = q->site;
    struct fg_search_question question = {
        .words = take_site(look->texts, asking->subject, &site),
        .language = q->language,
        .sort = (enum fg_search_sort)q->sort,
        .limit = (size_t)q->limit,
        .ranking = ranking_of(look->place.settings),
        .after = q->after,
        .allows = allows,
        .context = &filter};
    question.scoring.kind = (enum fg_score_kind)q->score;
    a->query = asking->subject;
    fill_ads(a, look, q->sponsored);
    *answer = a;
    enum fg_status st = fg_look_since(look, "--since", q->since, &question.since, err);
    if (!st && site.len)
        st = fg_look_find_site(look, site, &question.site, err);
    if (!st)
        st = fg_search(&found, look->texts, look->store, &question, err);
    if (!st)
        fill(a, look, &found, question.ranking.policy != NULL);
    fg_arena_clear(&filter.arena);
    return st;
}

/* --- beside the first results --- */

/* Who does not want a word does not want ads for it. */
static struct fg_str wanted_words(struct fg_arena *arena, struct fg_str words)
{
    struct fg_query *query = FG_NEW(arena, struct fg_query, 1);
    struct fg_buf wanted;
    if (fg_query_read(query, arena, words, NULL, 0, NULL))
        return FG_STR(""); /* who asks for nothing, or for too much, gets no answer */
    fg_buf_init(&wanted, FG_QUERY_BYTES + FG_QUERY_GROUPS);
    for (size_t i = 0; i < query->n; i++)
        if (!query->groups[i].is_unwanted)
            fg_buf_printf(&wanted, " %.*s", FG_ARG(query->words[i]));
    struct fg_str kept = fg_arena_dup(arena, fg_str_trim(fg_buf_str(&wanted)));
    fg_buf_clear(&wanted);
    return kept;
}

struct fg_ads_shown fg_search_ads(struct fg_ads *ads, struct fg_arena *arena,
                                  struct fg_str words, const struct fg_search_ask *ask)
{
    struct fg_ads_shown shown = {0};
    struct fg_str site;
    if (!ads || ask->after.len)
        return shown;
    words = wanted_words(arena, take_site(arena, words, &site));
    if (words.len && fg_ads_for(ads, &shown, arena, words, fg_time_now(), NULL))
        shown.n = 0;
    return shown;
}

void fg_search_count(struct fg_arena *arena, const char *place,
                     const struct fg_crawl_options *settings, struct fg_str words,
                     const struct fg_search_ask *ask)
{
    struct fg_str site, text = fg_query_normal(arena, take_site(arena, words, &site));
    if (settings->keeping.search_log && !ask->after.len && text.len)
        fg_store_note_query(place, (int32_t)(fg_time_now() / FG_DAY), text, NULL);
}

/* --- the view --- */

static const char *const sorts[] = {"score", "date", NULL};
static const char *const scores[] = {"mixed", "bm25", "tfidf", "inlinks", NULL};

static const struct fg_opt question[] = {
    {"site", FG_STRING(struct fg_search_ask, site), .arg = "SITE",
     .help = "of this site only: its host name or address"},
    {"since", FG_STRING(struct fg_search_ask, since), .letter = 's', .arg = "SPAN|DATE",
     .help = "published, or found, in this span up to now, or since a date"},
    {"tag", FG_STRING(struct fg_search_ask, tag), .arg = "TAG",
     .help = "of sites or pages with this tag only"},
    {"lang", FG_STRING(struct fg_search_ask, language), .arg = "CODE",
     .help = "pages in this language only: en, de, ..."},
    {"sort", FG_ENUM(struct fg_search_ask, sort, sorts), "score",
     .help = "the best first, or the newest of the 10,000 best"},
    {"score", FG_ENUM(struct fg_search_ask, score, scores), "mixed",
     .help = "how pages are compared; see docs/search.md"},
    {"limit", FG_INT(struct fg_search_ask, limit), "10", .letter = 'n', .min = 1,
     .max = 100, .help = "results, at most"},
    {"after", FG_STRING(struct fg_search_ask, after), .arg = "CURSOR",
     .help = "go on behind the results that ended with this cursor"},
    {0},
};

static const struct fg_view_example examples[] = {
    {"mushrooms", "pages about mushrooms, with the passage that says so"},
    {"'\"porcini risotto\" truff* -oil' --since 30d --json",
     "a phrase, a beginning of words, and what must not occur, for a script"},
    {"harvest --site news.example --sort date --limit 20", "the newest of one site"},
    {0},
};

const struct fg_view fg_view_search = {
    .name = "search",
    .subject = "WORDS",
    .summary = "find pages by what they say",
    .about =
        "Searches titles, main texts and the words of links to a page. Pages with all "
        "the words come first. \"Words in quotes\" must occur as a phrase, word* stands "
        "for all words that begin so, -word must not occur, and site:NAME is --site "
        "NAME; "
        "everything else is text. "
        "Words are compared by their stems and without accents. Pages that say nearly "
        "the same are one result. A page can be found as soon as it is stored; lists, "
        "feeds and pages whose owners object are not found. Works while a crawl runs.",
    .question = question,
    .question_size = sizeof(struct fg_search_ask),
    .settings = "workspace search.log search.ranking search.degree search.start ads",
    .examples = examples,
    .answer = FG_RECORD_OF(answer_fields),
    .ask = ask,
};
