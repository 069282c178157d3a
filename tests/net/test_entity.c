#include "net/html/entity.h"

#include "test.h"

/* What `source` becomes in a place, and whether exactly `used` bytes were taken. */
static void check(const char *source, enum fg_entity_place place, size_t used,
                  const char *expected)
{
    char out[FG_ENTITY_MAX];
    size_t n = 0, took = fg_entity_take(source, source + strlen(source), place, out, &n);
    assert_int_equal(took, used);
    if (took)
        assert_str(((struct fg_str){out, n}), expected);
}

static void names_give_their_characters(void **state)
{
    (void)state;
    check("amp;", FG_ENTITY_TEXT, 4, "&");
    check("eacute;", FG_ENTITY_TEXT, 7, "\u00e9");
    check("CounterClockwiseContourIntegral;", FG_ENTITY_TEXT, 32, "\u2233");
    check("nGt;", FG_ENTITY_TEXT, 4, "\u226b\u20d2");
    check("Afr;", FG_ENTITY_TEXT, 4, "\U0001d504");
    check("zwnj;", FG_ENTITY_TEXT, 5, "\u200c");
    check("AMP;", FG_ENTITY_TEXT, 4, "&");
}

static void unknown_names_are_no_references(void **state)
{
    (void)state;
    check("", FG_ENTITY_TEXT, 0, "");
    check(";", FG_ENTITY_TEXT, 0, "");
    check("nosuchname;", FG_ENTITY_TEXT, 0, "");
    check("Eacut;", FG_ENTITY_TEXT, 0, "");
    check("alpha", FG_ENTITY_TEXT, 0, "");
    check("1;", FG_ENTITY_TEXT, 0, "");
    check("CounterClockwiseContourIntegrals;", FG_ENTITY_TEXT, 0, "");
}

static void old_names_need_no_semicolon(void **state)
{
    (void)state;
    check("copy 2020", FG_ENTITY_TEXT, 4, "\u00a9");
    check("notit;", FG_ENTITY_TEXT, 3, "\u00ac");
    check("notin;", FG_ENTITY_TEXT, 6, "\u2209");
    check("frac12x", FG_ENTITY_TEXT, 6, "\u00bd");
    check("lt", FG_ENTITY_TEXT, 2, "<");
}

static void queries_in_attributes_stay_what_they_are(void **state)
{
    (void)state;
    check("copy=1", FG_ENTITY_ATTRIBUTE, 0, "");
    check("notit;", FG_ENTITY_ATTRIBUTE, 0, "");
    check("copy2", FG_ENTITY_ATTRIBUTE, 0, "");
    check("copy&", FG_ENTITY_ATTRIBUTE, 4, "\u00a9");
    check("copy;=1", FG_ENTITY_ATTRIBUTE, 5, "\u00a9");
}

static void numbers_are_repaired(void **state)
{
    (void)state;
    check("#233;", FG_ENTITY_TEXT, 5, "\u00e9");
    check("#xE9 ", FG_ENTITY_TEXT, 4, "\u00e9");
    check("#X1F600;", FG_ENTITY_TEXT, 8, "\U0001f600");
    check("#150;", FG_ENTITY_TEXT, 5, "\u2013");
    check("#0;", FG_ENTITY_TEXT, 3, "\ufffd");
    check("#xD800;", FG_ENTITY_TEXT, 7, "\ufffd");
    check("#99999999999999999999;", FG_ENTITY_TEXT, 22, "\ufffd");
    check("#;", FG_ENTITY_TEXT, 0, "");
    check("#x;", FG_ENTITY_TEXT, 0, "");
    check("#", FG_ENTITY_TEXT, 0, "");
}

FG_TESTS(names_give_their_characters, unknown_names_are_no_references,
         old_names_need_no_semicolon, queries_in_attributes_stay_what_they_are,
         numbers_are_repaired)
