#include "cli/feeds.h"

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

/* --- RSS 2.0 --- */

static void rss_date(struct fg_buf *out, const char *indent, const char *name,
                     fg_time time)
{
    char text[FG_RFC822_TEXT];
    element(out, indent, name, fg_str_from(fg_rfc822_format(text, time)));
}

void fg_rss_head(struct fg_buf *out, const struct fg_feed_head *head)
{
    fg_buf_add(out, FG_STR("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
                           "<rss version=\"2.0\">\n  <channel>\n"));
    element(out, "    ", "title", head->title);
    element(out, "    ", "link", head->link);
    element(out, "    ", "description", FG_STR("New pages, as they were found"));
    element(out, "    ", "generator", FG_STR("Forage " FG_VERSION));
    rss_date(out, "    ", "lastBuildDate", head->updated);
}

void fg_rss_entry(struct fg_buf *out, const struct fg_feed_entry *entry)
{
    fg_buf_add(out, FG_STR("    <item>\n"));
    element(out, "      ", "title", title_of(entry));
    element(out, "      ", "link", entry->url);
    fg_buf_printf(out, "      <guid isPermaLink=\"false\">urn:forage:%016llx</guid>\n",
                  (unsigned long long)entry->id);
    rss_date(out, "      ", "pubDate",
             entry->dated != FG_NEVER ? entry->dated : entry->found);
    if (entry->found_on.len) {
        fg_buf_add(out, FG_STR("      <description>Found on "));
        fg_xml_escape(out, entry->found_on);
        fg_buf_add(out, FG_STR("</description>\n"));
    }
    if (entry->site.len)
        element(out, "      ", "category", entry->site);
    fg_buf_add(out, FG_STR("    </item>\n"));
}

void fg_rss_end(struct fg_buf *out)
{
    fg_buf_add(out, FG_STR("  </channel>\n</rss>\n"));
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
    fg_xml_escape(out, href);
    fg_buf_add(out, FG_STR("\"/>\n"));
}

void fg_atom_head(struct fg_buf *out, const struct fg_feed_head *head)
{
    fg_buf_add(out, FG_STR("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
                           "<feed xmlns=\"http://www.w3.org/2005/Atom\">\n"));
    fg_buf_printf(out, "  <id>urn:forage:feed:%016llx</id>\n",
                  (unsigned long long)head->id);
    element(out, "  ", "title", head->title);
    atom_link(out, "  ", "alternate", head->link);
    atom_date(out, "  ", "updated", head->updated);
    fg_buf_add(out,
               FG_STR("  <author><name>Forage</name></author>\n"
                      "  <generator version=\"" FG_VERSION "\">Forage</generator>\n"));
}

void fg_atom_entry(struct fg_buf *out, const struct fg_feed_entry *entry)
{
    fg_buf_printf(out, "  <entry>\n    <id>urn:forage:%016llx</id>\n",
                  (unsigned long long)entry->id);
    element(out, "    ", "title", title_of(entry));
    atom_link(out, "    ", "alternate", entry->url);
    if (entry->found_on.len)
        atom_link(out, "    ", "via", entry->found_on);
    atom_date(out, "    ", "updated", entry->found);
    if (entry->dated != FG_NEVER)
        atom_date(out, "    ", "published", entry->dated);
    if (entry->site.len) {
        fg_buf_add(out, FG_STR("    <category term=\""));
        fg_xml_escape(out, entry->site);
        fg_buf_add(out, FG_STR("\"/>\n"));
    }
    fg_buf_add(out, FG_STR("  </entry>\n"));
}

void fg_atom_end(struct fg_buf *out)
{
    fg_buf_add(out, FG_STR("</feed>\n"));
}
