/* selector_parts.h - a parsed selector; private to selector.c and selector_match.c */
#ifndef FG_NET_SELECTOR_PARTS_H
#define FG_NET_SELECTOR_PARTS_H

#include "net/html/selector.h"

#include <stdint.h>

/* Each compound ("b.price") of all alternatives has a bit of a word. */
enum { COMPOUNDS_MAX = 64, TYPES_MAX = 8 };

enum attr_test { HAS, EQUALS, STARTS, ENDS, CONTAINS, HAS_WORD, HAS_LANGUAGE };

struct attr {
    struct fg_str name, value;
    enum attr_test test;
    bool ignores_case;
};

/* Children number a*n + b, counted from 1. */
struct nth {
    bool is_asked;
    int a, b;
};

enum combinator { WITHIN, CHILD, NEXT, BEHIND }; /* to the compound before */

struct compound {
    enum combinator by;
    uint64_t tag; /* its key; 0: any */
    struct attr *attrs;
    size_t n_attrs;
    const struct compound *nots; /* none of these must match */
    size_t n_nots;
    struct nth child, type;
    unsigned type_slot; /* which counter of a level is `type`'s */
};

struct alternative {
    size_t first, n; /* of the compounds */
    struct fg_str attr;
    bool takes_first;
};

struct fg_selector {
    struct fg_str text; /* that it was parsed from */
    struct compound compounds[COMPOUNDS_MAX];
    size_t n_compounds, n_types;
    struct alternative alternatives[COMPOUNDS_MAX];
    size_t n_alternatives;
};

#endif
