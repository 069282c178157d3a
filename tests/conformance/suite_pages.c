/* Real pages: what our one pass finds against what parse5 and whatwg-url found. */
#include "conformance/suite.h"

#include "base/buf.h"
#include "base/vec.h"
#include "net/charset/charset.h"
#include "net/html/page.h"
#include "net/url/url.h"

#include <stdlib.h>
#include <zlib.h>

struct strs {
    FG_VEC(struct fg_str) list;
};

struct visit {
    struct fg_arena arena;
    struct fg_page page;
    struct fg_url base;
    const struct fg_encoding *encoding;
    const json_t *truth;
    const char *id;
};

static struct fg_str gunzip(struct fg_arena *arena, struct fg_str packed, size_t bytes)
{
    char *out = fg_arena_bytes(arena, bytes + 1);
    z_stream z = {.next_in = (Bytef *)(uintptr_t)packed.at,
                  .avail_in = (uInt)packed.len,
                  .next_out = (Bytef *)out,
                  .avail_out = (uInt)bytes};
    if (inflateInit2(&z, 16 + MAX_WBITS) != Z_OK)
        return (struct fg_str){0};
    inflate(&z, Z_FINISH);
    inflateEnd(&z);
    return (struct fg_str){out, (size_t)((char *)z.next_out - out)};
}

static void encode_query(struct fg_buf *out, struct fg_str query, void *context)
{
    const struct fg_encoding *const *encoding = context;
    fg_charset_encode(out, *encoding, query);
}

static bool resolve(struct visit *visit, struct fg_url *url, struct fg_str href)
{
    struct fg_url_encoder encoder = {encode_query, (void *)&visit->encoding};
    return fg_url_parse_encoded(url, &visit->arena, href, &visit->base, &encoder) &&
           fg_url_is_http(url);
}

static int by_bytes(const void *a, const void *b)
{
    return fg_str_cmp(*(const struct fg_str *)a, *(const struct fg_str *)b);
}

static void sort_unique(struct strs *s)
{
    size_t n = 0;
    if (s->list.len)
        qsort(s->list.at, s->list.len, sizeof *s->list.at, by_bytes);
    for (size_t i = 0; i < s->list.len; i++)
        if (i == 0 || !fg_str_eq(s->list.at[i], s->list.at[n - 1]))
            s->list.at[n++] = s->list.at[i];
    s->list.len = n;
}

static const char *const element[] = {
    [FG_FROM_A] = "a",           [FG_FROM_AREA] = "area",   [FG_FROM_LINK] = "link",
    [FG_FROM_IFRAME] = "iframe", [FG_FROM_FRAME] = "frame", [FG_FROM_REFRESH] = "refresh",
    [FG_FROM_SVG_A] = "svg-a"};

static struct strs our_links(struct visit *visit, enum fg_link_from from)
{
    struct strs found = {0};
    for (size_t i = 0; i < visit->page.n_links; i++) {
        const struct fg_link *link = &visit->page.links[i];
        struct fg_url url;
        if (link->from == from && resolve(visit, &url, link->href))
            fg_vec_push_in(&visit->arena, &found.list, url.href);
    }
    return found;
}

static struct strs their_links(struct visit *visit, enum fg_link_from from)
{
    struct strs found = {0};
    const json_t *links = json_object_get(visit->truth, "links");
    for (size_t i = 0; i < json_array_size(links); i++) {
        const json_t *link = json_array_get(links, i), *url = json_array_get(link, 1);
        if (strcmp(json_string_value(json_array_get(link, 0)), element[from]) != 0)
            continue;
        struct fg_str s = {json_string_value(url), json_string_length(url)};
        fg_vec_push_in(&visit->arena, &found.list, s);
    }
    return found;
}

static bool same(const struct strs *a, const struct strs *b)
{
    if (a->list.len != b->list.len)
        return false;
    for (size_t i = 0; i < a->list.len; i++)
        if (!fg_str_eq(a->list.at[i], b->list.at[i]))
            return false;
    return true;
}

static void show_difference(struct suite *suite, const struct strs *ours,
                            const struct strs *theirs)
{
    size_t i = 0, k = 0;
    for (int shown = 0; shown < 6 && (i < ours->list.len || k < theirs->list.len);) {
        int order = i == ours->list.len ? 1
                    : k == theirs->list.len
                        ? -1
                        : fg_str_cmp(ours->list.at[i], theirs->list.at[k]);
        if (order)
            suite_detail(suite, "%s %.*s", order < 0 ? "only ours:  " : "only theirs:",
                         FG_ARG(order < 0 ? ours->list.at[i] : theirs->list.at[k]));
        shown += order != 0;
        i += order <= 0;
        k += order >= 0;
    }
}

/* The set of links from one kind of element. */
static void check_links(struct suite *suite, struct visit *visit, enum fg_link_from from)
{
    struct strs ours = our_links(visit, from), theirs = their_links(visit, from);
    sort_unique(&ours);
    sort_unique(&theirs);
    bool passed = same(&ours, &theirs);
    suite_case(suite, passed, "%s", visit->id);
    if (!passed)
        show_difference(suite, &ours, &theirs);
}

/* All links of a kind, in order and with their number; `a` elements are not compared so,
 * since the tree repeats those that are not closed in order. */
static void check_lists(struct suite *suite, struct visit *visit)
{
    static const enum fg_link_from kinds[] = {FG_FROM_LINK, FG_FROM_AREA, FG_FROM_IFRAME,
                                              FG_FROM_FRAME, FG_FROM_SVG_A};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct strs ours = our_links(visit, kinds[i]),
                    theirs = their_links(visit, kinds[i]);
        if (!ours.list.len && !theirs.list.len)
            continue;
        bool passed = same(&ours, &theirs);
        suite_case(suite, passed, "%s %s", visit->id, element[kinds[i]]);
        if (!passed)
            suite_detail(suite, "ours %zu, theirs %zu", ours.list.len, theirs.list.len);
    }
}

static void check_a(struct suite *suite, struct visit *visit)
{
    check_links(suite, visit, FG_FROM_A);
}

static void check_str(struct suite *suite, struct visit *visit, struct fg_str ours,
                      struct fg_str theirs)
{
    bool passed = fg_str_eq(ours, theirs) && !ours.at == !theirs.at;
    suite_case(suite, passed, "%s", visit->id);
    if (!passed) {
        suite_detail(suite, "ours   '%.*s'", FG_ARG(ours));
        suite_detail(suite, "theirs '%.*s'", FG_ARG(theirs));
    }
}

static void check_title(struct suite *suite, struct visit *visit)
{
    check_str(suite, visit, visit->page.title, suite_str(visit->truth, "title"));
}

static void check_base(struct suite *suite, struct visit *visit)
{
    struct fg_str theirs = suite_str(visit->truth, "base");
    check_str(suite, visit, visit->page.base, theirs.at ? fg_str_trim(theirs) : theirs);
}

/* Only the html element's: the reference does not look at metas. */
static void check_lang(struct suite *suite, struct visit *visit)
{
    struct fg_str theirs = suite_str(visit->truth, "lang");
    if (theirs.len)
        check_str(suite, visit, visit->page.language, theirs);
}

static void check_canonical(struct suite *suite, struct visit *visit)
{
    struct fg_url url = {0};
    if (visit->page.canonical.at)
        resolve(visit, &url, visit->page.canonical);
    check_str(suite, visit, url.href, suite_str(visit->truth, "canonical"));
}

static void check_robots(struct suite *suite, struct visit *visit)
{
    const json_t *theirs = json_object_get(visit->truth, "robots");
    size_t n = 0;
    bool passed = true;
    for (size_t i = 0; i < visit->page.n_metas; i++) {
        const struct fg_meta *meta = &visit->page.metas[i];
        const json_t *content = json_array_get(theirs, n);
        if (!fg_str_eq_nocase(meta->name, FG_STR("robots")))
            continue;
        passed &= n++ < json_array_size(theirs) &&
                  fg_str_eq(meta->content, fg_str_from(json_string_value(content)));
    }
    suite_case(suite, passed && n == json_array_size(theirs), "%s", visit->id);
}

static void check_refresh(struct suite *suite, struct visit *visit)
{
    struct fg_str theirs = suite_str(visit->truth, "refresh");
    struct fg_refresh refresh = {0};
    bool has = theirs.at && fg_refresh_parse(&refresh, &visit->arena, theirs);
    suite_case(suite,
               has == visit->page.has_refresh &&
                   refresh.seconds == visit->page.refresh.seconds &&
                   fg_str_eq(refresh.url, visit->page.refresh.url),
               "%s", visit->id);
}

static void find_base(struct visit *visit, struct fg_str url)
{
    struct fg_url own;
    fg_url_parse(&own, &visit->arena, url, NULL);
    visit->base = own;
    struct fg_url base;
    if (visit->page.base.at &&
        fg_url_parse(&base, &visit->arena, visit->page.base, &own) &&
        !fg_str_eq(fg_url_scheme(&base), FG_STR("data")) &&
        !fg_str_eq(fg_url_scheme(&base), FG_STR("javascript")))
        visit->base = base;
}

/* Where the reference took another encoding, the case is named for the reason. */
static const char *charset_kind(const struct visit *visit, struct fg_charset charset)
{
    if (fg_str_eq_nocase(suite_str(visit->truth, "encoding"),
                         fg_str_from(fg_encoding_name(charset.encoding))))
        return "";
    if (charset.source == FG_CHARSET_DECLARED)
        return "late charset: ";
    bool guessed =
        charset.source == FG_CHARSET_GUESSED || charset.source == FG_CHARSET_VALID;
    return guessed ? "guessed charset: " : "";
}

static bool read_page(struct suite *suite, struct visit *visit, const json_t *entry)
{
    struct fg_str packed;
    const char *file = json_string_value(json_object_get(entry, "file"));
    if (!suite_read(suite, file, &packed))
        return false;
    size_t bytes = (size_t)json_integer_value(json_object_get(entry, "bytes"));
    struct fg_str body = gunzip(&visit->arena, packed, bytes);
    struct fg_charset charset =
        fg_charset_of_html(body, suite_str(entry, "http_charset"));
    visit->encoding = charset.encoding;
    struct fg_str text = fg_charset_decode(&visit->arena, charset, body);
    fg_page_read(&visit->page, &visit->arena, text, FG_PAGE_ALL);
    visit->id = fg_arena_printf(&visit->arena, "%s%s", charset_kind(visit, charset),
                                json_string_value(json_object_get(entry, "id")))
                    .at;
    find_base(visit, suite_str(entry, "url"));
    return true;
}

static const json_t *truth_of(const json_t *truths, const char *id)
{
    for (size_t i = 0; i < json_array_size(truths); i++) {
        const json_t *truth = json_array_get(truths, i);
        if (strcmp(json_string_value(json_object_get(truth, "id")), id) == 0)
            return truth;
    }
    return NULL;
}

static void run(struct suite *suite)
{
    static const struct {
        const char *name;
        void (*check)(struct suite *suite, struct visit *visit);
    } parts[] = {{"a-links", check_a},     {"other-links", check_lists},
                 {"title", check_title},   {"canonical", check_canonical},
                 {"robots", check_robots}, {"refresh", check_refresh},
                 {"base", check_base},     {"lang", check_lang}};
    json_t *manifest = suite_json_lines(suite, "manifest.jsonl.gz");
    json_t *truths = suite_json_lines(suite, "links.jsonl.gz");
    if (!manifest || !truths)
        printf("%s: no manifest or no links, not run\n", suite->folder);
    size_t n = manifest && truths ? json_array_size(manifest) : 0, read = 0;
    struct visit *visits = calloc(n + 1, sizeof *visits);
    for (size_t i = 0; i < n; i++) {
        const json_t *entry = json_array_get(manifest, i);
        visits[read].truth =
            truth_of(truths, json_string_value(json_object_get(entry, "id")));
        read += visits[read].truth && read_page(suite, &visits[read], entry);
    }
    for (size_t p = 0; p < sizeof parts / sizeof *parts && read; p++) {
        suite_part(suite, parts[p].name);
        for (size_t i = 0; i < read; i++)
            parts[p].check(suite, &visits[i]);
    }
    for (size_t i = 0; i < read; i++)
        fg_arena_clear(&visits[i].arena);
    free(visits);
    json_decref(manifest);
    json_decref(truths);
}

int main(void)
{
    return suite_main("pages", run);
}
