#include "store/plans.h"

#define CONTENT                                                            \
    "flags= alias_of? next_visit= published? content_hash= simhash= etag=" \
    " last_modified= title= language= identity="
/* A failure leaves the status of the last answer, and is forgotten by the next one. */
#define VISIT "last_visit= visits+ changes+ last_change? status? failures~"

const struct fg_edit_plan fg_edit_plans[FG_EDITS] = {
    [FG_PUT_SITE] = {FG_SITES, FG_REPLACE, NULL},
    /* A page row is written often, but its URL hardly ever changes: leaving both alone
     * spares the index of fingerprints. Where they differ, nothing happens here and
     * FG_RENAME_PAGE comes first. */
    [FG_PUT_PAGE] = {FG_PAGES, FG_MERGE, "fingerprint! url- *="},
    [FG_RENAME_PAGE] = {FG_PAGES, FG_UPDATE, "fingerprint= url="},
    [FG_PUT_CONTENT] = {FG_PAGES, FG_UPDATE, CONTENT},
    [FG_PUT_CONTENT_OF_VISIT] = {FG_PAGES, FG_UPDATE, CONTENT " " VISIT},
    [FG_PUT_FLAGS] = {FG_PAGES, FG_UPDATE, "flags= alias_of?"},
    [FG_PUT_WEIGHT] = {FG_PAGES, FG_UPDATE, "weight="},
    [FG_COUNT_VISIT] = {FG_PAGES, FG_UPDATE, VISIT},
    [FG_PUT_VISIT] = {FG_VISITS, FG_REPLACE, NULL},
    [FG_PUT_CAPTURE] = {FG_VISITS, FG_IGNORE, NULL},
    [FG_PUT_LINK] = {FG_LINKS, FG_MERGE, "first_seen? *="},
    [FG_PUT_BODY] = {FG_BODIES, FG_REPLACE, NULL},
    [FG_PUT_EVENT] = {FG_EVENTS, FG_IGNORE, NULL},
    [FG_PUT_DELIVERY] = {FG_DELIVERIES, FG_REPLACE, NULL},
    [FG_PUT_WAITING] = {FG_WAITING, FG_REPLACE, NULL},
    [FG_DROP_WAITING] = {FG_WAITING, FG_DROP, NULL},
    [FG_PUT_STATE] = {FG_STATE, FG_REPLACE, NULL},
    [FG_DROP_STATE] = {FG_STATE, FG_DROP, NULL},
    [FG_PUT_LABEL] = {FG_LABELS, FG_REPLACE, NULL},
    [FG_DROP_LABEL] = {FG_LABELS, FG_DROP, NULL},
    [FG_PUT_DAILY] = {FG_DAILY, FG_REPLACE, NULL},
    [FG_PLACE_DAILY] = {FG_DAILY, FG_IGNORE, NULL},
    [FG_PUT_VALUE] = {FG_VALUES, FG_MERGE, "rule- *="},
    [FG_PUT_SAME_VALUE] = {FG_VALUES, FG_MERGE, "rule- changed- text- *="},
    [FG_PUT_VALUE_RULE] = {FG_VALUES, FG_MERGE, "rule= changed="},
    [FG_PUT_VALUE_CHANGE] = {FG_VALUE_CHANGES, FG_REPLACE, NULL},
    [FG_PUT_REQUEST] = {FG_REQUESTS, FG_REPLACE, NULL},
    [FG_PUT_NOTE] = {FG_NOTES, FG_MERGE, "*?"},
    [FG_PUT_PROMISE] = {FG_PROMISES, FG_REPLACE, NULL},
    [FG_DROP_PROMISE] = {FG_PROMISES, FG_DROP, NULL},
    [FG_PUT_EARLY] = {FG_EARLY, FG_REPLACE, NULL},
    [FG_PUT_COMMAND] = {FG_COMMANDS, FG_REPLACE, NULL},
    [FG_DROP_COMMAND] = {FG_COMMANDS, FG_DROP, NULL},
    [FG_PUT_PAGE_EXTRA] = {FG_PAGE_EXTRAS, FG_REPLACE, NULL},
    [FG_DROP_PAGE_EXTRA] = {FG_PAGE_EXTRAS, FG_DROP, NULL},
    [FG_PUT_TEXT] = {FG_TEXTS, FG_REPLACE, NULL},
    [FG_PUT_ANCHOR] = {FG_ANCHORS, FG_REPLACE, NULL},
    [FG_DROP_ANCHOR] = {FG_ANCHORS, FG_DROP, NULL},
    [FG_COUNT_SEARCH] = {FG_SEARCHES, FG_MERGE, "times+"},
    [FG_COUNT_FEEDBACK] = {FG_FEEDBACK, FG_MERGE, "shown+ looks+ clicks+"},
    [FG_PUT_MARK] = {FG_MARKS, FG_IGNORE, NULL},
    [FG_KEEP_STATE] = {FG_STATE, FG_IGNORE, NULL},
};

static const struct fg_query_plan plans[FG_BY_KEY] = {
    [FG_LAST_SITE] = {FG_SITES, 0, NULL, "-site", "site"},
    [FG_PAGE_BY_FINGERPRINT] = {FG_PAGES, 1, "fingerprint=", "", NULL},
    [FG_PAGES_AFTER] = {FG_PAGES, 1, "page>", NULL, "site page"},
    [FG_PAGE_ROWS_AFTER] = {FG_PAGES, 1, "page>", NULL, NULL},
    [FG_NEXT_SITE_OF_PAGES] = {FG_PAGES, 0, "site>", NULL, "site page"},
    [FG_LAST_PAGE] = {FG_PAGES, 1, NULL, "-page", "site page"},
    [FG_PAGE_FIGURES] = {FG_PAGES, 0, NULL, NULL, "site flags last_visit visits"},
    [FG_LINKS_GONE] = {FG_LINKS, 2, "gone<", "", NULL},
    [FG_LINKS_TO_SITE] = {FG_LINKS, 0, "target_site=", "", NULL},
    [FG_ALL_VISITS] = {FG_VISITS, 0, "time>=", "time site page", NULL},
    [FG_SITE_VISITS] = {FG_VISITS, 1, "time>=", "time page", NULL},
    [FG_PAGE_VISITS] = {FG_VISITS, 2, "time>=", NULL, NULL},
    [FG_VISITS_BEFORE] = {FG_VISITS, 2, "time<", "-time", "time"},
    [FG_OLD_VISITS] = {FG_VISITS, 2, "time< purpose!=", "", NULL},
    [FG_VISIT_FIGURES] = {FG_VISITS, 0, "time>= purpose!=", NULL,
                          "site status failure changed purpose bytes"},
    [FG_ALL_EVENTS] = {FG_EVENTS, 0, "number> time>=", NULL, NULL},
    [FG_SITE_EVENTS] = {FG_EVENTS, 0, "number> time>= site=", NULL, NULL},
    [FG_EVENTS_SINCE] = {FG_EVENTS, 0, "time>=", NULL, "number"},
    [FG_EVENT_NUMBERS] = {FG_EVENTS, 0, "number<=", NULL, "number"},
    [FG_SITE_EVENT_NUMBERS] = {FG_EVENTS, 0, "number<= site=", NULL, "number"},
    [FG_LAST_EVENT] = {FG_EVENTS, 0, NULL, "-number", "number"},
    [FG_EVENT_FIGURES] = {FG_EVENTS, 0, "kind=", "", "site time"},
    [FG_DAYS] = {FG_DAILY, 1, "day>= day<", NULL, NULL},
    [FG_LAST_DAY] = {FG_DAILY, 1, NULL, "-day", NULL},
    [FG_VALUE_RULES] = {FG_VALUES, 1, "rule!=", NULL, NULL},
    [FG_VALUE_CHANGES_BEFORE] = {FG_VALUE_CHANGES, 2, "time<", "-time", NULL},
    [FG_ALL_VALUE_CHANGES] = {FG_VALUE_CHANGES, 0, "time>=", "time site page", NULL},
    [FG_SITE_VALUE_CHANGES] = {FG_VALUE_CHANGES, 1, "time>=", "time page", NULL},
    [FG_SITE_LETTERS] = {FG_WAITING, 0, "site= dead>=", "", NULL},
    [FG_REQUESTS_SINCE] = {FG_REQUESTS, 1, "time>=", NULL, NULL},
    [FG_OLD_REQUESTS] = {FG_REQUESTS, 1, "time<", "", NULL},
    [FG_LAST_EARLY] = {FG_EARLY, 1, NULL, "-day", NULL},
    [FG_EARLY_UNTIL] = {FG_EARLY, 1, "day<=", "", NULL},
    [FG_COMMAND_KINDS] = {FG_COMMANDS, 0, NULL, NULL, "number time kind"},
    [FG_BODY_AT] = {FG_BODIES, 2, "time<=", "-time", NULL},
    [FG_PAGE_STANDING] = {FG_PAGES, 2, NULL, NULL, "flags"},
    [FG_TEXT_BY_NUMBER] = {FG_TEXTS, 0, "number=", "", "site page"},
    [FG_TEXT_PAGES] = {FG_TEXTS, 1, NULL, NULL, "site page"},
    [FG_LAST_TEXT] = {FG_TEXTS, 0, NULL, "-number", "number"},
    [FG_ANCHORS_FROM_SITE] = {FG_ANCHORS, 0, "from_site=", "",
                              "site page from_site from_page"},
    [FG_INLINKS] = {FG_ANCHORS, 2, NULL, NULL, "from_page"},
    [FG_OLD_SEARCHES] = {FG_SEARCHES, 0, "day<", "", NULL},
    [FG_OLD_MARKS] = {FG_MARKS, 0, "until<", "", NULL},
    [FG_BODIES_BEFORE] = {FG_BODIES, 2, "time<", "-time", "time bytes hash"},
};

struct fg_query_plan fg_query_plan(enum fg_row_query query)
{
    if (query < FG_BY_KEY)
        return plans[query];
    size_t keyed = query - FG_BY_KEY;
    return (struct fg_query_plan){(enum fg_row_kind)(keyed / (FG_KEYS_MOST + 1)),
                                  keyed % (FG_KEYS_MOST + 1), NULL, NULL, NULL};
}

size_t fg_query_conditions(const struct fg_query_plan *plan, uint8_t columns[static 8],
                           struct fg_str marks[static 8])
{
    struct fg_str rest = fg_str_from(plan->where);
    struct fg_plan_word word;
    size_t n = 0;
    for (; n < plan->keys; n++) {
        columns[n] = (uint8_t)n;
        marks[n] = FG_STR("=");
    }
    for (; fg_plan_next(&word, &fg_row_types[plan->rows], &rest); n++) {
        columns[n] = (uint8_t)word.column;
        marks[n] = word.mark;
    }
    return n;
}

bool fg_row_hangs_on_site(enum fg_row_kind kind)
{
    return kind != FG_SITES && strcmp(fg_row_types[kind].columns[0].name, "site") == 0;
}

bool fg_plan_next(struct fg_plan_word *word, const struct fg_row_type *type,
                  struct fg_str *rest)
{
    struct fg_str text;
    if (!rest->len || !fg_str_cut(rest, ' ', &text) || !text.len)
        return false;
    bool is_marked_first = text.at[0] == '-';
    struct fg_str name = fg_str_skip(text, is_marked_first);
    size_t end = 0;
    while (end < name.len && (fg_is_alpha(name.at[end]) || name.at[end] == '_'))
        end++;
    *word = (struct fg_plan_word){fg_row_column(type, fg_str_sub(name, 0, end)),
                                  is_marked_first ? FG_STR("-") : fg_str_skip(name, end)};
    if (!end)
        word->mark = fg_str_skip(name, 1); /* "*" */
    return true;
}

char fg_edit_mark(const struct fg_edit_plan *plan, size_t column)
{
    const struct fg_row_type *type = &fg_row_types[plan->rows];
    struct fg_str rest = fg_str_from(plan->words);
    struct fg_plan_word word;
    char others = '-';
    while (fg_plan_next(&word, type, &rest)) {
        if (word.column == column)
            return word.mark.at[0];
        if (word.column == type->n_columns)
            others = word.mark.at[0];
    }
    return column < type->n_keys ? '-' : others;
}
