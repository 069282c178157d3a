/* The first line is the rule by which the value of the rest, a page, is taken; where it
 * is none, all rules without a selector are tried. */
#include "base/utf8.h"
#include "net/html/value.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(claim)  \
    do {              \
        if (!(claim)) \
            abort();  \
    } while (0)

static void check_offer(const struct fg_offer *offer, bool is_valid)
{
    const struct fg_str texts[] = {offer->name,   offer->brand,   offer->category,
                                   offer->seller, offer->country, offer->language};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        CHECK(texts[i].len <= FG_OFFER_TEXT_MAX);
        CHECK(!is_valid || fg_utf8_is_valid(texts[i]));
    }
    CHECK(!offer->high[0] || offer->price.amount[0]);
    /* A price in our form is read back as it is. */
    struct fg_price again;
    if (offer->price.amount[0]) {
        CHECK(fg_price_parse(&again, fg_str_from(offer->price.amount),
                             FG_PRICE_FOR_MACHINES));
        CHECK(fg_price_cmp(&again, &offer->price) == 0);
    }
}

static void check(struct fg_str html, const struct fg_value_rule *rule)
{
    struct fg_arena arena = {0};
    struct fg_page page;
    struct fg_value value, again;
    fg_page_read(&page, &arena, html, FG_VALUE_PARTS);
    fg_value_read(&value, &arena, &page, html, rule);
    fg_value_read(&again, &arena, &page, html, rule);
    CHECK(value.hash == again.hash && fg_str_eq(value.text, again.text));
    CHECK(value.text.len <= FG_VALUE_TEXT_MAX && fg_utf8_is_valid(value.text));
    CHECK(rule->kind == FG_VALUE_NONE || value.kind == FG_VALUE_NONE ||
          value.kind == rule->kind);
    check_offer(&value.offer, fg_utf8_is_valid(html));
    fg_arena_clear(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fg_str html = {(const char *)data, size}, line;
    struct fg_arena arena = {0};
    struct fg_value_rule rule;
    if (!fg_str_cut(&html, '\n', &line))
        return 0;
    if (!fg_value_rule_parse(&rule, &arena, line, NULL)) {
        check(html, &rule);
    } else {
        for (unsigned kind = FG_VALUE_NONE; kind <= FG_VALUE_OFFER; kind++)
            check(html, &(struct fg_value_rule){.kind = (enum fg_value_kind)kind});
    }
    fg_arena_clear(&arena);
    return 0;
}
