/* value.h - what of a page counts when we ask whether it has changed
 *
 *     struct fg_value_rule rule;
 *     fg_value_rule_parse(&rule, arena, FG_STR("selector:.price"), err);
 *     struct fg_value value;
 *     fg_value_read(&value, arena, &page, html, &rule);
 *     if (value.hash != before) ...it is worth something else now...
 *
 * A copy is fresh while its value is that of the page. The value is one of
 *
 *     offer       price and availability (net/facts/offer.h)
 *     text        the main text (net/html/main_text.h)
 *     page        all that is seen, without numbers, dates and random words
 *     selector:S  what a selector of the user's takes (net/html/selector.h)
 *     auto        the offer, if there is one with a price or one that says why there is
 *                 none (sold out, to be ordered); else the main text
 *
 * Behind it may stand " without S" for parts that do not count (net/html/noise.h), as
 * often as there are such: "text without .ads without text:*ago*".
 *
 * Where a page has no such value (an offer withdrawn, a selector that matches nothing)
 * that is a value as well: it is empty, and its kind is FG_VALUE_NONE. */
#ifndef FG_NET_VALUE_H
#define FG_NET_VALUE_H

#include "base/arena.h"
#include "base/err.h"
#include "net/facts/facts.h"
#include "net/facts/offer.h"
#include "net/html/noise.h"
#include "net/html/page.h"
#include "net/html/selector.h"
#include "net/text/shingle.h"

/* As the store keeps them. */
enum fg_value_kind {
    FG_VALUE_NONE,
    FG_VALUE_PAGE,
    FG_VALUE_TEXT,
    FG_VALUE_OFFER,
    FG_VALUE_SELECTOR,
};
const char *fg_value_kind_name(unsigned kind); /* "none", "page", ... */

struct fg_value_rule {
    enum fg_value_kind kind; /* FG_VALUE_NONE: auto */
    const struct fg_selector *selector;
    struct fg_noise noise; /* parts that do not count */
};

/* "auto", "page", "text", "offer" or "selector:...", and " without ..."; what is parsed
 * lives in the arena. */
enum fg_status fg_value_rule_parse(struct fg_value_rule *rule, struct fg_arena *arena,
                                   struct fg_str text, struct fg_err *err);

enum {
    FG_VALUE_TEXT_MAX = 1024,     /* bytes of it that are kept */
    FG_VALUE_SELECTED_MAX = 65536 /* bytes that a selector takes; all are hashed */
};

/* What a page must have been read with (net/html/page.h). */
enum { FG_VALUE_PARTS = FG_PAGE_HEAD | FG_PAGE_TEXT | FG_PAGE_JSON_LD };

struct fg_value {
    enum fg_value_kind kind;
    uint64_t hash;
    struct fg_str text;  /* for people: its beginning, valid UTF-8 */
    struct fg_str whole; /* all of it, as it was read */
    bool has_offer;      /* the page has one that `auto` takes, whatever its value is */
    struct fg_offer offer;
    bool has_sketch; /* of its words and figures; where the noise has a least change */
    struct fg_sketch sketch;
};

void fg_value_read(struct fg_value *value, struct fg_arena *arena,
                   const struct fg_page *page, struct fg_str html,
                   const struct fg_value_rule *rule);
/* The same where the facts have been read of the page: its main text is known. */
void fg_value_read_after(struct fg_value *value, struct fg_arena *arena,
                         const struct fg_page *page, struct fg_str html,
                         const struct fg_value_rule *rule, const struct fg_facts *facts);

/* The value of what is no HTML: all its bytes. */
void fg_value_of_bytes(struct fg_value *value, struct fg_str bytes);

/* "1299.00 EUR InStock", "12.00-24.00 EUR"; in the arena. */
struct fg_str fg_offer_line(struct fg_arena *arena, const struct fg_offer *offer);

/* Such a line taken apart again; what it does not say is empty. Views of the line. */
struct fg_offer_parts {
    struct fg_str price, high, currency, availability;
};
struct fg_offer_parts fg_offer_line_split(struct fg_str line);

#endif
