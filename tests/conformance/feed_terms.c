#include "conformance/feed_terms.h"

#include "base/buf.h"
#include "net/charset/charset.h"

bool feed_is_bozo(const struct fg_feed *feed)
{
    return !feed->well_formed || feed->is_served_as_something;
}

static json_t *text(struct fg_str s)
{
    return s.at ? json_stringn(s.at, s.len) : json_null();
}

static bool is_one_of(struct fg_str word, const char *names)
{
    struct fg_str rest = fg_str_from(names), name;
    while (fg_str_cut(&rest, ' ', &name))
        if (fg_str_eq(name, word))
            return true;
    return false;
}

static bool is(const char *key, const char *names)
{
    return key && is_one_of(fg_str_from(key), names);
}

/* --- dates: (year, month, day, hour, minute, second, weekday, day of year, 0) --- */

static json_t *parsed(fg_time time)
{
    if (time == FG_NEVER)
        return json_null();
    int64_t days = time / FG_DAY - (time % FG_DAY < 0), year;
    int64_t seconds = (time - days * FG_DAY) / FG_SECOND;
    int month, day;
    fg_date_from_days(days, &year, &month, &day);
    return json_pack("[IiiIIIIIi]", (json_int_t)year, month, day,
                     (json_int_t)(seconds / 3600), (json_int_t)(seconds / 60 % 60),
                     (json_int_t)(seconds % 60), (json_int_t)(((days + 3) % 7 + 7) % 7),
                     (json_int_t)(days - fg_days_from_date(year, 1, 1) + 1), 0);
}

static json_t *date_value(const struct fg_feed_item *item, const char *key)
{
    static const char *const names[FG_FEED_DATES] = {"published", "updated", "created",
                                                     "expired"};
    for (int i = 0; i < FG_FEED_DATES; i++) {
        size_t n = strlen(names[i]);
        if (strncmp(key, names[i], n) != 0)
            continue;
        const struct fg_feed_date *date = &item->dates[i];
        /* feedparser, too, takes the one for the other where it is missing. */
        if (i == FG_FEED_UPDATED && !date->text.at)
            date = &item->dates[FG_FEED_PUBLISHED];
        return key[n] == '\0' ? text(date->text) : parsed(date->time);
    }
    return NULL;
}

/* --- texts --- */

static json_t *text_value(const struct fg_feed_item *item, const char *key,
                          const json_t *rest, bool is_feed)
{
    char name[32];
    snprintf(name, sizeof name, "%s", key);
    char *detail = strstr(name, "_detail");
    if (detail)
        *detail = '\0';
    int kind = is(name, "title")                                  ? FG_FEED_TITLE
               : is(name, "subtitle tagline summary description") ? FG_FEED_SUMMARY
               : is(name, "rights copyright")                     ? FG_FEED_RIGHTS
               : is(name, "info")                                 ? FG_FEED_INFO
               : is(name, "content")                              ? FG_FEED_CONTENT
                                                                  : -1;
    if (kind < 0)
        return NULL;
    const struct fg_feed_text *field = &item->texts[kind];
    if (kind == FG_FEED_SUMMARY && !is_feed && !field->value.at)
        field = &item->texts[FG_FEED_CONTENT];
    const char *part = json_string_value(json_array_get(rest, json_array_size(rest) - 1));
    if (is(part, "base") && json_array_size(rest))
        return text(field->base);
    return text(field->value);
}

/* --- links --- */

/* What RSS says in elements of its own is no link to feedparser. */
static bool is_plain(const struct fg_feed_link *link)
{
    return !is_one_of(link->rel,
                      "comments wfw:comment wfw:commentrss docs cc:license "
                      "generator icon logo image imagelink textinput in-reply-to");
}

static json_t *link_object(const struct fg_feed_link *link)
{
    json_t *object = json_object();
    const struct {
        const char *name;
        struct fg_str value;
    } fields[] = {{"href", link->href},        {"url", link->href},
                  {"rel", link->rel},          {"type", link->type},
                  {"title", link->title},      {"length", link->length},
                  {"hreflang", link->hreflang}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (fields[i].value.len)
            json_object_set_new(object, fields[i].name, text(fields[i].value));
    /* The type it assumes where none is given. */
    if (!link->type.len)
        json_object_set_new(object, "type",
                            json_string(fg_str_eq(link->rel, FG_STR("self"))
                                            ? "application/atom+xml"
                                            : "text/html"));
    return object;
}

static json_t *links_value(const struct fg_feed_item *item, const char *only)
{
    json_t *array = json_array();
    for (size_t i = 0; i < item->n_links; i++) {
        const struct fg_feed_link *link = &item->links[i];
        if (only ? fg_str_eq(link->rel, fg_str_from(only)) : is_plain(link))
            json_array_append_new(array, link_object(link));
    }
    return array;
}

static json_t *first_link(const struct fg_feed_item *item, const char *rel)
{
    json_t *all = links_value(item, rel);
    json_t *first = json_incref(json_array_get(all, 0));
    json_decref(all);
    return first ? first : json_null();
}

/* --- people --- */

static json_t *people_value(const struct fg_feed_item *item, enum fg_feed_role role)
{
    json_t *array = json_array();
    for (size_t i = 0; i < item->n_people; i++) {
        const struct fg_feed_person *person = &item->people[i];
        if (person->role != role)
            continue;
        json_t *object = json_object();
        if (person->name.len)
            json_object_set_new(object, "name", text(person->name));
        if (person->email.len)
            json_object_set_new(object, "email", text(person->email));
        if (person->href.len) {
            json_object_set_new(object, "href", text(person->href));
            json_object_set_new(object, "url", text(person->href));
        }
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *person_value(const struct fg_feed_item *item, const char *key)
{
    bool is_list = is(key, "authors contributors");
    if (!is_list && !is(key, "author author_detail publisher publisher_detail"))
        return NULL;
    enum fg_feed_role role = strncmp(key, "contrib", 7) == 0 ? FG_FEED_CONTRIBUTOR
                             : strncmp(key, "pub", 3) == 0   ? FG_FEED_PUBLISHER
                                                             : FG_FEED_AUTHOR;
    json_t *people = people_value(item, role);
    if (is_list)
        return people;
    json_t *person = json_incref(json_array_get(people, 0));
    json_decref(people);
    if (strstr(key, "_detail") || !person)
        return person ? person : json_null();
    const char *name = json_string_value(json_object_get(person, "name"));
    const char *email = json_string_value(json_object_get(person, "email"));
    json_t *value = name && email ? json_sprintf("%s (%s)", name, email)
                                  : json_string(name    ? name
                                                : email ? email
                                                        : "");
    json_decref(person);
    return value;
}

/* --- paths --- */

static json_t *item_value(const struct fg_feed_item *item, const char *key,
                          const json_t *rest, bool is_feed)
{
    static const char *const elements[][2] = {{"comments", "comments"},
                                              {"wfw_comment", "wfw:comment"},
                                              {"license", "cc:license"},
                                              {"wfw_commentrss", "wfw:commentrss"},
                                              {"docs", "docs"},
                                              {"generator_detail", "generator"},
                                              {"image", "image"},
                                              {"icon", "icon"},
                                              {"logo", "logo"},
                                              {"textinput", "textinput"},
                                              {"thr_in-reply-to", "in-reply-to"}};
    if (is(key, "id guid"))
        return text(item->id);
    if (is(key, "link"))
        return item->link.len ? text(item->link) : json_null();
    if (is(key, "guidislink"))
        return json_boolean(item->id_is_link);
    if (is(key, "links"))
        return links_value(item, NULL);
    if (is(key, "enclosures"))
        return links_value(item, "enclosure");
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        if (is(key, elements[i][0])) {
            json_t *link = first_link(item, elements[i][1]);
            if (json_array_size(rest)) {
                if (is(key, "textinput"))
                    json_object_set(link, "link", json_object_get(link, "href"));
                if (is(key, "image")) {
                    json_t *click = first_link(item, "imagelink");
                    json_object_set(link, "link", json_object_get(click, "href"));
                    json_decref(click);
                }
                return link;
            }
            json_t *href = json_incref(json_object_get(link, "href"));
            json_decref(link);
            return href ? href : json_null();
        }
    json_t *value = date_value(item, key);
    value = value ? value : person_value(item, key);
    return value ? value : text_value(item, key, rest, is_feed);
}

/* The rest of a path within a value that is JSON already. */
static json_t *walk(json_t *value, const json_t *path, size_t i)
{
    for (; i < json_array_size(path) && value; i++) {
        const json_t *step = json_array_get(path, i);
        json_t *next = json_is_integer(step)
                           ? json_array_get(value, (size_t)json_integer_value(step))
                           : json_object_get(value, json_string_value(step));
        json_incref(next);
        json_decref(value);
        value = next;
    }
    return value ? value : json_null();
}

json_t *feed_value(const struct fg_feed *feed, const json_t *path)
{
    const char *first = json_string_value(json_array_get(path, 0));
    if (is(first, "encoding"))
        return json_string(feed->encoding ? feed->encoding : "");
    if (is(first, "bozo"))
        return json_boolean(feed_is_bozo(feed));
    if (is(first, "feed") && is(json_string_value(json_array_get(path, 1)), "ttl"))
        return json_sprintf("%u", feed->ttl_minutes);
    const struct fg_feed_item *item = &feed->about;
    size_t i = 1;
    if (is(first, "entries")) {
        size_t n = (size_t)json_integer_value(json_array_get(path, i++));
        if (n >= feed->n_entries)
            return json_null();
        item = &feed->entries[n];
    }
    bool is_feed = item == &feed->about;
    const char *key = json_string_value(json_array_get(path, i++));
    if (is(key, "source")) {
        if (!(item = item->source))
            return json_null();
        key = json_string_value(json_array_get(path, i++));
        if (is(key, "href"))
            return text(item->link);
        is_feed = true;
    }
    if (!key)
        return json_null();
    json_t *rest = json_array();
    for (size_t k = i; k < json_array_size(path); k++)
        json_array_append(rest, json_array_get(path, k));
    json_t *value = item_value(item, key, rest, is_feed);
    bool is_tree = json_is_object(value) || json_is_array(value);
    value = is_tree ? walk(value, rest, 0) : value;
    json_decref(rest);
    return value ? value : json_null();
}

/* --- expressions --- */

/* A literal of Python, from behind its quote. */
static json_t *take_literal(struct fg_str *s, char quote)
{
    struct fg_buf out;
    fg_buf_init(&out, 1 << 16);
    while (s->len && s->at[0] != quote) {
        if (s->at[0] != '\\' || s->len < 2) {
            fg_buf_add_char(&out, s->at[0]);
            *s = fg_str_skip(*s, 1);
            continue;
        }
        char kind = s->at[1];
        size_t digits = kind == 'x' ? 2 : kind == 'u' ? 4 : 0;
        uint32_t c = digits ? 0 : (uint32_t)kind;
        for (size_t i = 0; i < digits && i + 2 < s->len; i++)
            c = c << 4 | (uint32_t)fg_hex(s->at[i + 2]);
        fg_buf_add_utf8(&out, c);
        *s = fg_str_skip(*s, 2 + digits);
    }
    *s = fg_str_skip(*s, 1);
    json_t *value = json_stringn(out.at ? out.at : "", out.len);
    fg_buf_clear(&out);
    return value;
}

/* entries[0]['links'][1]['href'], entries[0].summary */
static json_t *take_path(struct fg_str *s)
{
    json_t *path = json_array();
    for (;;) {
        size_t n = 0;
        if (s->len && s->at[0] == '[') {
            *s = fg_str_skip(*s, 1);
            char c = s->len ? s->at[0] : '\0';
            if (c == '\'' || c == '"') {
                *s = fg_str_skip(*s, 1);
                json_array_append_new(path, take_literal(s, c));
            } else {
                uint64_t index = 0;
                while (n < s->len && fg_is_digit(s->at[n]))
                    n++;
                fg_str_to_u64(fg_str_sub(*s, 0, n), &index);
                json_array_append_new(path, json_integer((json_int_t)index));
                *s = fg_str_skip(*s, n);
            }
            *s = fg_str_skip(*s, 1);
            continue;
        }
        if (s->len && s->at[0] == '.')
            *s = fg_str_skip(*s, 1);
        while (n < s->len && (fg_is_alnum(s->at[n]) || s->at[n] == '_'))
            n++;
        if (!n)
            return path;
        json_array_append_new(path, json_stringn(s->at, n));
        *s = fg_str_skip(*s, n);
    }
}

/* ord(): of a string of one character. */
static json_t *first_code_point(json_t *string)
{
    const char *at = json_string_value(string);
    const char *end = at ? at + json_string_length(string) : at;
    uint32_t c = at < end ? fg_utf8_take(&at, end) : 0;
    json_decref(string);
    return at == end && c ? json_integer(c) : json_null();
}

static json_t *take_term(const struct fg_feed *feed, struct fg_str *s)
{
    *s = fg_str_trim(*s);
    if (s->len && (s->at[0] == '\'' || s->at[0] == '"')) {
        char quote = s->at[0];
        *s = fg_str_skip(*s, 1);
        return take_literal(s, quote);
    }
    if (s->len && fg_is_digit(s->at[0])) {
        size_t n = 0;
        uint64_t number = 0;
        while (n < s->len && fg_is_digit(s->at[n]))
            n++;
        fg_str_to_u64(fg_str_sub(*s, 0, n), &number);
        *s = fg_str_skip(*s, n);
        return json_integer((json_int_t)number);
    }
    bool is_ord = fg_str_starts(*s, FG_STR("ord("));
    *s = fg_str_skip(*s, is_ord ? 4 : 0);
    json_t *path = take_path(s);
    size_t n = json_array_size(path);
    /* entries[0].has_key('link') */
    if (n && is(json_string_value(json_array_get(path, n - 1)), "has_key") &&
        fg_str_starts(*s, FG_STR("("))) {
        *s = fg_str_skip(*s, 2);
        json_array_set_new(path, n - 1, take_literal(s, '\''));
        *s = fg_str_skip(*s, 1);
        json_t *found = feed_value(feed, path);
        bool has = !json_is_null(found);
        json_decref(found);
        json_decref(path);
        return json_boolean(has);
    }
    json_t *value = feed_value(feed, path);
    json_decref(path);
    if (is_ord) {
        *s = fg_str_skip(*s, 1);
        value = first_code_point(value);
    }
    return value;
}

static bool encodings_equal(const json_t *a, const json_t *b)
{
    const char *x = json_string_value(a), *y = json_string_value(b);
    const struct fg_encoding *first = x ? fg_encoding_find(fg_str_from(x)) : NULL;
    const struct fg_encoding *second = y ? fg_encoding_find(fg_str_from(y)) : NULL;
    if (!first || !second)
        return false;
    /* The decoders of these two are the same. */
    const struct fg_encoding *gbk = fg_encoding_find(FG_STR("gbk"));
    const struct fg_encoding *gb18030 = fg_encoding_find(FG_STR("gb18030"));
    return first == second || (first == gbk && second == gb18030);
}

static bool clause_holds(const struct fg_feed *feed, struct fg_str clause)
{
    struct fg_str s = fg_str_trim(clause);
    bool wanted = true, is_encoding;
    if (fg_str_starts(s, FG_STR("not "))) {
        wanted = false;
        s = fg_str_skip(s, 4);
    }
    if (fg_str_starts(s, FG_STR("isinstance(")))
        return true; /* which exception it is: ours have no classes */
    is_encoding = fg_str_starts(s, FG_STR("encoding"));
    json_t *first = take_term(feed, &s);
    s = fg_str_trim(s);
    bool holds = s.len ? true : json_is_true(first) || json_integer_value(first) == 1;
    while (fg_str_starts(s, FG_STR("=="))) {
        s = fg_str_skip(s, 2);
        json_t *next = take_term(feed, &s);
        holds &= is_encoding ? encodings_equal(first, next) : json_equal(first, next);
        json_decref(next);
        s = fg_str_trim(s);
    }
    json_decref(first);
    return s.len == 0 && holds == wanted;
}

bool feed_holds(const struct fg_feed *feed, struct fg_str expression)
{
    struct fg_str rest = fg_str_trim(expression);
    while (rest.len) {
        size_t end = fg_str_find(rest, FG_STR(" and "));
        if (!clause_holds(feed, fg_str_sub(rest, 0, end)))
            return false;
        rest = end == FG_NOT_FOUND ? (struct fg_str){0} : fg_str_skip(rest, end + 5);
    }
    return true;
}
