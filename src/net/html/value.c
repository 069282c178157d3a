#include "net/html/value.h"

#include "base/utf8.h"
#include "net/html/main_text.h"
#include "net/text/shingle.h"

static const char *const names[] = {
    [FG_VALUE_NONE] = "none",         [FG_VALUE_PAGE] = "page",
    [FG_VALUE_TEXT] = "text",         [FG_VALUE_OFFER] = "offer",
    [FG_VALUE_SELECTOR] = "selector",
};

const char *fg_value_kind_name(unsigned kind)
{
    return kind < sizeof names / sizeof *names ? names[kind] : "unknown";
}

static enum fg_status parse_kind(struct fg_value_rule *rule, struct fg_arena *arena,
                                 struct fg_str text, struct fg_err *err)
{
    static const struct fg_str selector = {"selector:", 9};
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

enum fg_status fg_value_rule_parse(struct fg_value_rule *rule, struct fg_arena *arena,
                                   struct fg_str text, struct fg_err *err)
{
    static const struct fg_str without = {" without ", 9};
    *rule = (struct fg_value_rule){0};
    size_t end = fg_str_find(text, without);
    enum fg_status st =
        parse_kind(rule, arena, fg_str_trim(fg_str_sub(text, 0, end)), err);
    while (!st && end != FG_NOT_FOUND) {
        text = fg_str_skip(text, end + without.len);
        end = fg_str_find(text, without);
        st = fg_noise_add(&rule->noise, arena, fg_str_sub(text, 0, end), err);
    }
    return st;
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

static bool is_currency(struct fg_str word)
{
    for (size_t i = 0; i < word.len; i++)
        if (word.at[i] < 'A' || word.at[i] > 'Z')
            return false;
    return word.len == 3;
}

struct fg_offer_parts fg_offer_line_split(struct fg_str line)
{
    struct fg_offer_parts parts = {
        .price = FG_STR(""), FG_STR(""), FG_STR(""), FG_STR("")};
    struct fg_str word;
    while (line.len && fg_str_cut(&line, ' ', &word)) {
        if (word.len && fg_is_digit(word.at[0])) {
            fg_str_cut(&word, '-', &parts.price);
            parts.high = word;
        } else if (is_currency(word)) {
            parts.currency = word;
        } else if (word.len) {
            parts.availability = word;
        }
    }
    return parts;
}

/* What is kept of a text: its beginning, up to a whole character. */
static struct fg_str beginning(struct fg_arena *arena, struct fg_str text)
{
    text = fg_utf8_clean(arena, fg_str_sub(text, 0, FG_VALUE_TEXT_MAX + 4));
    text = fg_str_sub(text, 0, FG_VALUE_TEXT_MAX);
    return fg_str_sub(text, 0, fg_utf8_valid_len(text));
}

/* What is being read, and what of it does not count. */
struct reader {
    struct fg_value *value;
    struct fg_arena *arena;
    const struct fg_noise *noise;
    const struct fg_facts *facts; /* of the whole page, or NULL */
};

static void set_text(struct reader *r, enum fg_value_kind kind, struct fg_str text,
                     uint64_t hash)
{
    struct fg_value *value = r->value;
    value->kind = kind;
    value->text = beginning(r->arena, text);
    value->whole = text;
    value->hash = hash;
    if (kind == FG_VALUE_OFFER || fg_noise_least_change(r->noise) <= 0)
        return;
    struct fg_shingler *shingler = FG_NEW(r->arena, struct fg_shingler, 1);
    struct fg_print *print = FG_NEW(r->arena, struct fg_print, 1);
    fg_shingler_init(shingler, FG_SHINGLE_WORDS);
    fg_shingler_add(shingler, text);
    fg_shingler_end(shingler, print);
    value->sketch = print->all;
    value->has_sketch = true;
}

static void read_page(struct reader *r, struct fg_str text)
{
    text = fg_noise_drop_lines(r->noise, r->arena, text);
    set_text(r, FG_VALUE_PAGE, text, fg_gist_of(text).words_hash);
}

static void read_text(struct reader *r, struct fg_str html)
{
    struct fg_main_text main;
    if (r->facts && !fg_noise_has_lines(r->noise)) {
        set_text(r, FG_VALUE_TEXT, r->facts->main_text, r->facts->main_hash);
        return;
    }
    fg_main_text_read_without(&main, r->arena, html, r->noise);
    set_text(r, FG_VALUE_TEXT, main.text, main.hash);
}

static void read_offer(struct reader *r)
{
    struct fg_str line = fg_offer_line(r->arena, &r->value->offer);
    if (line.len)
        set_text(r, FG_VALUE_OFFER, line, fg_str_hash(line));
}

static void read_selected(struct reader *r, struct fg_str html,
                          const struct fg_selector *selector)
{
    struct fg_selected selected;
    if (fg_noise_has_lines(r->noise))
        fg_selector_take_lines(&selected, r->arena, selector, html,
                               FG_VALUE_SELECTED_MAX);
    else
        fg_selector_take(&selected, r->arena, selector, html, FG_VALUE_SELECTED_MAX);
    struct fg_str text = fg_noise_drop_lines(r->noise, r->arena, selected.text);
    if (selected.n)
        set_text(r, FG_VALUE_SELECTOR, text, fg_str_hash(text));
}

/* An offer without a price is the value of a page if it says why there is none. */
static bool is_worth_watching(const struct fg_offer *offer)
{
    return offer->price.amount[0] || offer->availability >= FG_PRE_ORDER;
}

static void read_kind(struct reader *r, const struct fg_page *page, struct fg_str html,
                      const struct fg_value_rule *rule)
{
    switch (rule->kind) {
    case FG_VALUE_PAGE:
        read_page(r, page->text);
        return;
    case FG_VALUE_TEXT:
        read_text(r, html);
        return;
    case FG_VALUE_OFFER:
        read_offer(r);
        return;
    case FG_VALUE_SELECTOR:
        read_selected(r, html, rule->selector);
        return;
    case FG_VALUE_NONE:
        break;
    }
    if (r->value->has_offer)
        read_offer(r);
    else
        read_text(r, html);
}

/* The offer is read of the page as it is: noise is what changes without a reason. */
void fg_value_read_after(struct fg_value *value, struct fg_arena *arena,
                         const struct fg_page *page, struct fg_str html,
                         const struct fg_value_rule *rule, const struct fg_facts *facts)
{
    struct reader r = {value, arena, &rule->noise, facts};
    struct fg_page left;
    *value = (struct fg_value){0};
    value->has_offer = fg_offer_read(&value->offer, arena, page, html) &&
                       is_worth_watching(&value->offer);
    struct fg_str cut = fg_noise_cut(&rule->noise, arena, html);
    if (cut.at != html.at && rule->kind == FG_VALUE_PAGE) {
        fg_page_read(&left, arena, cut, FG_PAGE_TEXT);
        page = &left;
    }
    if (cut.at != html.at)
        r.facts = NULL;
    read_kind(&r, page, cut, rule);
}

void fg_value_read(struct fg_value *value, struct fg_arena *arena,
                   const struct fg_page *page, struct fg_str html,
                   const struct fg_value_rule *rule)
{
    fg_value_read_after(value, arena, page, html, rule, NULL);
}

void fg_value_of_bytes(struct fg_value *value, struct fg_str bytes)
{
    *value = (struct fg_value){.kind = FG_VALUE_PAGE, .hash = fg_str_hash(bytes)};
}
