#include "crawl/sources/strangers.h"

#include "crawl/state.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void fg_strangers_clear(struct fg_strangers *strangers)
{
    for (size_t i = 0; i < strangers->all.len; i++)
        free(strangers->all.at[i].key);
    fg_vec_clear(&strangers->all);
    fg_map_clear(&strangers->by_key);
    *strangers = (struct fg_strangers){0};
}

static void index_all(struct fg_strangers *strangers)
{
    fg_map_clear(&strangers->by_key);
    for (size_t i = 0; i < strangers->all.len; i++)
        *fg_map_put(&strangers->by_key,
                    fg_str_hash(fg_str_from(strangers->all.at[i].key))) = i + 1;
}

static int most_led_to(const void *a, const void *b)
{
    const struct fg_stranger *x = a, *y = b;
    if (x->pages != y->pages)
        return x->pages < y->pages ? 1 : -1;
    if (x->last != y->last)
        return x->last < y->last ? 1 : -1;
    return strcmp(x->key, y->key);
}

/* A quarter goes at a time, so that it costs little. */
static void make_room(struct fg_strangers *strangers)
{
    size_t kept = FG_STRANGERS_MOST - FG_STRANGERS_MOST / 4;
    if (strangers->all.len < FG_STRANGERS_MOST)
        return;
    qsort(strangers->all.at, strangers->all.len, sizeof *strangers->all.at, most_led_to);
    while (strangers->all.len > kept)
        free(strangers->all.at[--strangers->all.len].key);
    index_all(strangers);
}

static struct fg_stranger *find(struct fg_strangers *strangers, struct fg_str key)
{
    const uint64_t *at = fg_map_get(&strangers->by_key, fg_str_hash(key));
    struct fg_stranger *stranger = at ? &strangers->all.at[*at - 1] : NULL;
    return stranger && fg_str_eq(fg_str_from(stranger->key), key) ? stranger : NULL;
}

static struct fg_stranger *add(struct fg_strangers *strangers, struct fg_str key,
                               fg_time now)
{
    char *text = fg_zeroed(key.len + 1, 1);
    memcpy(text, key.at, key.len);
    make_room(strangers);
    fg_vec_push(&strangers->all,
                ((struct fg_stranger){.key = text, .first = now, .last = now}));
    *fg_map_put(&strangers->by_key, fg_str_hash(key)) = strangers->all.len;
    return &strangers->all.at[strangers->all.len - 1];
}

void fg_strangers_see(struct fg_strangers *strangers, struct fg_str key, uint64_t page,
                      bool is_first, fg_time now)
{
    struct fg_stranger *stranger = find(strangers, key);
    bool is_remembered = false;
    if (!stranger)
        stranger = add(strangers, key, now);
    for (size_t i = 0; i < stranger->n_from; i++)
        is_remembered |= stranger->from[i] == page;
    stranger->last = now;
    if (is_remembered || (!is_first && stranger->n_from == FG_STRANGER_PAGES))
        return;
    if (stranger->n_from < FG_STRANGER_PAGES)
        stranger->from[stranger->n_from++] = page;
    stranger->pages++;
    strangers->has_news = true;
}

uint32_t fg_stranger_sites(const struct fg_stranger *stranger)
{
    uint32_t n = 0;
    for (size_t i = 0; i < stranger->n_from; i++) {
        bool is_known = false;
        for (size_t j = 0; j < i; j++)
            is_known |= stranger->from[j] >> 32 == stranger->from[i] >> 32;
        n += !is_known;
    }
    return n;
}

/* --- as text: key, pages, first, last, and the pages, with tabs between --- */

void fg_strangers_write(const struct fg_strangers *strangers, struct fg_buf *out)
{
    for (size_t i = 0; i < strangers->all.len; i++) {
        const struct fg_stranger *s = &strangers->all.at[i];
        fg_buf_printf(out, "%s\t%llu\t%lld\t%lld", s->key, (unsigned long long)s->pages,
                      (long long)s->first, (long long)s->last);
        for (size_t j = 0; j < s->n_from; j++)
            fg_buf_printf(out, "\t%llu", (unsigned long long)s->from[j]);
        fg_buf_printf(out, "\n");
    }
}

static struct fg_str cut(struct fg_str *rest, char end)
{
    size_t at = fg_str_chr(*rest, end);
    struct fg_str part = fg_str_sub(*rest, 0, at == FG_NOT_FOUND ? rest->len : at);
    *rest = fg_str_skip(*rest, at == FG_NOT_FOUND ? rest->len : at + 1);
    return part;
}

static bool read_line(struct fg_strangers *strangers, struct fg_str line)
{
    struct fg_str key = cut(&line, '\t');
    uint64_t pages, first, last;
    if (!key.len || strangers->all.len >= FG_STRANGERS_MOST || find(strangers, key) ||
        !fg_str_to_u64(cut(&line, '\t'), &pages) ||
        !fg_str_to_u64(cut(&line, '\t'), &first) ||
        !fg_str_to_u64(cut(&line, '\t'), &last) || first > INT64_MAX || last > INT64_MAX)
        return false;
    struct fg_stranger *stranger = add(strangers, key, (fg_time)first);
    stranger->pages = pages;
    stranger->last = (fg_time)last;
    while (line.len && stranger->n_from < FG_STRANGER_PAGES)
        if (!fg_str_to_u64(cut(&line, '\t'), &stranger->from[stranger->n_from++]))
            return false;
    return stranger->n_from > 0 && !line.len;
}

bool fg_strangers_read(struct fg_strangers *strangers, struct fg_str text)
{
    bool is_good = true;
    fg_strangers_clear(strangers);
    while (is_good && text.len)
        is_good = read_line(strangers, cut(&text, '\n'));
    if (!is_good)
        fg_strangers_clear(strangers);
    return is_good;
}

/* --- of a crawl --- */

/* "https://www.site.example" as "site.example" */
static struct fg_str name_of(struct fg_str key)
{
    static const struct fg_str www = {"www.", 4};
    size_t at = fg_str_chr(key, ':');
    key = at == FG_NOT_FOUND ? key : fg_str_skip(key, at + 3);
    return fg_str_starts(key, www) ? fg_str_skip(key, www.len) : key;
}

void strangers_see(struct fg_crawl *crawl, uint32_t row, struct fg_str key, fg_time now)
{
    const struct fg_known_page *page = &crawl->known.at[row];
    const struct site *site = crawl_site_with(crawl, page->site);
    if (!crawl->options.exploring.new_sites || !site ||
        fg_str_eq(name_of(key), name_of(fg_str_from(site->key))))
        return;
    fg_strangers_see(&crawl->sources.strangers, key,
                     (uint64_t)page->site << 32 | page->page, !page->last_visit_s, now);
}

void strangers_recall(struct fg_crawl *crawl)
{
    struct fg_arena arena = {0};
    struct fg_str text;
    if (crawl->options.exploring.new_sites &&
        !fg_store_state(crawl->store, &text, &arena, 0, FG_STRANGERS_STATE, NULL))
        fg_strangers_read(&crawl->sources.strangers, text);
    fg_arena_clear(&arena);
}

void strangers_save(struct fg_crawl *crawl, struct fg_batch *batch)
{
    struct fg_buf text;
    if (!crawl->sources.strangers.has_news)
        return;
    fg_buf_init(&text, (size_t)1 << 20);
    fg_strangers_write(&crawl->sources.strangers, &text);
    fg_batch_state(batch, 0, FG_STRANGERS_STATE, fg_buf_str(&text));
    fg_buf_clear(&text);
    crawl->sources.strangers.has_news = false;
}
