/* feed.c - RSS, Atom, RDF, CDF and JSON feeds: the whole
 *
 * feed_reader.c reads the XML formats, feed_json.c the other one, feed_text.c what stands
 * in their fields, and feed_check.c says what was wrong. */
#include "net/feed/feed.h"

#include "net/feed/feed_parts.h"
#include "net/http/mime.h"

/* --- XML --- */

static void on_start(void *context, const struct fg_xml_tag *tag)
{
    fg_feed_reader_start(context, tag);
}

static void on_end(void *context)
{
    fg_feed_reader_end(context);
}

static void on_text(void *context, struct fg_str text)
{
    fg_feed_reader_text(context, text);
}

static struct fg_feed *read_xml(struct fg_arena *arena, struct fg_str bytes,
                                struct fg_str charset,
                                const struct fg_feed_options *options)
{
    static const struct fg_xml_handler handler = {on_start, on_end, on_text};
    struct fg_feed_reader reader;
    fg_feed_reader_init(&reader, arena, options);
    struct fg_xml *xml = fg_xml_new(&handler, &reader, charset);
    reader.xml = xml;
    fg_xml_feed(xml, bytes);
    fg_xml_finish(xml);
    fg_feed_reader_clear(&reader);
    struct fg_feed *feed = reader.feed;
    feed->xml = *fg_xml_problems(xml);
    feed->well_formed = fg_xml_is_well_formed(xml);
    feed->cut |= feed->xml.line[FG_XML_CUT] != 0;
    feed->encoding = fg_xml_encoding(xml);
    fg_xml_free(xml);
    return feed;
}

/* --- looking --- */

/* Without what may stand before the root element: blanks, comments, declarations. */
static struct fg_str skip_prolog(struct fg_str s)
{
    for (;;) {
        s = fg_str_trim(s);
        bool is_comment = fg_str_starts(s, FG_STR("<!--"));
        if (!is_comment && !fg_str_starts(s, FG_STR("<?")) &&
            !fg_str_starts(s, FG_STR("<!")))
            return s;
        size_t end = fg_str_find(s, is_comment ? FG_STR("-->") : FG_STR(">"));
        if (end == FG_NOT_FOUND)
            return (struct fg_str){0};
        s = fg_str_skip(s, end + (is_comment ? 3 : 1));
    }
}

enum fg_feed_kind fg_feed_sniff(struct fg_str bytes)
{
    enum { LOOK = 4096 };
    /* Without NULs and byte order marks UTF-16 and UTF-32 look like ASCII. */
    char look[LOOK];
    size_t n = 0;
    for (size_t i = 0; i < bytes.len && i < LOOK; i++)
        if (bytes.at[i] && (n || (unsigned char)bytes.at[i] < 0x80))
            look[n++] = bytes.at[i];
    struct fg_str s = skip_prolog((struct fg_str){look, n});
    if (fg_str_starts(s, FG_STR("{")))
        return fg_str_find(s, FG_STR("jsonfeed.org/version/")) != FG_NOT_FOUND ||
                       fg_str_find(s, FG_STR("jsonfeed.org\\/version\\/")) != FG_NOT_FOUND
                   ? FG_FEED_JSON
                   : FG_FEED_NONE;
    if (!fg_str_starts(s, FG_STR("<")))
        return FG_FEED_NONE;
    size_t end = 1, name = 1;
    for (; end < s.len && !fg_is_space(s.at[end]) && s.at[end] != '>' && s.at[end] != '/';
         end++)
        if (s.at[end] == ':')
            name = end + 1;
    return fg_feed_kind_of(FG_NS_ATOM, fg_str_sub(s, name, end));
}

const char *fg_feed_kind_name(enum fg_feed_kind kind)
{
    static const char *const names[] = {"none", "rss", "rdf", "atom", "cdf", "json"};
    return names[kind];
}

/* --- the whole --- */

/* charset='us-ascii' and charset= "us-ascii" are no quotes to the standard, but meant. */
static struct fg_str unquote(struct fg_str s)
{
    s = fg_str_trim(s);
    char quote = s.len >= 2 ? s.at[0] : '\0';
    if ((quote == '\'' || quote == '"') && s.at[s.len - 1] == quote)
        return fg_str_sub(s, 1, s.len - 1);
    return s;
}

const struct fg_feed *fg_feed_parse(struct fg_arena *arena, struct fg_str bytes,
                                    const struct fg_feed_options *options)
{
    static const struct fg_feed_options none = {0};
    options = options ? options : &none;
    bool is_long = bytes.len > FG_FEED_BYTES_MAX;
    bytes = fg_str_sub(bytes, 0, FG_FEED_BYTES_MAX);
    struct fg_mime mime = {0};
    struct fg_str charset = {0};
    bool has_type = fg_mime_extract(&mime, arena, options->content_type);
    if (has_type)
        charset = unquote(fg_mime_charset(&mime));
    struct fg_feed *feed;
    /* The version, by which we know it, may stand at the end. */
    bool is_called_json = fg_str_eq(mime.essence, FG_STR("application/feed+json"));
    if (fg_feed_sniff(bytes) == FG_FEED_JSON ||
        (is_called_json && fg_str_starts(fg_str_trim(bytes), FG_STR("{")))) {
        feed = fg_feed_new(arena);
        fg_feed_read_json(feed, arena, bytes, options);
    } else {
        feed = read_xml(arena, bytes, charset, options);
    }
    feed->cut |= is_long;
    feed->is_served_as_something = has_type && !fg_mime_is_xml(&mime) &&
                                   !fg_mime_is_json(&mime) &&
                                   !fg_str_starts(mime.subtype, FG_STR("xml"));
    fg_feed_check_whole(feed, arena, options);
    return feed;
}
