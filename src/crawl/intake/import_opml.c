#include "crawl/intake/imports.h"
#include "crawl/intake/seeds.h"
#include "net/feed/xml.h"

/* An outline, as its attributes have it. */
struct outline {
    struct fg_str text, title, type, xml_url, html_url, url, category;
    bool is_comment;
};

struct reader {
    struct fg_import *import;
    struct fg_xml *xml;
    struct fg_str tags[FG_XML_DEPTH_MAX + 1]; /* of what is within each open element */
    size_t depth;
    bool is_opml, has_body;
};

static struct outline read_outline(struct reader *r, const struct fg_xml_tag *tag)
{
    struct outline outline = {0};
    struct fg_str name, value, comment = {0};
    const struct {
        const char *name;
        struct fg_str *value;
    } attributes[] = {
        {"text", &outline.text},         {"title", &outline.title},
        {"type", &outline.type},         {"xmlurl", &outline.xml_url},
        {"htmlurl", &outline.html_url},  {"url", &outline.url},
        {"category", &outline.category}, {"iscomment", &comment},
    };
    for (int i = 0; fg_xml_attribute_at(tag, r->import->arena, i, &name, &value); i++)
        for (size_t k = 0; k < sizeof attributes / sizeof *attributes; k++)
            if (fg_str_eq_nocase(name, fg_str_from(attributes[k].name)))
                *attributes[k].value = fg_str_trim(value);
    outline.is_comment = fg_str_eq_nocase(comment, FG_STR("true"));
    return outline;
}

/* "/Science/Space,news": each part of each path is a tag. */
static struct fg_str add_categories(struct fg_import *import, struct fg_str tags,
                                    struct fg_str categories)
{
    struct fg_str category, part;
    while (categories.len && fg_str_cut(&categories, ',', &category))
        while (category.len && fg_str_cut(&category, '/', &part))
            tags = fg_import_tag(import, tags, part);
    return tags;
}

/* Some programs write feed:// or feed:https://. */
static struct fg_str without_feed_scheme(struct fg_import *import, struct fg_str url)
{
    if (fg_str_starts_nocase(url, FG_STR("feed://")))
        return fg_arena_printf(import->arena, "http://%.*s", FG_ARG(fg_str_skip(url, 7)));
    return fg_str_starts_nocase(url, FG_STR("feed:")) ? fg_str_skip(url, 5) : url;
}

/* Of a feed the page matters less: a bad address of it is no reason to refuse the file.
 */
static void add_site(struct fg_import *import, size_t line, const struct fg_seed *seed,
                     struct fg_str url, bool has_feed)
{
    struct fg_err err = {0};
    if (has_feed && fg_seed_check_url(url, &err))
        fg_import_tell(import, FG_IMPORT_LOST, line, "the page of a feed: %s", err.text);
    else
        fg_import_add(import, line, url, seed);
}

/* Commented out, or a list of its own. */
static bool is_skipped(struct fg_import *import, size_t line,
                       const struct outline *outline)
{
    bool is_include = fg_str_eq_nocase(outline->type, FG_STR("include"));
    if (!outline->is_comment && !is_include)
        return false;
    fg_import_tell(import, FG_IMPORT_SKIPPED, line, "'%.*s' %s",
                   FG_ARG(fg_str_sub(outline->text, 0, 100)),
                   is_include ? "includes another file; import that, too"
                              : "is commented out");
    return true;
}

static void take_outline(struct reader *r, const struct outline *outline,
                         struct fg_str tags)
{
    struct fg_import *import = r->import;
    size_t line = fg_xml_line(r->xml);
    bool is_rss = fg_str_eq_nocase(outline->type, FG_STR("rss"));
    struct fg_str feed = outline->xml_url, page = outline->html_url;
    if (!feed.len && is_rss)
        feed = outline->url;
    if (!feed.len && !page.len)
        page = outline->url;
    if (!feed.len && !page.len)
        return;
    import->entries++;
    if (is_skipped(import, line, outline))
        return;
    struct fg_seed seed = {
        .name =
            fg_import_name(import, outline->title.len ? outline->title : outline->text),
        .page_tags = add_categories(import, tags, outline->category),
    };
    if (feed.len) {
        struct fg_seed source = seed;
        source.is_feed = source.is_source = source.is_page_only = true;
        source.home = fg_import_name(import, page);
        fg_import_add(import, line, without_feed_scheme(import, feed), &source);
    }
    if (page.len && (!feed.len || import->with_sites))
        add_site(import, line, &seed, page, feed.len > 0);
}

static void on_start(void *context, const struct fg_xml_tag *tag)
{
    struct reader *r = context;
    struct fg_str around = r->tags[r->depth];
    if (r->depth < FG_XML_DEPTH_MAX)
        r->depth++;
    r->tags[r->depth] = around;
    if (fg_str_eq_nocase(tag->name, FG_STR("opml")))
        r->is_opml = true;
    else if (fg_str_eq_nocase(tag->name, FG_STR("body")))
        r->has_body = r->is_opml;
    if (!r->has_body || !fg_str_eq_nocase(tag->name, FG_STR("outline")))
        return;
    struct outline outline = read_outline(r, tag);
    take_outline(r, &outline, around);
    bool is_folder = !outline.xml_url.len && !outline.html_url.len && !outline.url.len;
    if (is_folder)
        r->tags[r->depth] = fg_import_tag(
            r->import, around, outline.text.len ? outline.text : outline.title);
}

static void on_end(void *context)
{
    struct reader *r = context;
    if (r->depth)
        r->depth--;
}

static void on_text(void *context, struct fg_str text)
{
    (void)context, (void)text;
}

enum fg_status fg_import_opml(struct fg_import *import, struct fg_str text,
                              struct fg_err *err)
{
    static const struct fg_xml_handler handler = {on_start, on_end, on_text};
    struct reader *r = FG_NEW(import->arena, struct reader, 1);
    r->import = import;
    r->xml = fg_xml_new(&handler, r, (struct fg_str){0});
    fg_xml_feed(r->xml, text);
    fg_xml_finish(r->xml);
    struct fg_xml_problems problems = *fg_xml_problems(r->xml);
    fg_xml_free(r->xml);
    if (!r->is_opml)
        return fg_fail(err, FG_EINPUT, "not OPML: it has no opml element");
    if (!r->has_body)
        return fg_fail(err, FG_EINPUT, "OPML without a body");
    if (problems.line[FG_XML_TRUNCATED])
        return fg_fail(err, FG_EINPUT, "it ends in the middle, on line %u",
                       problems.line[FG_XML_TRUNCATED]);
    if (problems.line[FG_XML_CUT])
        return fg_fail(err, FG_EINPUT,
                       "on line %u it is nested deeper, or a tag is "
                       "longer, than we read",
                       problems.line[FG_XML_CUT]);
    return FG_OK;
}
