#include "lab/yaml_read.h"

#include "base/buf.h"
#include "base/time.h"

#include <string.h>

enum { LIST_MOST = 1000 };

enum fg_status fg_refuse(const struct fg_reader *r, const struct fg_yaml *node,
                         const char *what)
{
    return fg_fail(r->err, FG_ECONFIG, "%s:%zu: %.*s%s%s", r->file, node->line,
                   FG_ARG(node->key), node->key.len ? ": " : "", what);
}

/* "'xs' is not a key here; there are 'name', 'title', ..." */
static enum fg_status unknown(const struct fg_reader *r, const struct fg_yaml *node,
                              const char *what, struct fg_str word,
                              const char *(*name)(const void *table, size_t i),
                              const void *table)
{
    struct fg_buf list;
    fg_buf_init(&list, 400);
    for (size_t i = 0; name(table, i); i++)
        fg_buf_printf(&list, "%s%s", i ? ", " : "", name(table, i));
    enum fg_status st = fg_fail(
        r->err, FG_ECONFIG, "%s:%zu: unknown %s '%.*s'; there are: %.*s", r->file,
        node->line, what, FG_ARG(fg_str_sub(word, 0, 40)), FG_ARG(fg_buf_str(&list)));
    fg_buf_clear(&list);
    return st;
}

static const char *key_name(const void *table, size_t i)
{
    return ((const struct fg_key *)table)[i].name;
}

static const char *word_name(const void *table, size_t i)
{
    return ((const char *const *)table)[i];
}

enum fg_status fg_take_map(struct fg_reader *r, const struct fg_yaml *node,
                           const struct fg_key *keys, void *into)
{
    if (node->kind != FG_YAML_MAP)
        return fg_refuse(r, node, "keys and values are expected");
    enum fg_status st = FG_OK;
    for (const struct fg_yaml *child = node->child; !st && child; child = child->next) {
        size_t i = 0;
        while (keys[i].name && !fg_str_eq(child->key, fg_str_from(keys[i].name)))
            i++;
        if (!keys[i].name)
            return unknown(r, child, "key", child->key, key_name, keys);
        st = keys[i].item_bytes ? fg_take_list(r, child, &keys[i], into)
                                : keys[i].take(r, child, (char *)into + keys[i].offset);
    }
    return st;
}

/* --- values --- */

enum fg_status fg_take_text(struct fg_reader *r, const struct fg_yaml *node, void *into)
{
    if (node->kind != FG_YAML_TEXT || !node->text.len)
        return fg_refuse(r, node, "a text is expected");
    *(const char **)into = node->text.at;
    return FG_OK;
}

enum fg_status fg_take_count(struct fg_reader *r, const struct fg_yaml *node, void *into)
{
    uint64_t value = 0;
    if (node->kind != FG_YAML_TEXT || !fg_str_to_u64(node->text, &value) ||
        value > 1000000000)
        return fg_refuse(r, node, "a whole number is expected");
    *(size_t *)into = (size_t)value;
    return FG_OK;
}

enum fg_status fg_take_some(struct fg_reader *r, const struct fg_yaml *node, void *into)
{
    enum fg_status st = fg_take_count(r, node, into);
    return !st && !*(size_t *)into
               ? fg_refuse(r, node, "a whole number from 1 on is expected")
               : st;
}

enum fg_status fg_take_seed(struct fg_reader *r, const struct fg_yaml *node, void *into)
{
    if (node->kind != FG_YAML_TEXT || !fg_str_to_u64(node->text, into))
        return fg_refuse(r, node, "a whole number is expected");
    return FG_OK;
}

enum fg_status fg_take_number(struct fg_reader *r, const struct fg_yaml *node, void *into)
{
    if (node->kind != FG_YAML_TEXT || !fg_str_to_double(node->text, into))
        return fg_refuse(r, node, "a number is expected");
    return FG_OK;
}

/* "0.1 %" is 0.001. */
enum fg_status fg_take_share(struct fg_reader *r, const struct fg_yaml *node, void *into)
{
    struct fg_str text = node->text;
    bool is_percent = node->kind == FG_YAML_TEXT && fg_str_ends(text, FG_STR("%"));
    if (is_percent)
        text = fg_str_trim(fg_str_sub(text, 0, text.len - 1));
    double *share = into;
    if (node->kind != FG_YAML_TEXT || !fg_str_to_double(text, share) || *share < 0)
        return fg_refuse(r, node, "a share is expected, such as 0.05 or 5 %");
    *share /= is_percent ? 100 : 1;
    return *share <= 1 ? FG_OK : fg_refuse(r, node, "a share is at most 1, or 100 %");
}

enum fg_status fg_take_switch(struct fg_reader *r, const struct fg_yaml *node, void *into)
{
    bool is_true = fg_str_eq(node->text, FG_STR("true"));
    if (node->kind != FG_YAML_TEXT ||
        (!is_true && !fg_str_eq(node->text, FG_STR("false"))))
        return fg_refuse(r, node, "'true' or 'false' is expected");
    *(bool *)into = is_true;
    return FG_OK;
}

enum fg_status fg_take_span(struct fg_reader *r, const struct fg_yaml *node, void *into)
{
    fg_time *span = into;
    if (node->kind != FG_YAML_TEXT || !fg_span_parse(node->text, span) || *span <= 0)
        return fg_refuse(r, node, "a span of time is expected, such as 30m or 2h");
    return FG_OK;
}

enum fg_status fg_take_word(struct fg_reader *r, const struct fg_yaml *node,
                            const char *what, const char *const *words, unsigned *number)
{
    for (unsigned i = 0; node->kind == FG_YAML_TEXT && words[i]; i++)
        if (fg_str_eq(node->text, fg_str_from(words[i]))) {
            *number = i;
            return FG_OK;
        }
    return unknown(r, node, what, node->text, word_name, words);
}

enum fg_status fg_take_list(struct fg_reader *r, const struct fg_yaml *node,
                            const struct fg_key *key, void *into)
{
    bool is_one = key->or_one && node->kind != FG_YAML_LIST;
    size_t n = is_one ? 1 : node->n, i = 0;
    if ((!is_one && node->kind != FG_YAML_LIST) || !n || n > LIST_MOST)
        return fg_refuse(r, node,
                         key->or_one ? "a text or a list of texts is expected"
                                     : "a list is expected");
    char *items = fg_arena_array(r->arena, key->item_bytes, n);
    enum fg_status st = FG_OK;
    for (const struct fg_yaml *item = is_one ? node : node->child; !st && i < n;
         item = item->next)
        st = key->take(r, item, items + key->item_bytes * i++);
    memcpy((char *)into + key->offset, &items, sizeof items);
    memcpy((char *)into + key->count, &n, sizeof n);
    return st;
}
