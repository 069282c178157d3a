/* cmd_links.c - forage links: what a crawler sees in an HTML page */
#include "cli/cli.h"
#include "net/charset/charset.h"
#include "net/html/page.h"
#include "net/robots/robots_tag.h"
#include "net/url/url.h"

struct options {
    struct fg_str base, charset;
    bool text, json;
};

static const struct fg_opt options[] = {
    {"base", FG_STRING(struct options, base), .letter = 'b', .arg = "URL",
     .help = "the address of the page, against which its links are resolved"},
    {"charset", FG_STRING(struct options, charset), .arg = "LABEL",
     .help = "the charset of the Content-Type header, if there was one"},
    {"text", FG_BOOL(struct options, text), .letter = 't',
     .help = "print the visible text instead of the links"},
    {"json", FG_BOOL(struct options, json), .letter = 'j',
     .help = "everything as JSON, the text included"},
    {0},
};

struct view {
    struct fg_cli *cli;
    struct fg_charset charset;
    struct fg_page page;
    struct fg_robots_tags tags;
    struct fg_url base;
    bool has_base;
};

static void encode_query(struct fg_buf *out, struct fg_str query, void *encoding)
{
    fg_charset_encode(out, encoding, query);
}

/* Resolved where that is possible, else as written. On a page in a legacy encoding the
 * query is written in that encoding. */
static struct fg_str resolved(struct view *v, struct fg_str href)
{
    struct fg_url_encoder encoder = {encode_query, (void *)v->charset.encoding};
    struct fg_url url;
    bool ok = fg_url_parse_encoded(&url, v->cli->arena, href,
                                   v->has_base ? &v->base : NULL, &encoder);
    return ok ? url.href : href;
}

/* The base element is itself relative to the address of the page. */
static void heed_base_element(struct view *v)
{
    struct fg_url base;
    if (v->page.base.at &&
        fg_url_parse(&base, v->cli->arena, v->page.base, v->has_base ? &v->base : NULL)) {
        v->base = base;
        v->has_base = true;
    }
}

static const char *from_name(enum fg_link_from from)
{
    static const char *const names[] = {
        [FG_FROM_A] = "a",         [FG_FROM_AREA] = "area",
        [FG_FROM_LINK] = "link",   [FG_FROM_IFRAME] = "iframe",
        [FG_FROM_FRAME] = "frame", [FG_FROM_REFRESH] = "refresh",
        [FG_FROM_SVG_A] = "svg:a",
    };
    return names[from];
}

struct word {
    unsigned flag;
    const char *name;
};

static const struct word rels[] = {
    {FG_REL_NOFOLLOW, "nofollow"},
    {FG_REL_UGC, "ugc"},
    {FG_REL_SPONSORED, "sponsored"},
    {FG_REL_ALTERNATE, "alternate"},
    {FG_REL_CANONICAL, "canonical"},
    {FG_REL_NEXT, "next"},
    {FG_REL_PREV, "prev"},
    {FG_REL_AMPHTML, "amphtml"},
    {FG_REL_ICON, "icon"},
    {FG_REL_STYLESHEET, "stylesheet"},
    {FG_REL_FEED, "feed"},
    {FG_REL_HUB, "hub"},
    {FG_REL_SELF, "self"},
    {FG_REL_SHORTLINK, "shortlink"},
    {FG_REL_TAG, "tag"},
    {FG_REL_AUTHOR, "author"},
    {FG_REL_LICENSE, "license"},
    {FG_REL_HINT, "hint"},
    {0, NULL},
};

static const struct word tags[] = {
    {FG_NOINDEX, "noindex"},
    {FG_NOFOLLOW, "nofollow"},
    {FG_NOARCHIVE, "noarchive"},
    {FG_NOSNIPPET, "nosnippet"},
    {FG_NOIMAGEINDEX, "noimageindex"},
    {FG_NOTRANSLATE, "notranslate"},
    {FG_NOODP, "noodp"},
    {FG_NOAI, "noai"},
    {FG_NOIMAGEAI, "noimageai"},
    {FG_INDEXIFEMBEDDED, "indexifembedded"},
    {0, NULL},
};

static void json_words(struct fg_json *json, const char *key, const struct word *words,
                       unsigned flags)
{
    fg_json_key(json, key);
    fg_json_array(json);
    for (; words->name; words++)
        if (flags & words->flag)
            fg_json_cstr(json, words->name);
    fg_json_end(json);
}

static struct fg_str joined(struct fg_arena *arena, const struct word *words,
                            unsigned flags)
{
    struct fg_str text = FG_STR("");
    for (; words->name; words++)
        if (flags & words->flag)
            text = fg_arena_printf(arena, "%.*s%s%s", FG_ARG(text), text.len ? " " : "",
                                   words->name);
    return text;
}

static void json_link(struct fg_json *json, struct view *v, const struct fg_link *link)
{
    fg_json_object(json);
    fg_json_pair_cstr(json, "from", from_name(link->from));
    fg_json_pair(json, "url", resolved(v, link->href));
    fg_json_pair(json, "href", link->href);
    json_words(json, "rel", rels, link->rel);
    fg_json_pair_bool(json, "feed", fg_link_is_feed(link));
    if (link->words.len)
        fg_json_pair(json, "words", link->words);
    if (link->type.len)
        fg_json_pair(json, "type", link->type);
    if (link->hreflang.len)
        fg_json_pair(json, "hreflang", link->hreflang);
    fg_json_end(json);
}

static void json_head(struct fg_json *json, struct view *v)
{
    const struct fg_page *page = &v->page;
    fg_json_pair(json, "title", page->title);
    fg_json_pair(json, "language", page->language);
    fg_json_pair_cstr(json, "charset", fg_encoding_name(v->charset.encoding));
    fg_json_pair_cstr(json, "charset_from", fg_charset_source_name(v->charset.source));
    fg_json_pair(json, "base", v->has_base ? v->base.href : (struct fg_str){0});
    fg_json_pair(json, "canonical",
                 page->canonical.at ? resolved(v, page->canonical) : page->canonical);
    json_words(json, "robots", tags, v->tags.flags);
    fg_json_key(json, "metas");
    fg_json_array(json);
    for (size_t i = 0; i < page->n_metas; i++) {
        fg_json_object(json);
        fg_json_pair(json, "name", page->metas[i].name);
        fg_json_pair(json, "content", page->metas[i].content);
        fg_json_end(json);
    }
    fg_json_end(json);
}

static void print_json(struct view *v)
{
    struct fg_out *out = &v->cli->out;
    struct fg_json json = fg_json_to(&out->buf);
    fg_json_object(&json);
    json_head(&json, v);
    fg_json_key(&json, "links");
    fg_json_array(&json);
    for (size_t i = 0; i < v->page.n_links; i++)
        json_link(&json, v, &v->page.links[i]);
    fg_json_end(&json);
    fg_json_key(&json, "json_ld");
    fg_json_array(&json);
    for (size_t i = 0; i < v->page.n_json_ld; i++)
        fg_json_str(&json, v->page.json_ld[i]);
    fg_json_end(&json);
    fg_json_pair(&json, "text", v->page.text);
    fg_json_end(&json);
    fg_out_puts(out, "\n");
}

static void print_head(struct view *v)
{
    struct fg_out *out = &v->cli->out;
    fg_out_field(out, "title", v->page.title);
    fg_out_field(out, "language", v->page.language);
    fg_out_field(out, "charset",
                 fg_arena_printf(v->cli->arena, "%s (%s)",
                                 fg_encoding_name(v->charset.encoding),
                                 fg_charset_source_name(v->charset.source)));
    if (v->page.canonical.at)
        fg_out_field(out, "canonical", resolved(v, v->page.canonical));
    fg_out_field(out, "robots", joined(v->cli->arena, tags, v->tags.flags));
}

static void print_links(struct view *v)
{
    struct fg_out *out = &v->cli->out;
    for (size_t i = 0; i < v->page.n_links; i++) {
        const struct fg_link *link = &v->page.links[i];
        struct fg_str rel = joined(v->cli->arena, rels, link->rel);
        fg_out_field(out, from_name(link->from), resolved(v, link->href));
        if (rel.len || link->words.len) {
            fg_out_puts(out, "           ");
            fg_out_text(out, link->words);
            fg_out_printf(out, "%s%s%s%s\n", link->words.len && rel.len ? " " : "",
                          rel.len ? "[" : "", rel.at, rel.len ? "]" : "");
        }
    }
}

/* Its lines are ours to break, but what is in them is not ours to trust. */
static void print_page_text(struct view *v)
{
    struct fg_str rest = v->page.text, line;
    while (rest.len && fg_str_cut(&rest, '\n', &line)) {
        fg_out_text(&v->cli->out, line);
        fg_out_puts(&v->cli->out, "\n");
    }
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    struct view v = {.cli = cli, .has_base = o->base.at};
    struct fg_str bytes;
    if (o->charset.at && !fg_encoding_find(o->charset))
        return fg_fail(err, FG_ECONFIG, "--charset '%.*s' is not a known encoding",
                       FG_ARG(fg_str_sub(o->charset, 0, 60)));
    enum fg_status st = fg_cli_document(cli, o->base, 0, &v.base, &bytes, err);
    if (st)
        return st;
    v.charset = fg_charset_of_html(bytes, o->charset);
    fg_page_read(&v.page, cli->arena, fg_charset_decode(cli->arena, v.charset, bytes),
                 FG_PAGE_ALL);
    heed_base_element(&v);
    for (size_t i = 0; i < v.page.n_metas; i++)
        fg_robots_tags_add_meta(&v.tags, v.page.metas[i].name, v.page.metas[i].content,
                                cli->settings.crawl.robots_token);
    if (o->json) {
        print_json(&v);
    } else if (o->text) {
        print_page_text(&v);
    } else {
        print_head(&v);
        print_links(&v);
    }
    return FG_OK;
}

static const struct fg_example examples[] = {
    {"forage links page.html --base https://example.org/news/",
     "title, language, and each link with its words"},
    {"forage links page.html --text", "what a reader sees"},
    {"printf '<a href=/x rel=nofollow>more</a>' | forage links - --json",
     "for a script, from standard input"},
    {0},
};

const struct fg_command fg_cmd_links = {
    .name = "links",
    .words = "FILE",
    .summary = "show the links, title and text of an HTML page",
    .about =
        "Reads an HTML page from FILE, or '-' for standard input, finds its encoding "
        "and prints what the crawler takes from it. Links that cannot be resolved are "
        "printed as they are written.",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .options_size = sizeof(struct options),
    .settings = "fetch.max-body operator.token",
    .examples = examples,
    .run = run,
};
