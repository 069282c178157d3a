#include "net/feed/feed_write.h"

#include "base/utf8.h"

#include <stdio.h>

/* The characters of XML 1.0, section 2.2. */
static bool is_xml_char(uint32_t c)
{
    return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c <= 0xD7FF) ||
           (c >= 0xE000 && c <= 0xFFFD) || (c >= 0x10000 && c <= 0x10FFFF);
}

void fg_xml_escape(struct fg_buf *out, struct fg_str text)
{
    const char *at = text.at, *end = text.at + text.len;
    while (at < end) {
        uint32_t c = fg_utf8_take(&at, end);
        if (c == '<')
            fg_buf_add(out, FG_STR("&lt;"));
        else if (c == '>')
            fg_buf_add(out, FG_STR("&gt;"));
        else if (c == '&')
            fg_buf_add(out, FG_STR("&amp;"));
        else if (c == '"')
            fg_buf_add(out, FG_STR("&quot;"));
        else if (c == '\r')
            fg_buf_add(out, FG_STR("&#13;"));
        else
            fg_buf_add_utf8(out, is_xml_char(c) ? c : 0xFFFD);
    }
}

char *fg_rfc822_format(char out[static FG_RFC822_TEXT], fg_time time)
{
    static const char days[] = "ThuFriSatSunMonTueWed"; /* 1970 began on a Thursday */
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    int64_t second = time / FG_SECOND - (time % FG_SECOND < 0), year;
    int64_t day = second / 86400 - (second % 86400 < 0), of_day = second - day * 86400;
    int month, date, weekday = (int)((day % 7 + 7) % 7);
    fg_date_from_days(day, &year, &month, &date);
    snprintf(out, FG_RFC822_TEXT, "%.3s, %02d %.3s %04d %02d:%02d:%02d +0000",
             days + (size_t)weekday * 3, date, months + ((size_t)month - 1) * 3,
             (int)year, (int)(of_day / 3600), (int)(of_day / 60 % 60),
             (int)(of_day % 60));
    return out;
}

static void element(struct fg_buf *out, const char *indent, const char *name,
                    struct fg_str text)
{
    fg_buf_printf(out, "%s<%s>", indent, name);
    fg_xml_escape(out, text);
    fg_buf_printf(out, "</%s>\n", name);
}

static struct fg_str title_of(const struct fg_feed_entry *entry)
{
    return entry->title.len ? entry->title : entry->url;
}

static struct fg_str text_of(const struct fg_feed_entry *entry)
{
    return entry->text.len ? entry->text : entry->summary;
}

/* Browsers let stand what RFC 3986 has no room for; readers of feeds may not. */
static void address(struct fg_buf *out, struct fg_str url)
{
    for (size_t i = 0; i < url.len; i++) {
        unsigned char c = (unsigned char)url.at[i];
        if (c <= ' ' || c >= 0x7F || strchr("<>\"{}|\\^`", c))
            fg_buf_printf(out, "%%%02X", c);
        else
            fg_buf_add_char(out, (char)c);
    }
}

static void xml_address(struct fg_buf *out, struct fg_str url)
{
    struct fg_buf text;
    fg_buf_init(&text, SIZE_MAX);
    address(&text, url);
    fg_xml_escape(out, fg_buf_str(&text));
    fg_buf_clear(&text);
}

static void json_address(struct fg_json *json, const char *key, struct fg_str url)
{
    struct fg_buf text;
    fg_buf_init(&text, SIZE_MAX);
    address(&text, url);
    fg_json_pair(json, key, fg_buf_str(&text));
    fg_buf_clear(&text);
}

/* Readers take it for HTML, so it is made into that, and then escaped once more. */
static void paragraphs(struct fg_buf *out, struct fg_str text)
{
    struct fg_buf html;
    struct fg_str line;
    fg_buf_init(&html, SIZE_MAX);
    while (text.len && fg_str_cut(&text, '\n', &line)) {
        if (!line.len)
            continue;
        fg_buf_add(&html, FG_STR("<p>"));
        fg_xml_escape(&html, line);
        fg_buf_add(&html, FG_STR("</p>"));
    }
    fg_xml_escape(out, fg_buf_str(&html));
    fg_buf_clear(&html);
}

static struct fg_str about_of(const struct fg_feed_head *head)
{
    return head->about.len ? head->about : FG_STR("New pages, as they were found");
}

/* --- RSS 2.0 --- */

static void rss_date(struct fg_buf *out, const char *indent, const char *name,
                     fg_time time)
{
    char text[FG_RFC822_TEXT];
    element(out, indent, name, fg_str_from(fg_rfc822_format(text, time)));
}

static void rss_link(struct fg_buf *out, const char *indent, struct fg_str url)
{
    fg_buf_printf(out, "%s<link>", indent);
    xml_address(out, url);
    fg_buf_add(out, FG_STR("</link>\n"));
}

static void rss_head(struct fg_buf *out, const struct fg_feed_head *head)
{
    fg_buf_printf(
        out,
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
        "<rss version=\"2.0\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\"%s>\n"
        "  <channel>\n",
        head->self.len ? " xmlns:atom=\"http://www.w3.org/2005/Atom\"" : "");
    element(out, "    ", "title", head->title);
    rss_link(out, "    ", head->link);
    if (head->self.len) {
        fg_buf_add(
            out,
            FG_STR("    <atom:link rel=\"self\" type=\"application/rss+xml\" href=\""));
        xml_address(out, head->self);
        fg_buf_add(out, FG_STR("\"/>\n"));
    }
    element(out, "    ", "description", about_of(head));
    element(out, "    ", "generator", FG_STR("Forage " FG_VERSION));
    rss_date(out, "    ", "lastBuildDate", head->updated);
}

/* Where the entry came from, for readers who show that. */
static void rss_source(struct fg_buf *out, struct fg_str found_on)
{
    fg_buf_add(out, FG_STR("      <source url=\""));
    xml_address(out, found_on);
    fg_buf_add(out, FG_STR("\">"));
    fg_xml_escape(out, found_on);
    fg_buf_add(out, FG_STR("</source>\n"));
}

static void rss_text(struct fg_buf *out, const struct fg_feed_entry *entry)
{
    struct fg_str text = text_of(entry);
    if (!text.len && !entry->found_on.len)
        return;
    fg_buf_add(out, FG_STR("      <description>"));
    if (text.len) {
        paragraphs(out, text);
    } else {
        fg_buf_add(out, FG_STR("Found on "));
        fg_xml_escape(out, entry->found_on);
    }
    fg_buf_add(out, FG_STR("</description>\n"));
}

static void rss_entry(struct fg_buf *out, const struct fg_feed_entry *entry)
{
    fg_buf_add(out, FG_STR("    <item>\n"));
    element(out, "      ", "title", title_of(entry));
    rss_link(out, "      ", entry->url);
    fg_buf_printf(out, "      <guid isPermaLink=\"false\">urn:forage:%016llx</guid>\n",
                  (unsigned long long)entry->id);
    rss_date(out, "      ", "pubDate",
             entry->dated != FG_NEVER ? entry->dated : entry->found);
    rss_text(out, entry);
    if (entry->language.len)
        element(out, "      ", "dc:language", entry->language);
    if (entry->site.len)
        element(out, "      ", "category", entry->site);
    if (entry->found_on.len)
        rss_source(out, entry->found_on);
    fg_buf_add(out, FG_STR("    </item>\n"));
}

/* --- Atom, RFC 4287 --- */

static void atom_date(struct fg_buf *out, const char *indent, const char *name,
                      fg_time time)
{
    char text[FG_TIME_TEXT];
    element(out, indent, name, fg_str_from(fg_time_format(text, time)));
}

static void atom_link(struct fg_buf *out, const char *indent, const char *rel,
                      struct fg_str href)
{
    fg_buf_printf(out, "%s<link rel=\"%s\" href=\"", indent, rel);
    xml_address(out, href);
    fg_buf_add(out, FG_STR("\"/>\n"));
}

static void atom_head(struct fg_buf *out, const struct fg_feed_head *head)
{
    fg_buf_add(out, FG_STR("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
                           "<feed xmlns=\"http://www.w3.org/2005/Atom\">\n"));
    fg_buf_printf(out, "  <id>urn:forage:feed:%016llx</id>\n",
                  (unsigned long long)head->id);
    element(out, "  ", "title", head->title);
    element(out, "  ", "subtitle", about_of(head));
    atom_link(out, "  ", "alternate", head->link);
    if (head->self.len)
        atom_link(out, "  ", "self", head->self);
    atom_date(out, "  ", "updated", head->updated);
    fg_buf_add(out,
               FG_STR("  <author><name>Forage</name></author>\n"
                      "  <generator version=\"" FG_VERSION "\">Forage</generator>\n"));
}

static void atom_entry(struct fg_buf *out, const struct fg_feed_entry *entry)
{
    fg_buf_add(out, FG_STR("  <entry"));
    if (entry->language.len) {
        fg_buf_add(out, FG_STR(" xml:lang=\""));
        fg_xml_escape(out, entry->language);
        fg_buf_add_char(out, '"');
    }
    fg_buf_printf(out, ">\n    <id>urn:forage:%016llx</id>\n",
                  (unsigned long long)entry->id);
    element(out, "    ", "title", title_of(entry));
    atom_link(out, "    ", "alternate", entry->url);
    if (entry->found_on.len)
        atom_link(out, "    ", "via", entry->found_on);
    atom_date(out, "    ", "updated", entry->found);
    if (entry->dated != FG_NEVER)
        atom_date(out, "    ", "published", entry->dated);
    if (entry->summary.len)
        element(out, "    ", "summary", entry->summary);
    if (entry->text.len) {
        fg_buf_add(out, FG_STR("    <content type=\"html\">"));
        paragraphs(out, entry->text);
        fg_buf_add(out, FG_STR("</content>\n"));
    }
    if (entry->site.len) {
        fg_buf_add(out, FG_STR("    <category term=\""));
        fg_xml_escape(out, entry->site);
        fg_buf_add(out, FG_STR("\"/>\n"));
    }
    fg_buf_add(out, FG_STR("  </entry>\n"));
}

/* --- JSON Feed 1.1 --- */

static void json_pair(struct fg_json *json, const char *key, struct fg_str value)
{
    fg_json_key(json, key);
    fg_json_str(json, value);
}

static void json_head(struct fg_json *json, const struct fg_feed_head *head)
{
    fg_json_object(json);
    json_pair(json, "version", FG_STR("https://jsonfeed.org/version/1.1"));
    json_pair(json, "title", head->title);
    json_pair(json, "description", about_of(head));
    json_address(json, "home_page_url", head->link);
    if (head->self.len)
        json_address(json, "feed_url", head->self);
    fg_json_key(json, "items");
    fg_json_array(json);
}

/* An item must have a text: for want of another, where it was found. */
static void json_text(struct fg_json *json, const struct fg_feed_entry *entry)
{
    struct fg_buf text;
    fg_buf_init(&text, SIZE_MAX);
    if (text_of(entry).len) {
        fg_buf_add(&text, text_of(entry));
    } else {
        fg_buf_add(&text, entry->found_on.len ? FG_STR("Found on ") : FG_STR("Found"));
        fg_buf_add(&text, entry->found_on);
    }
    json_pair(json, "content_text", fg_buf_str(&text));
    fg_buf_clear(&text);
}

/* The format has no name for these; what begins with an underscore is ours. */
static void json_origin(struct fg_json *json, const struct fg_feed_entry *entry)
{
    fg_json_key(json, "_forage");
    fg_json_object(json);
    if (entry->found_on.len)
        json_address(json, "found_on", entry->found_on);
    fg_json_pair_time(json, "found_at", entry->found);
    fg_json_end(json);
}

static void json_entry(struct fg_json *json, const struct fg_feed_entry *entry)
{
    char id[40];
    snprintf(id, sizeof id, "urn:forage:%016llx", (unsigned long long)entry->id);
    fg_json_object(json);
    json_pair(json, "id", fg_str_from(id));
    json_address(json, "url", entry->url);
    json_pair(json, "title", title_of(entry));
    json_text(json, entry);
    if (entry->summary.len)
        json_pair(json, "summary", entry->summary);
    if (entry->language.len)
        json_pair(json, "language", entry->language);
    fg_json_pair_time(json, "date_published",
                      entry->dated != FG_NEVER ? entry->dated : entry->found);
    if (entry->site.len) {
        fg_json_key(json, "tags");
        fg_json_array(json);
        fg_json_str(json, entry->site);
        fg_json_end(json);
    }
    json_origin(json, entry);
    fg_json_end(json);
}

/* --- any of them --- */

const char *fg_feed_form_name(enum fg_feed_form form)
{
    static const char *const names[] = {"rss", "atom", "json"};
    return names[form];
}

struct fg_feed_writer fg_feed_begin(struct fg_buf *out, enum fg_feed_form form,
                                    const struct fg_feed_head *head)
{
    struct fg_feed_writer writer = {.out = out, .form = form, .json = fg_json_to(out)};
    if (form == FG_WRITE_RSS)
        rss_head(out, head);
    else if (form == FG_WRITE_ATOM)
        atom_head(out, head);
    else
        json_head(&writer.json, head);
    return writer;
}

void fg_feed_add(struct fg_feed_writer *writer, const struct fg_feed_entry *entry)
{
    if (writer->form == FG_WRITE_RSS)
        rss_entry(writer->out, entry);
    else if (writer->form == FG_WRITE_ATOM)
        atom_entry(writer->out, entry);
    else
        json_entry(&writer->json, entry);
}

void fg_feed_finish(struct fg_feed_writer *writer)
{
    if (writer->form == FG_WRITE_RSS) {
        fg_buf_add(writer->out, FG_STR("  </channel>\n</rss>\n"));
    } else if (writer->form == FG_WRITE_ATOM) {
        fg_buf_add(writer->out, FG_STR("</feed>\n"));
    } else {
        fg_json_end(&writer->json);
        fg_json_end(&writer->json);
        fg_buf_add_char(writer->out, '\n');
    }
}
