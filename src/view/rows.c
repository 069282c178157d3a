#include "view/rows.h"

#include "crawl/crawl.h"
#include "store/store.h"

#define P struct fg_page_row
const struct fg_field fg_page_row_fields[] = {
    {"published", "published", FG_AS_TIME(P, published), .help = "as it or a feed says"},
    {"last_visit", "last visit", FG_AS_TIME(P, last_visit)},
    {"last_change", "last change", FG_AS_TIME(P, last_change)},
    {"next_visit", "next visit", FG_AS_TIME(P, next_visit), .help = "if one is fixed"},
    {"status", NULL, FG_AS_COUNT(P, status), .help = "HTTP status of the last visit"},
    {"visits", NULL, FG_AS_COUNT(P, visits), .help = "so far"},
    {"changes", NULL, FG_AS_COUNT(P, changes), .help = "visits that found one"},
    {"failures", NULL, FG_AS_COUNT(P, failures), .help = "in a row"},
    {"weight", NULL, FG_AS_FLOAT(P, weight), .help = "importance; 1 unless told"},
    {"depth", NULL, FG_AS_COUNT(P, depth), .help = "links from a seed"},
    {0},
};
#undef P

#define V struct fg_visit_row
const struct fg_field fg_visit_row_fields[] = {
    {"purpose", "purpose", FG_AS_NAME(V, purpose, fg_visit_purpose_name)},
    {"status", "status", FG_AS_COUNT(V, status), .help = "HTTP; 0: see failure"},
    {"failure", "failure", FG_AS_NAME(V, failure, fg_visit_failure_name)},
    {"changed", "changed", FG_AS_YES(V, changed), .help = "it was not as before"},
    {"conditional", NULL, FG_AS_YES(V, conditional), .help = "asked for changes only"},
    {"links", "links", FG_AS_COUNT(V, links), .help = "that it showed"},
    {"new", "new", FG_AS_COUNT(V, fresh), .help = "of them, those not known before"},
    {"bytes", "bytes", FG_AS_COUNT(V, bytes), .unit = "bytes"},
    {"took_ms", "ms", FG_AS_COUNT(V, took_ms), .unit = "ms"},
    {"score", "score", FG_AS_FLOAT(V, score), .help = "with which it was picked"},
    {"probability", NULL, FG_AS_FLOAT(V, probability),
     .help = "with which it was picked"},
    {"explored", "explored", FG_AS_YES(V, explored), .help = "picked to learn"},
    {0},
};
#undef V

#define TEXT(name)                                                  \
    {                                                               \
#name, NULL, FG_AS_TEXT(struct fg_value_row, name),         \
            .is_null_if_empty = true, .help = "as the page says it" \
    }
const struct fg_field fg_value_row_fields[] = {
    TEXT(price),     TEXT(high),    TEXT(currency), TEXT(availability),
    TEXT(condition), TEXT(name),    TEXT(brand),    TEXT(category),
    TEXT(seller),    TEXT(country), TEXT(language), {0},
};
