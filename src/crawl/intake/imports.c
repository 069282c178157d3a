#include "crawl/intake/imports.h"

#include "base/utf8.h"
#include "crawl/intake/seeds.h"
#include "net/html/selector.h"
#include "net/html/xpath.h"
#include "net/url/url.h"

#include <stdarg.h>
#include <stdio.h>

enum { MOST_WORDS = 600, MOST_NAME = 1000, MOST_TAGS = 4000 };

void fg_import_tell(struct fg_import *import, enum fg_import_trouble what, size_t line,
                    const char *format, ...)
{
    char words[MOST_WORDS];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    size_t *counts[] = {[FG_IMPORT_WRONG] = &import->wrong,
                        [FG_IMPORT_SKIPPED] = &import->skipped,
                        [FG_IMPORT_LOST] = &import->lost};
    ++*counts[what];
    if (import->tell)
        import->tell(import->context, what, line, words);
}

/* --- texts --- */

/* Valid UTF-8 on one line, white space collapsed, `also` counting as such. */
static struct fg_str one_line(struct fg_import *import, struct fg_str text, size_t most,
                              char also)
{
    text = fg_utf8_clean(import->arena, fg_str_sub(text, 0, most + 4));
    text = fg_str_sub(text, 0, most);
    text = fg_str_sub(text, 0, fg_utf8_valid_len(text));
    char *out = fg_arena_bytes(import->arena, text.len + 1);
    size_t n = 0;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];
        bool is_blank = (unsigned char)c <= ' ' || c == 0x7f || (also && c == also);
        if (!is_blank)
            out[n++] = c;
        else if (n && out[n - 1] != ' ')
            out[n++] = ' ';
    }
    while (n && out[n - 1] == ' ')
        n--;
    return (struct fg_str){out, n};
}

struct fg_str fg_import_name(struct fg_import *import, struct fg_str name)
{
    return one_line(import, name, MOST_NAME, 0);
}

struct fg_str fg_import_tag(struct fg_import *import, struct fg_str tags,
                            struct fg_str tag)
{
    tag = one_line(import, tag, MOST_NAME, ',');
    return tags.len + tag.len < MOST_TAGS ? fg_tags_join(import->arena, tags, tag) : tags;
}

/* --- addresses --- */

bool fg_import_add(struct fg_import *import, size_t line, struct fg_str text,
                   const struct fg_seed *seed)
{
    struct fg_err err = {0};
    struct fg_url url;
    text = fg_str_trim(text);
    if (text.len > FG_SEED_LINE_MAX / 2) {
        fg_import_tell(import, FG_IMPORT_WRONG, line, "an address of %zu bytes",
                       text.len);
        return false;
    }
    if (fg_seed_check_url(text, &err)) {
        fg_import_tell(import, FG_IMPORT_WRONG, line, "%s", err.text);
        return false;
    }
    /* As parsed, for the text may hold tabs and line ends, which a URL ignores. */
    fg_url_parse(&url, import->arena, text, NULL);
    if (fg_url_username(&url).len || fg_url_password(&url).len)
        fg_import_tell(import, FG_IMPORT_LOST, line,
                       "the name and password in the address of %.*s are not used",
                       FG_ARG(fg_url_host(&url)));
    fg_vec_push_in(import->arena, &import->lines,
                   (struct fg_seed_line){.url = url.href, .seed = *seed});
    return true;
}

/* --- what counts --- */

/* The selector that we take for it; empty, and told, if there is none. */
static struct fg_str selector_for(struct fg_import *import, size_t line,
                                  struct fg_str text, bool is_xpath)
{
    const struct fg_selector *parsed;
    struct fg_err err = {0};
    struct fg_str selector = one_line(import, text, FG_SELECTOR_MAX, 0);
    if (is_xpath && !fg_xpath_to_selector(&selector, import->arena, selector)) {
        fg_import_tell(import, FG_IMPORT_LOST, line,
                       "the XPath '%.*s' has no selector that says the same",
                       FG_ARG(fg_str_sub(text, 0, 200)));
        return (struct fg_str){0};
    }
    if (fg_selector_parse(&parsed, import->arena, selector, &err)) {
        fg_import_tell(import, FG_IMPORT_LOST, line, "the selector '%.*s': %s",
                       FG_ARG(fg_str_sub(selector, 0, 200)), err.text);
        return (struct fg_str){0};
    }
    return selector;
}

bool fg_import_takes(struct fg_import *import, struct fg_import_rule *rule, size_t line,
                     struct fg_str selector, bool is_xpath)
{
    selector = selector_for(import, line, selector, is_xpath);
    if (!selector.len)
        return false;
    rule->takes = rule->takes.len ? fg_arena_printf(import->arena, "%.*s, %.*s",
                                                    FG_ARG(rule->takes), FG_ARG(selector))
                                  : selector;
    return true;
}

static void add_without(struct fg_import *import, struct fg_import_rule *rule,
                        const char *kind, struct fg_str what)
{
    rule->without = fg_arena_printf(import->arena, "%.*s without %s%.*s",
                                    FG_ARG(rule->without), kind, FG_ARG(what));
}

bool fg_import_without(struct fg_import *import, struct fg_import_rule *rule, size_t line,
                       struct fg_str selector, bool is_xpath)
{
    selector = selector_for(import, line, selector, is_xpath);
    if (!selector.len)
        return false;
    add_without(import, rule, "", selector);
    return true;
}

void fg_import_without_text(struct fg_import *import, struct fg_import_rule *rule,
                            size_t line, struct fg_str text)
{
    struct fg_str plain = one_line(import, text, 200, 0);
    if (!plain.len || fg_str_find(plain, FG_STR(" without ")) != FG_NOT_FOUND)
        fg_import_tell(import, FG_IMPORT_LOST, line, "the text to ignore '%.*s'",
                       FG_ARG(fg_str_sub(plain, 0, 200)));
    else
        add_without(import, rule,
                    "text:", fg_arena_printf(import->arena, "*%.*s*", FG_ARG(plain)));
}

struct fg_str fg_import_rule_text(struct fg_import *import,
                                  const struct fg_import_rule *rule)
{
    struct fg_arena *arena = import->arena;
    if (rule->takes.len)
        return fg_arena_printf(arena, "selector:%.*s%.*s", FG_ARG(rule->takes),
                               FG_ARG(rule->without));
    if (!rule->base.len && !rule->without.len)
        return (struct fg_str){0};
    return fg_arena_printf(arena, "%.*s%.*s",
                           FG_ARG(rule->base.len ? rule->base : FG_STR("auto")),
                           FG_ARG(rule->without));
}
