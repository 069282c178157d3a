#include "net/value.h"

#include "base/utf8.h"
#include "net/main_text.h"
#include "net/shingle.h"

static const char *const names[] = {
    [FG_VALUE_NONE] = "none",         [FG_VALUE_PAGE] = "page",
    [FG_VALUE_TEXT] = "text",         [FG_VALUE_OFFER] = "offer",
    [FG_VALUE_SELECTOR] = "selector",
};

const char *fg_value_kind_name(unsigned kind)
{
    return kind < sizeof names / sizeof *names ? names[kind] : "unknown";
}

enum fg_status fg_value_rule_parse(struct fg_value_rule *rule, struct fg_arena *arena,
                                   struct fg_str text, struct fg_err *err)
{
    static const struct fg_str selector = {"selector:", 9};
    *rule = (struct fg_value_rule){0};
    text = fg_str_trim(text);
    if (fg_str_starts(text, selector)) {
        rule->kind = FG_VALUE_SELECTOR;
        return fg_selector_parse(&rule->selector, arena,
                                 fg_str_trim(fg_str_skip(text, selector.len)), err);
    }
    for (unsigned kind = FG_VALUE_PAGE; kind <= FG_VALUE_OFFER; kind++)
        if (fg_str_eq(text, fg_str_from(names[kind])))
            rule->kind = (enum fg_value_kind)kind;
    if (rule->kind || fg_str_eq(text, FG_STR("auto")))
        return FG_OK;
    return fg_fail(err, FG_ECONFIG,
                   "'%.*s' is not auto, page, text, offer or selector:...",
                   FG_ARG(fg_str_sub(text, 0, 100)));
}

/* --- one kind each --- */

struct fg_str fg_offer_line(struct fg_arena *arena, const struct fg_offer *offer)
{
    const char *availability = fg_availability_name(offer->availability);
    return fg_arena_printf(
        arena, "%s%s%s%s%s%s%s", offer->price.amount, offer->high[0] ? "-" : "",
        offer->high, offer->price.currency[0] ? " " : "", offer->price.currency,
        offer->price.amount[0] && availability[0] ? " " : "", availability);
}

/* What is kept of a text: its beginning, up to a whole character. */
static struct fg_str beginning(struct fg_arena *arena, struct fg_str text)
{
    text = fg_utf8_clean(arena, fg_str_sub(text, 0, FG_VALUE_TEXT_MAX + 4));
    text = fg_str_sub(text, 0, FG_VALUE_TEXT_MAX);
    return fg_str_sub(text, 0, fg_utf8_valid_len(text));
}

static void set_text(struct fg_value *value, struct fg_arena *arena,
                     enum fg_value_kind kind, struct fg_str text, uint64_t hash)
{
    value->kind = kind;
    value->text = beginning(arena, text);
    value->whole = text;
    value->hash = hash;
}

static void read_page(struct fg_value *value, struct fg_arena *arena,
                      const struct fg_page *page)
{
    set_text(value, arena, FG_VALUE_PAGE, page->text, fg_gist_of(page->text).words_hash);
}

static void read_text(struct fg_value *value, struct fg_arena *arena, struct fg_str html)
{
    struct fg_main_text main;
    fg_main_text_read(&main, arena, html);
    set_text(value, arena, FG_VALUE_TEXT, main.text, main.hash);
}

static void read_offer(struct fg_value *value, struct fg_arena *arena)
{
    struct fg_str line = fg_offer_line(arena, &value->offer);
    if (line.len)
        set_text(value, arena, FG_VALUE_OFFER, line, fg_str_hash(line));
}

static void read_selected(struct fg_value *value, struct fg_arena *arena,
                          struct fg_str html, const struct fg_selector *selector)
{
    struct fg_selected selected;
    fg_selector_take(&selected, arena, selector, html, FG_VALUE_SELECTED_MAX);
    if (selected.n)
        set_text(value, arena, FG_VALUE_SELECTOR, selected.text,
                 fg_str_hash(selected.text));
}

/* An offer without a price is the value of a page if it says why there is none. */
static bool is_worth_watching(const struct fg_offer *offer)
{
    return offer->price.amount[0] || offer->availability >= FG_PRE_ORDER;
}

void fg_value_read(struct fg_value *value, struct fg_arena *arena,
                   const struct fg_page *page, struct fg_str html,
                   const struct fg_value_rule *rule)
{
    *value = (struct fg_value){0};
    value->has_offer = fg_offer_read(&value->offer, arena, page, html) &&
                       is_worth_watching(&value->offer);
    switch (rule->kind) {
    case FG_VALUE_PAGE:
        read_page(value, arena, page);
        return;
    case FG_VALUE_TEXT:
        read_text(value, arena, html);
        return;
    case FG_VALUE_OFFER:
        read_offer(value, arena);
        return;
    case FG_VALUE_SELECTOR:
        read_selected(value, arena, html, rule->selector);
        return;
    case FG_VALUE_NONE:
        break;
    }
    if (value->has_offer)
        read_offer(value, arena);
    else
        read_text(value, arena, html);
}

void fg_value_of_bytes(struct fg_value *value, struct fg_str bytes)
{
    *value = (struct fg_value){.kind = FG_VALUE_PAGE, .hash = fg_str_hash(bytes)};
}
