/* Pages that are kept fresh for their own sake
 *
 * A page is a document because the user named it, or because the crawl found that it
 * offers something (documents.admit), up to documents.max of a site. Whether it has
 * changed is a question about its value (net/html/value.h), read by the rule that the
 * page, its site or the settings have. The refresh policy is told of every visit to it,
 * of who its siblings are, and of the dates that feeds and sitemaps give it. */
#include "crawl/documents/documents.h"
#include "crawl/sites/pages.h"
#include "crawl/sites/site.h"
#include "crawl/sources/newness.h"
#include "crawl/state.h"

#include "net/text/date.h"

#include <stdio.h>

/* --- rules --- */

/* Rules live as long as the crawl: pages being read on the other core use them. */
const struct fg_value_rule *document_keep_rule(struct fg_crawl *crawl, struct fg_str text,
                                               struct fg_err *err)
{
    struct fg_value_rule *rule = FG_NEW(&crawl->arena, struct fg_value_rule, 1);
    text = fg_arena_dup(&crawl->arena, text);
    return fg_value_rule_parse(rule, &crawl->arena, text, err) ? NULL : rule;
}

/* The rule that an earlier run read by is in the store, with the time from which on: what
 * was read before that by another rule is nothing to compare with. */
fg_time crawl_note_rule(struct fg_crawl *crawl, const char *name, struct fg_str rule)
{
    struct fg_arena arena = {0};
    struct fg_str state, since = {0}, rest;
    int64_t time;
    fg_time now = fg_clock_now(crawl->clock);
    bool is_known = !fg_store_state(crawl->store, &state, &arena, 0, name, NULL);
    rest = is_known ? state : FG_STR("");
    fg_str_cut(&rest, ' ', &since);
    bool is_same = is_known && fg_str_eq(rest, rule) && fg_str_to_i64(since, &time);
    fg_time from = is_same ? time : is_known ? now : FG_NEVER;
    if (!is_same) {
        struct fg_batch *batch = fg_batch_new(crawl->store);
        struct fg_str text =
            fg_arena_printf(&arena, "%lld %.*s", (long long)from, FG_ARG(rule));
        fg_batch_state(batch, 0, name, text);
        fg_store_submit(crawl->store, batch);
    }
    fg_arena_clear(&arena);
    return from;
}

enum fg_status document_set_rule(struct fg_crawl *crawl, struct fg_str text,
                                 struct fg_err *err)
{
    if (fg_str_eq(text, crawl->documents.rule_text))
        return FG_OK;
    const struct fg_value_rule *rule = document_keep_rule(crawl, text, err);
    if (!rule)
        return fg_err_within(err, FG_ECONFIG, "documents.value");
    crawl->documents.rule = rule;
    crawl->documents.rule_text = fg_arena_dup(&crawl->arena, text);
    crawl->documents.rule_since = crawl_note_rule(crawl, "crawl:value", text);
    return FG_OK;
}

void document_recall_rule(struct fg_crawl *crawl, uint32_t row, struct fg_str text)
{
    const struct fg_value_rule *rule = document_keep_rule(crawl, text, NULL);
    if (!rule)
        return;
    *fg_map_put(&crawl->documents.page_rules, row) = crawl->documents.own_rules.len;
    fg_vec_push(&crawl->documents.own_rules,
                (struct own_rule){rule, fg_arena_dup(&crawl->arena, text)});
}

static const struct fg_value_rule *rule_of(const struct fg_crawl *crawl, uint32_t row)
{
    const uint64_t *own = fg_map_get(&crawl->documents.page_rules, row);
    const struct site *site = crawl_site_of(crawl, row);
    return own                ? crawl->documents.own_rules.at[*own].rule
           : site->value_rule ? site->value_rule
                              : crawl->documents.rule;
}

static bool was_read_by_another_rule(const struct fg_crawl *crawl, uint32_t row)
{
    const struct fg_known_page *page = &crawl->known.at[row];
    const struct site *site = crawl_site_of(crawl, row);
    const struct fg_site_rules *rules = site->rules;
    fg_time since = site->value_rule ? rules->value_since : crawl->documents.rule_since;
    if (fg_map_get(&crawl->documents.page_rules, row))
        since = FG_NEVER; /* by its own, whose change is noted with the value */
    if (crawl->documents.noise_since > since)
        since = crawl->documents.noise_since;
    if (rules && rules->ignore_since > since)
        since = rules->ignore_since;
    return page->last_visit_s * FG_SECOND < since;
}

/* Could it become one when it has been read? */
static bool may_become_document(const struct fg_crawl *crawl, uint32_t row)
{
    const struct fg_known_page *page = &crawl->known.at[row];
    const struct site *site = crawl_site_of(crawl, row);
    uint32_t others = FG_PAGE_FEED | FG_PAGE_SITEMAP | FG_PAGE_DOCUMENT;
    return crawl->options.documents.which != FG_DOCUMENTS_SEEDS &&
           !(page->flags & others) && site->state != SITE_PAGES_ONLY &&
           site->counts.documents < crawl->options.documents.max;
}

const struct fg_value_rule *document_reading_rule(const struct fg_crawl *crawl,
                                                  uint32_t row)
{
    static const struct fg_value_rule offer = {.kind = FG_VALUE_OFFER};
    const struct fg_value_rule *rule = rule_of(crawl, row);
    if (crawl->known.at[row].flags & FG_PAGE_DOCUMENT)
        return rule;
    if (!may_become_document(crawl, row))
        return NULL;
    /* Only if it offers something will it be one, and then that is its value. */
    bool is_auto = rule->kind == FG_VALUE_NONE;
    return is_auto && crawl->options.documents.which == FG_DOCUMENTS_OFFERS ? &offer
                                                                            : rule;
}

/* --- becoming one, and ceasing to be --- */

static void put_flags(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row)
{
    const struct fg_known_page *page = &crawl->known.at[row];
    if (batch)
        fg_batch_page_flags(batch, page->site, page->page, page->flags, 0);
}

/* In memory; the row of the mind. */
static size_t enter(struct fg_crawl *crawl, uint32_t row, float weight, fg_time now)
{
    struct fg_known_page *page = &crawl->known.at[row];
    uint64_t id = fg_known_id(&crawl->known, row);
    page->flags |= FG_PAGE_DOCUMENT;
    size_t at = fg_mind_add(crawl->minds.refresh, id, page->site, now);
    if (weight > 0)
        fg_mind_weigh(crawl->minds.refresh, at, weight);
    *fg_map_put(&crawl->minds.row_by_id, id) = row + (uint64_t)1;
    return at;
}

static void count_in(struct fg_crawl *crawl, uint32_t row)
{
    crawl_site_of(crawl, row)->counts.documents++;
    crawl->counts.documents++;
    fg_siblings_count(&crawl->documents.siblings, fg_known_url(&crawl->known, row));
}

/* Its group is made at the first tick, when the policy knows its pages again. */
void document_recall(struct fg_crawl *crawl, uint32_t row, fg_time added)
{
    enter(crawl, row, 0, added);
    count_in(crawl, row);
}

void document_admit(struct fg_crawl *crawl, uint32_t row, float weight, fg_time now)
{
    uint64_t id = fg_known_id(&crawl->known, row);
    bool is_new = fg_mind_row(crawl->minds.refresh, id) == FG_NO_ROW;
    size_t at = enter(crawl, row, weight, now);
    if (!is_new)
        return;
    count_in(crawl, row);
    fg_mind_group(
        crawl->minds.refresh, at,
        fg_siblings_group(&crawl->documents.siblings, fg_known_url(&crawl->known, row)));
}

void document_retire(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row)
{
    struct fg_known_page *page = &crawl->known.at[row];
    if (!(page->flags & FG_PAGE_DOCUMENT))
        return;
    page->flags &= ~(uint32_t)FG_PAGE_DOCUMENT;
    put_flags(crawl, batch, row);
    fg_mind_remove(crawl->minds.refresh, fg_known_id(&crawl->known, row));
    fg_map_remove(&crawl->documents.dated, row);
    fg_map_remove(&crawl->documents.signalled, row);
    crawl_site_of(crawl, row)->counts.documents--;
    crawl->counts.documents--;
}

void document_move(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t from,
                   uint32_t to, fg_time now)
{
    const uint64_t *own = fg_map_get(&crawl->documents.page_rules, from);
    size_t at = fg_mind_row(crawl->minds.refresh, fg_known_id(&crawl->known, from));
    if (at == FG_NO_ROW)
        return;
    float weight = fg_mind_world(crawl->minds.refresh)->weight[at];
    document_retire(crawl, batch, from);
    if (to == FG_UNKNOWN)
        return;
    document_admit(crawl, to, weight, now);
    put_flags(crawl, batch, to);
    const struct fg_known_page *there = &crawl->known.at[to];
    fg_batch_page_weight(batch, there->site, there->page, weight);
    if (!own)
        return;
    uint64_t rule = *own; /* a put may move what `own` points to */
    *fg_map_put(&crawl->documents.page_rules, to) = rule;
    fg_batch_value_rule(batch, there->site, there->page,
                        crawl->documents.own_rules.at[rule].text);
}

void document_consider(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                       const struct fg_reading *reading, fg_time now)
{
    uint32_t unfit = FG_PAGE_ALIAS | FG_PAGE_GONE | FG_PAGE_EXCLUDED;
    bool is_wanted = crawl->options.documents.which == FG_DOCUMENTS_ALL ||
                     (crawl->options.documents.which == FG_DOCUMENTS_OFFERS &&
                      reading->value.has_offer);
    const struct fg_known_page *page = &crawl->known.at[row];
    if (!reading->has_value || reading->kind != FG_READ_HTML || reading->noindex ||
        !is_wanted || page->flags & unfit || !may_become_document(crawl, row) ||
        (crawl->focus && !(page->flags & FG_PAGE_RELEVANT)))
        return;
    document_admit(crawl, row, 0, now);
    put_flags(crawl, batch, row);
}

/* --- values --- */

void document_put_value(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                        const struct fg_value *value, fg_time now)
{
    const struct fg_known_page *page = &crawl->known.at[row];
    const struct fg_offer *offer = &value->offer;
    *fg_map_put(&crawl->documents.unsaved, row) = value->hash;
    crawl->documents.unsaved_number = UINT64_MAX; /* until the batch is submitted */
    fg_batch_value(
        batch, &(struct fg_value_row){
                   .site = page->site,
                   .page = page->page,
                   .kind = (uint8_t)value->kind,
                   .hash = value->hash,
                   .changed = now,
                   .text = value->text,
                   .price = fg_str_from(offer->price.amount),
                   .high = fg_str_from(offer->high),
                   .currency = fg_str_from(offer->price.currency),
                   .availability = fg_str_from(fg_availability_name(offer->availability)),
                   .condition = fg_str_from(fg_condition_name(offer->condition)),
                   .name = offer->name,
                   .brand = offer->brand,
                   .category = offer->category,
                   .seller = offer->seller,
                   .country = offer->country,
                   .language = offer->language,
               });
}

/* The store does not have what waits for the disk. */
void document_wants(struct fg_before *before, struct fg_crawl *crawl, uint32_t row)
{
    const uint64_t *unsaved = fg_map_get(&crawl->documents.unsaved, row);
    if (was_read_by_another_rule(crawl, row))
        return;
    before->has_value = unsaved;
    before->value_hash = unsaved ? *unsaved : 0;
    before->wants |= FG_BEFORE_VALUE;
    if (fg_noise_least_change(crawl_site_of(crawl, row)->noise) > 0)
        before->wants |= FG_BEFORE_SKETCH;
    if (crawl->options.documents.report_changes &&
        crawl->known.at[row].flags & FG_PAGE_SEED)
        before->wants |= FG_BEFORE_TEXT;
}

/* --- changes that are too small --- */

void document_put_sketch(struct fg_crawl *crawl, struct fg_batch *batch, uint32_t row,
                         const struct fg_value *value)
{
    const struct fg_known_page *page = &crawl->known.at[row];
    if (value->has_sketch)
        fg_batch_page_extra(
            batch, page->site, page->page, FG_EXTRA_SKETCH,
            (struct fg_str){(const char *)&value->sketch, sizeof value->sketch});
}

bool document_is_small_change(struct fg_crawl *crawl, uint32_t row,
                              const struct fg_before *before,
                              const struct fg_value *value)
{
    double least = fg_noise_least_change(crawl_site_of(crawl, row)->noise);
    struct fg_sketch sketch;
    if (!value->has_sketch || least <= 0 || before->sketch.len != sizeof sketch)
        return false;
    memcpy(&sketch, before->sketch.at, sizeof sketch);
    return 1 - fg_sketch_resemblance(&sketch, &value->sketch) < least;
}

void document_saved(struct fg_crawl *crawl, uint64_t durable)
{
    if (durable >= crawl->documents.unsaved_number)
        fg_map_clear(&crawl->documents.unsaved);
}

/* --- siblings --- */

/* New pages are put into groups as they come, but those that came before them may belong
 * to a directory that has become large enough since. */
void document_regroup(struct fg_crawl *crawl)
{
    const struct fg_world *world = fg_mind_world(crawl->minds.refresh);
    if (world->n <= crawl->documents.n_grouped + crawl->documents.n_grouped / 10)
        return;
    crawl->documents.n_grouped = world->n;
    for (size_t i = 0; i < world->n; i++) {
        uint32_t row = crawl_row_of(crawl, world->id[i]);
        if (row != FG_UNKNOWN)
            fg_mind_group(crawl->minds.refresh, i,
                          fg_siblings_group(&crawl->documents.siblings,
                                            fg_known_url(&crawl->known, row)));
    }
}

/* --- dates that others give it --- */

/* A date later than the last one that was given is news. Of the first one, only if it is
 * later than our visit: that a page was changed before we saw it says nothing. What was
 * given is forgotten by a restart, so a page that waits for its visit may be signalled
 * once more then. Some sitemaps date all pages anew each time: such dates are tried now
 * and then, and otherwise not believed. */
void document_signal(struct fg_crawl *crawl, uint32_t row, fg_time dated, fg_time now)
{
    const struct fg_known_page *page = &crawl->known.at[row];
    static const fg_time clocks_differ = FG_DAY;
    if (!(page->flags & FG_PAGE_DOCUMENT) || dated == FG_NEVER || dated < 0 ||
        dated > now + clocks_differ)
        return;
    uint64_t *last = fg_map_get(&crawl->documents.dated, row);
    fg_time seen = page->last_visit_s * FG_SECOND;
    bool is_news = last ? (uint64_t)dated > *last : page->last_visit_s && dated > seen;
    if (!last)
        last = fg_map_put(&crawl->documents.dated, row);
    if ((uint64_t)dated > *last)
        *last = (uint64_t)dated;
    size_t at = fg_mind_row(crawl->minds.refresh, fg_known_id(&crawl->known, row));
    if (is_news && at != FG_NO_ROW &&
        fg_honesty_heeds(&crawl_site_of(crawl, row)->counts.document_dates, now)) {
        fg_mind_signal(crawl->minds.refresh, at, now);
        bool is_believed =
            fg_honesty_is_believed(&crawl_site_of(crawl, row)->counts.document_dates);
        *fg_map_put(&crawl->documents.signalled, row) =
            is_believed ? SIGNAL_BELIEVED : SIGNAL_TRIED;
    }
}

void document_count(struct fg_crawl *crawl, uint32_t row, const struct fg_visit *told,
                    fg_time now)
{
    struct site_counts *counts = &crawl_site_of(crawl, row)->counts;
    const struct fg_mind *mind = crawl->minds.refresh;
    size_t at = fg_mind_row(mind, fg_known_id(&crawl->known, row));
    fg_time last = at == FG_NO_ROW ? FG_NEVER : fg_mind_world(mind)->last_visit[at];
    if (told->ok && fg_map_get(&crawl->documents.signalled, row))
        fg_honesty_check(&counts->document_dates, told->changed);
    fg_map_remove(&crawl->documents.signalled, row);
    if (!told->ok || last == FG_NEVER || last > now)
        return;
    counts->document_hours += fg_hours(now - last);
    counts->document_changes += told->changed;
}

bool document_is_done(const struct fg_crawl *crawl, uint32_t row)
{
    return crawl->options.run.once &&
           crawl->known.at[row].last_visit_s * FG_SECOND >= crawl->run.started;
}

/* When the server says that the page was last changed; FG_NEVER if that cannot be the
 * change of its value: a page made for us is dated now, and other things than the value
 * change, too. */
fg_time document_modified(struct fg_str header, bool is_changed, fg_time previous,
                          fg_time now)
{
    static const fg_time just_made = 2 * FG_SECOND;
    fg_time modified = fg_date_parse_http(header);
    if (modified == FG_NEVER || modified < 0 || modified > now - just_made ||
        previous == FG_NEVER)
        return FG_NEVER;
    return (modified > previous) == is_changed ? modified : FG_NEVER;
}
