/* Feeds: feedparser's cases, feedvalidator's labels, encodings, and dates. */
#include "conformance/feed_terms.h"
#include "conformance/suite.h"
#include "net/charset/charset.h"
#include "net/text/date.h"

static const char *path_of(struct suite *suite, const char *folder, struct fg_str file)
{
    return fg_arena_printf(&suite->arena, "%s/%.*s", folder, FG_ARG(file)).at;
}

/* --- feedparser --- */

static struct fg_str header(const json_t *c, const char *name)
{
    const json_t *headers = json_object_get(c, "http_headers");
    struct fg_str value = suite_str(headers, name);
    return value;
}

/* Its server listened on this port; only files that start with "http" came from there. */
static struct fg_str url_of(struct suite *suite, struct fg_str file)
{
    const char *name = strrchr(file.at, '/') ? strrchr(file.at, '/') + 1 : file.at;
    if (strncmp(name, "http", 4) != 0)
        return (struct fg_str){0};
    return fg_arena_printf(&suite->arena, "http://127.0.0.1:8097/tests/%.*s",
                           FG_ARG(file));
}

static const struct fg_feed *parse(struct suite *suite, const json_t *c,
                                   struct fg_str file, struct fg_str bytes)
{
    struct fg_feed_options options = {.url = url_of(suite, file),
                                      .content_location = header(c, "Content-Location"),
                                      .content_type = header(c, "Content-type")};
    return fg_feed_parse(&suite->arena, bytes, &options);
}

/* `expected` within `got`: an object may say more than was asked. */
static bool agrees(const json_t *expected, const json_t *got)
{
    if (!json_is_object(expected))
        return json_equal(expected, got);
    const char *key;
    json_t *value;
    json_object_foreach(
        (json_t *)expected, key,
        value) if (!json_equal(value, json_object_get(got, key))) return false;
    return true;
}

static bool same_encoding(const json_t *expected, const struct fg_feed *feed)
{
    const char *label = json_string_value(expected);
    return label && feed->encoding &&
           fg_encoding_find(fg_str_from(label)) ==
               fg_encoding_find(fg_str_from(feed->encoding));
}

static bool fact_holds(struct suite *suite, const struct fg_feed *feed,
                       const json_t *fact)
{
    const json_t *path = json_object_get(fact, "path");
    const json_t *expected = json_object_get(fact, "equals");
    const json_t *count = json_object_get(fact, "count");
    json_t *got = feed_value(feed, path);
    bool ok = count ? json_array_size(got) == (size_t)json_integer_value(count)
                    : agrees(expected, got);
    const char *first = json_string_value(json_array_get(path, 0));
    if (!ok && first && strcmp(first, "encoding") == 0)
        ok = same_encoding(expected, feed);
    json_decref(got);
    (void)suite;
    return ok;
}

static bool case_holds(struct suite *suite, const struct fg_feed *feed, const json_t *c,
                       const json_t **failed)
{
    const json_t *well_formed = json_object_get(c, "well_formed"), *item;
    size_t i;
    *failed = NULL;
    if (well_formed && json_is_true(well_formed) == feed_is_bozo(feed)) {
        *failed = well_formed;
        return false;
    }
    json_array_foreach(json_object_get(c, "facts"), i,
                       item) if (!fact_holds(suite, feed, item))
    {
        *failed = item;
        return false;
    }
    json_array_foreach(json_object_get(c, "expr"), i,
                       item) if (!feed_holds(feed, fg_str_from(json_string_value(item))))
    {
        *failed = item;
        return false;
    }
    return true;
}

static void show(struct suite *suite, const struct fg_feed *feed, const json_t *failed)
{
    char *expected = json_dumps(failed, JSON_ENCODE_ANY);
    const json_t *path = json_object_get(failed, "path");
    json_t *got = path ? feed_value(feed, path) : json_boolean(!feed_is_bozo(feed));
    char *was = json_dumps(got, JSON_ENCODE_ANY);
    suite_detail(suite, "%s, got %s", expected, was);
    free(expected);
    free(was);
    json_decref(got);
}

static void run_feedparser(struct suite *suite)
{
    json_t *cases = suite_json(suite, "feedparser/expect.json");
    if (!cases)
        return;
    suite_part(suite, "feedparser");
    size_t i;
    const json_t *c, *failed;
    json_array_foreach(cases, i, c)
    {
        struct fg_str file = suite_str(c, "file"), bytes;
        if (!suite_read(suite, path_of(suite, "feedparser", file), &bytes))
            continue;
        const struct fg_feed *feed = parse(suite, c, file, bytes);
        bool ok = case_holds(suite, feed, c, &failed);
        suite_case(suite, ok, "%.*s", FG_ARG(file));
        if (!ok)
            show(suite, feed, failed);
    }
    json_decref(cases);
}

static void run_encodings(struct suite *suite)
{
    json_t *cases = suite_json(suite, "feedparser/encoding-expect.json");
    if (!cases)
        return;
    suite_part(suite, "encoding");
    size_t i;
    const json_t *c;
    json_array_foreach(cases, i, c)
    {
        struct fg_str file = suite_str(c, "file"), bytes, expr = suite_str(c, "expr");
        if (!suite_read(suite, path_of(suite, "feedparser", file), &bytes))
            continue;
        const struct fg_feed *feed = parse(suite, c, file, bytes);
        /* Where there is no expression, it is to be read without complaint. */
        bool ok = expr.len ? feed_holds(feed, expr)
                           : feed->well_formed && feed->kind != FG_FEED_NONE;
        suite_case(suite, ok, "%.*s", FG_ARG(file));
        if (!ok)
            suite_detail(suite, "%.*s; got %s, bozo %d, \"%.*s\"", FG_ARG(expr),
                         feed->encoding ? feed->encoding : "nothing", feed_is_bozo(feed),
                         FG_ARG(feed->n_entries
                                    ? feed->entries[0].texts[FG_FEED_SUMMARY].value
                                    : feed->about.texts[FG_FEED_TITLE].value));
    }
    json_decref(cases);
}

/* --- feedvalidator --- */

#define BIT(kind) (1U << FG_FEED_##kind)

/* What its messages are in our words. "-" before a name: raised by nobody, so that it
 * holds if we have none of these complaints about the element. */
static const struct {
    const char *message;
    unsigned kinds;
} messages[] = {
    {"InvalidRFC2822Date", BIT(BAD_DATE)},
    {"InvalidRFC3339Date", BIT(BAD_DATE)},
    {"InvalidW3CDTFDate", BIT(BAD_DATE)},
    {"-ValidRFC2822Date", BIT(BAD_DATE) | BIT(OLD_DATE)},
    {"-ValidW3CDTFDate", BIT(BAD_DATE)},
    {"ProblematicalRFC822Date", BIT(OLD_DATE)},
    {"ImplausibleDate", BIT(IMPLAUSIBLE_DATE)},
    {"InvalidLink", BIT(BAD_LINK) | BIT(RELATIVE_LINK) | BIT(BAD_ID)},
    {"InvalidFullLink", BIT(RELATIVE_ID) | BIT(RELATIVE_LINK)},
    {"InvalidIRI", BIT(BAD_LINK)},
    {"-ValidURI", BIT(BAD_LINK) | BIT(RELATIVE_LINK)},
    {"InvalidHttpGUID", BIT(BAD_ID) | BIT(BLANK_ID)},
    {"InvalidPermalink", BIT(BAD_ID)},
    {"InvalidBooleanAttribute", BIT(BAD_ID)},
    {"-ValidBooleanAttribute", BIT(BAD_ID)},
    {"InvalidTAG", BIT(BAD_ID)},
    {"InvalidURN", BIT(BAD_ID)},
    {"-ValidHttpGUID", BIT(BAD_ID) | BIT(BLANK_ID)},
    {"NonCanonicalURI", BIT(UNUSUAL_ID)},
    {"RelativeSelf", BIT(RELATIVE_LINK)},
    {"SelfDoesntMatchLocation", BIT(OTHER_SELF)},
    {"DuplicateAtomLink", BIT(DUPLICATE_LINK)},
    {"DuplicateValue", BIT(DUPLICATE_ID) | BIT(BAD_SKIP_HOUR) | BIT(BAD_SKIP_DAY)},
    {"DuplicateIds", BIT(DUPLICATE_ID)},
    {"NotBlank", BIT(BLANK_TITLE) | BIT(BLANK_ID) | BIT(BAD_TTL)},
    {"InvalidInteger", BIT(BAD_TTL) | BIT(BAD_ENCLOSURE)},
    {"-ValidInteger", BIT(BAD_TTL)},
    {"InvalidHour", BIT(BAD_SKIP_HOUR)},
    {"UseZeroForMidnight", BIT(BAD_SKIP_HOUR)},
    {"-ValidHour", BIT(BAD_SKIP_HOUR)},
    {"InvalidDay", BIT(BAD_SKIP_DAY)},
    {"-ValidDay", BIT(BAD_SKIP_DAY)},
    {"InvalidIntegerAttribute", BIT(BAD_ENCLOSURE)},
    {"InvalidNonNegativeInteger", BIT(BAD_ENCLOSURE) | BIT(BAD_TTL)},
    {"InvalidMIMEAttribute", BIT(BAD_ENCLOSURE)},
    {"InvalidURLAttribute", BIT(BAD_ENCLOSURE)},
    {"MissingAttribute", BIT(BAD_ENCLOSURE)},
    {"-ValidIntegerAttribute", BIT(BAD_ENCLOSURE)},
    {"-ValidMIMEAttribute", BIT(BAD_ENCLOSURE)},
    {"-ValidURLAttribute", BIT(BAD_ENCLOSURE)},
    /* Any error at all; warnings are none. */
    {"Error", ~(BIT(OLD_DATE) | BIT(IMPLAUSIBLE_DATE) | BIT(UNUSUAL_ID) |
                BIT(OTHER_SELF) | BIT(BLANK_TITLE) | BIT(RELATIVE_LINK))},
};

static bool raises(const struct fg_feed *feed, unsigned kinds, const json_t *params,
                   const char *message)
{
    struct fg_str element = suite_str(params, "element"),
                  attr = suite_str(params, "attr");
    for (size_t i = 0; i < feed->n_problems; i++) {
        const struct fg_feed_problem *p = &feed->problems[i];
        if (!(kinds >> p->kind & 1))
            continue;
        /* A guid that is no link has a message of its own. */
        if (p->kind == FG_FEED_BAD_ID && strcmp(message, "InvalidLink") == 0 &&
            strcmp(p->element, "guid") == 0)
            continue;
        struct fg_str name = fg_str_from(p->element);
        bool is_link =
            fg_str_eq(element, FG_STR("href")) && fg_str_eq(name, FG_STR("link"));
        if (!element.len || is_link || fg_str_eq_nocase(name, attr.len ? attr : element))
            return true;
    }
    return false;
}

static void judge(struct suite *suite, const json_t *c, struct fg_str file,
                  struct fg_str bytes)
{
    struct fg_str message = suite_str(c, "message");
    bool is_absent = json_is_true(json_object_get(c, "must_not_occur"));
    struct fg_feed_options options = {.now = INT64_C(1700000000) * FG_SECOND};
    if (fg_str_find(message, FG_STR("Self")) == 0)
        options.url = fg_arena_printf(
            &suite->arena, "http://www.feedvalidator.org/testcases/%.*s", FG_ARG(file));
    const struct fg_feed *feed = fg_feed_parse(&suite->arena, bytes, &options);
    const json_t *params = json_object_get(c, "params");
    if (fg_str_eq(message, FG_STR("SAXError")) ||
        fg_str_eq(message, FG_STR("UnicodeError"))) {
        suite_case(suite, feed->well_formed == is_absent, "%.*s/%.*s", FG_ARG(message),
                   FG_ARG(file));
        return;
    }
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        bool is_praise = messages[i].message[0] == '-';
        if (!fg_str_eq(message, fg_str_from(messages[i].message + is_praise)))
            continue;
        bool raised = raises(feed, messages[i].kinds, params, messages[i].message);
        bool ok = (raised != is_praise) != is_absent;
        suite_case(suite, ok && feed->kind != FG_FEED_NONE, "%.*s/%.*s", FG_ARG(message),
                   FG_ARG(file));
        return;
    }
    /* What we never judge we never raise. */
    suite_case(suite, is_absent, "unjudged/%.*s/%.*s", FG_ARG(message), FG_ARG(file));
}

static void run_feedvalidator(struct suite *suite)
{
    json_t *cases = suite_json(suite, "feedvalidator/expect.json");
    if (!cases)
        return;
    suite_part(suite, "feedvalidator");
    size_t i;
    const json_t *c;
    json_array_foreach(cases, i, c)
    {
        struct fg_str file = suite_str(c, "file"), bytes;
        if (suite_read(suite, path_of(suite, "feedvalidator", file), &bytes))
            judge(suite, c, file, bytes);
    }
    json_decref(cases);
}

/* --- dates --- */

static bool is_date(struct fg_str expected, fg_time time)
{
    char text[FG_TIME_TEXT];
    if (time == FG_NEVER)
        return !expected.at;
    time -= ((time % FG_SECOND) + FG_SECOND) % FG_SECOND; /* they have whole seconds */
    return fg_str_eq(expected, fg_str_from(fg_time_format(text, time)));
}

static void run_dates(struct suite *suite)
{
    json_t *cases = suite_json(suite, "dates.json");
    if (!cases)
        return;
    suite_part(suite, "dates");
    size_t i, k;
    const json_t *c, *any;
    json_array_foreach(cases, i, c)
    {
        struct fg_str input = suite_str(c, "input"), kind = suite_str(c, "kind");
        fg_time time = fg_date_parse(input);
        bool ok = false;
        json_array_foreach(json_object_get(c, "utc_any_of"), k, any) ok |=
            is_date(fg_str_from(json_string_value(any)), time);
        if (!json_object_get(c, "utc_any_of"))
            ok = is_date(suite_str(c, "utc"), time);
        suite_case(suite, ok, "%.*s/%.*s", FG_ARG(kind), FG_ARG(input));
    }
    json_decref(cases);
}

static void run(struct suite *suite)
{
    run_feedparser(suite);
    run_encodings(suite);
    run_feedvalidator(suite);
    run_dates(suite);
}

int main(void)
{
    return suite_main("feeds", run);
}
