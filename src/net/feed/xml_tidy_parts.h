/* xml_tidy_parts.h - what xml_tidy.c and xml_tag.c know of each other */
#ifndef FG_NET_XML_TIDY_PARTS_H
#define FG_NET_XML_TIDY_PARTS_H

#include "net/feed/xml_tidy.h"

/* "&" and a longer name are no reference. */
#define FG_XML_REFERENCE_MAX 32

/* All of a tag but its "<" and ">". `whole` is the same with them, if it stands in the
 * chunk in one piece, and may then be kept as it is. */
void fg_xml_tidy_tag(struct fg_xml_tidy *tidy, struct fg_str tag, struct fg_str whole);

/* `name` stood between "&" and ";". */
void fg_xml_tidy_reference(struct fg_xml_tidy *tidy, struct fg_str name);

/* One of XML's own, or the number of a character that may stay: no need to touch it. */
bool fg_xml_is_plain_reference(struct fg_str name);

/* Write the end tag of the innermost open element. */
void fg_xml_tidy_close(struct fg_xml_tidy *tidy);

/* Note a problem at the current line, if it is the first of its kind. */
void fg_xml_tidy_complain(struct fg_xml_tidy *tidy, enum fg_xml_problem problem);

/* What the authors of &#146; mean: C1 controls have no use on the web. */
uint32_t fg_xml_from_windows_1252(uint32_t code_point);

unsigned fg_xml_tidy_lines(const char *from, const char *to);

/* What is in order is not copied: stretches of the chunk that follow each other are
 * handed on together. Before anything else is written they must be settled. */
static inline void fg_xml_tidy_settle(struct fg_xml_tidy *tidy)
{
    if (tidy->kept < tidy->kept_end)
        fg_buf_add(&tidy->out, fg_str_range(tidy->kept, tidy->kept_end));
    tidy->kept = tidy->kept_end = NULL;
}

static inline void fg_xml_tidy_keep(struct fg_xml_tidy *tidy, const char *from,
                                    const char *to)
{
    if (tidy->kept_end != from) {
        fg_xml_tidy_settle(tidy);
        tidy->kept = from;
    }
    tidy->kept_end = to;
}

static inline void fg_xml_tidy_emit(struct fg_xml_tidy *tidy, struct fg_str xml)
{
    fg_xml_tidy_settle(tidy);
    fg_buf_add(&tidy->out, xml);
}

/* Not the form feed, which is a blank everywhere else. */
static inline bool fg_xml_is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static inline bool fg_xml_is_name_start(char c)
{
    return fg_is_alpha(c) || c == '_' || (unsigned char)c >= 0x80;
}

static inline bool fg_xml_is_reference_char(char c)
{
    return fg_is_alnum(c) || c == '#';
}

#endif
