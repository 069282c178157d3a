/* Changes of documents, as events
 *
 * An event says what the value was and is, and what is different, in words: of an offer
 * its price and availability, of a text the words that went and came
 * (net/text/text_diff.h). The store keeps the first kilobyte of every value. Of documents
 * that the user named (there are not many) all of the text is kept besides, as the state
 * "text:PAGE" of their site, so that a change in the middle of a long page can be shown.
 */
#include "crawl/documents/documents.h"
#include "crawl/sites/pages.h"
#include "crawl/state.h"

#include "base/json.h"
#include "crawl/output/news.h"
#include "net/text/text_diff.h"

#include <stdio.h>

enum { MOST_DIFF = 2000, MOST_KEPT = 64 << 10, MOST_LINE = 1 << 20 };

/* --- what is different --- */

static void say_field(struct fg_buf *out, const char *name, struct fg_str before,
                      struct fg_str after)
{
    if (fg_str_eq(before, after))
        return;
    if (out->len)
        fg_buf_add_char(out, '\n');
    fg_buf_printf(out, "%s %.*s -> %.*s", name,
                  FG_ARG(before.len ? before : FG_STR("none")),
                  FG_ARG(after.len ? after : FG_STR("none")));
}

/* "12.00-24.00 EUR" */
static struct fg_str price_of(struct fg_arena *arena, struct fg_str amount,
                              struct fg_str high, struct fg_str currency)
{
    if (!amount.len)
        return FG_STR("");
    return fg_arena_printf(arena, "%.*s%s%.*s%s%.*s", FG_ARG(amount), high.len ? "-" : "",
                           FG_ARG(high), currency.len ? " " : "", FG_ARG(currency));
}

static void diff_offers(struct fg_buf *out, struct fg_arena *arena,
                        const struct fg_value_row *before, const struct fg_offer *after)
{
    struct fg_str now =
        price_of(arena, fg_str_from(after->price.amount), fg_str_from(after->high),
                 fg_str_from(after->price.currency));
    say_field(out, "price",
              price_of(arena, before->price, before->high, before->currency), now);
    say_field(out, "availability", before->availability,
              fg_str_from(fg_availability_name(after->availability)));
}

static struct fg_str whole_of(const struct fg_value *value)
{
    return fg_str_sub(value->whole.len ? value->whole : value->text, 0, MOST_KEPT);
}

static void diff_texts(struct fg_buf *out, const struct fg_before *before,
                       const struct fg_value *after)
{
    bool has_whole = before->value.kind != FG_VALUE_OFFER && before->text.at;
    bool is_different =
        before->value.text.at &&
        (has_whole ? fg_text_diff(out, before->text, whole_of(after), MOST_DIFF)
                   : fg_text_diff(out, before->value.text, after->text, MOST_DIFF));
    if (!is_different)
        fg_buf_add(out, FG_STR("changed beyond what is kept of the text"));
}

/* --- the event --- */

/* A change may come back and go again, so that its time is part of what it is. */
static uint64_t id_of(uint64_t fingerprint, uint64_t before, uint64_t after, fg_time now)
{
    uint64_t parts[] = {fingerprint, before, after, (uint64_t)now};
    return fg_str_hash((struct fg_str){(const char *)parts, sizeof parts});
}

struct change {
    uint64_t id;
    struct fg_str url, site, title;
    const struct fg_value_row *before; /* its text has no start if it is not known */
    bool is_listed; /* a list showed what was before, and it was never read */
    const struct fg_value *after;
    struct fg_str diff;
    fg_time now;
};

static void put_line(struct fg_buf *line, const struct change *change)
{
    char id[20];
    struct fg_json json = fg_json_to(line);
    snprintf(id, sizeof id, "%016llx", (unsigned long long)change->id);
    fg_json_object(&json);
    fg_json_pair(&json, "event", fg_str_from(id));
    fg_json_pair(&json, "type", FG_STR(FG_NEWS_CHANGED));
    fg_json_pair(&json, "url", change->url);
    fg_json_pair(&json, "site", change->site);
    fg_json_pair_time(&json, "found_at", change->now);
    fg_json_pair(&json, "title", change->title);
    fg_json_pair(&json, "kind", fg_str_from(fg_value_kind_name(change->after->kind)));
    fg_json_pair(&json, "before", change->before->text);
    fg_json_pair(&json, "after", change->after->text);
    fg_json_pair(&json, "diff", change->diff);
    if (change->is_listed) /* view/look.c looks for it */
        fg_json_pair(&json, "before_from", FG_STR("list"));
    fg_json_end(&json);
}

void change_report(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                   const struct fg_before *before, const struct fg_value *after,
                   struct fg_str title, fg_time now)
{
    if (!crawl->options.documents.report_changes)
        return;
    const struct fg_known_page *page = &crawl->known.at[row];
    const struct fg_value_row *was = &before->value;
    struct fg_buf diff, line;
    fg_buf_init(&diff, MOST_LINE);
    fg_buf_init(&line, MOST_LINE);
    if (was->kind == FG_VALUE_OFFER && after->kind == FG_VALUE_OFFER)
        diff_offers(&diff, &crawl->scratch, was, &after->offer);
    else
        diff_texts(&diff, before, after);
    struct change change = {
        .id = id_of(page->fingerprint, before->value_hash, after->hash, now),
        .url = fg_known_url(&crawl->known, row),
        .site = fg_str_from(crawl_site_of(crawl, row)->key),
        .title = fg_str_sub(title, 0, FG_VALUE_TEXT_MAX),
        .before = was,
        .is_listed = !before->value_hash,
        .after = after,
        .diff = fg_buf_str(&diff),
        .now = now,
    };
    put_line(&line, &change);
    fg_batch_event(batch, &(struct fg_event_row){.site = page->site,
                                                 .page = page->page,
                                                 .id = change.id,
                                                 .time = now,
                                                 .kind = FG_STR(FG_NEWS_CHANGED),
                                                 .json = fg_buf_str(&line)});
    fg_buf_clear(&line);
    fg_buf_clear(&diff);
}

void change_keep_text(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                      const struct fg_value *value)
{
    const struct fg_known_page *page = &crawl->known.at[row];
    if (!crawl->options.documents.report_changes || !(page->flags & FG_PAGE_SEED) ||
        value->kind == FG_VALUE_OFFER)
        return;
    struct fg_str whole = whole_of(value);
    fg_batch_page_extra(batch, page->site, page->page, FG_EXTRA_TEXT,
                        whole.at ? whole : FG_STR(""));
}
