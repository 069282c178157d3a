#include "crawl/sources/naming.h"

#include "base/log.h"
#include "net/url/canonical.h"
#include "net/url/url.h"

#include <stdio.h>

static const char state[] = "crawl:canonical";

void fg_naming_format(char out[static FG_NAMING_TEXT], unsigned keep)
{
    snprintf(out, FG_NAMING_TEXT, "sort-query=%s drop-tracking=%s",
             keep & FG_CANONICAL_KEEP_ORDER ? "no" : "yes",
             keep & FG_CANONICAL_KEEP_TRACKING ? "no" : "yes");
}

static bool parse(unsigned *keep, struct fg_str text)
{
    char known[FG_NAMING_TEXT];
    for (*keep = 0; *keep <= (FG_CANONICAL_KEEP_ORDER | FG_CANONICAL_KEEP_TRACKING);
         ++*keep) {
        fg_naming_format(known, *keep);
        if (fg_str_eq(text, fg_str_from(known)))
            return true;
    }
    return false;
}

static bool is_there(void *context, const struct fg_site_row *row)
{
    (void)row;
    *(bool *)context = true;
    return false;
}

/* Stores from before the rules could be chosen have the default ones. */
static enum fg_status read_rules(unsigned *keep, bool *is_kept, struct fg_store *store,
                                 unsigned wanted, struct fg_err *err)
{
    struct fg_arena arena = {0};
    struct fg_str text;
    bool has_sites = false;
    *is_kept = false;
    *keep = wanted;
    enum fg_status st = fg_store_sites(store, is_there, &has_sites, err);
    if (st || !has_sites)
        return st;
    st = fg_store_state(store, &text, &arena, 0, state, err);
    *is_kept = !st;
    if (!st && !parse(keep, text))
        st = fg_fail(err, FG_EINPUT,
                     "the store is damaged: its rules for canonical addresses make no "
                     "sense; restore a copy of it");
    fg_arena_clear(&arena);
    if (st != FG_ENOTFOUND)
        return st;
    *keep = FG_CANONICAL_DEFAULT;
    return FG_OK;
}

void fg_naming_warn(unsigned kept, unsigned wanted)
{
    char workspace[FG_NAMING_TEXT], settings[FG_NAMING_TEXT];
    if (kept == wanted)
        return;
    fg_naming_format(workspace, kept);
    fg_naming_format(settings, wanted);
    fg_log_warn("crawl",
                "canonical settings not heeded: the workspace was begun with others, and "
                "its pages are known by those; a new workspace would take them",
                FG_F("settings", settings), FG_F("workspace", workspace));
}

enum fg_status fg_naming_read(unsigned *keep, struct fg_store *store, unsigned wanted,
                              struct fg_err *err)
{
    bool is_kept;
    return read_rules(keep, &is_kept, store, wanted, err);
}

/* Written before the first site, and batches are written in order. */
enum fg_status fg_naming_settle(unsigned *keep, struct fg_store *store, unsigned wanted,
                                struct fg_err *err)
{
    bool is_kept;
    enum fg_status st = read_rules(keep, &is_kept, store, wanted, err);
    if (st)
        return st;
    fg_naming_warn(*keep, wanted);
    if (is_kept)
        return FG_OK;
    char text[FG_NAMING_TEXT];
    fg_naming_format(text, *keep);
    struct fg_batch *batch = fg_batch_new(store);
    fg_batch_state(batch, 0, state, fg_str_from(text));
    fg_store_submit(store, batch);
    return FG_OK;
}

uint32_t *fg_naming_rename(struct fg_names *by_url, struct fg_arena *arena,
                           struct fg_str *urls, size_t *n, unsigned keep)
{
    uint32_t *renamed = FG_NEW(arena, uint32_t, *n + 1);
    size_t kept = 0;
    *by_url = (struct fg_names){.arena = arena};
    for (size_t i = 0; i < *n; i++) {
        struct fg_url url;
        struct fg_str name = urls[i];
        if (fg_url_parse(&url, arena, name, NULL))
            name = fg_canonical_from(arena, &url, keep);
        uint64_t *slot = fg_names_put(by_url, name);
        if (!*slot) {
            urls[kept] = name;
            *slot = ++kept;
        }
        renamed[i] = (uint32_t)(*slot - 1);
    }
    *n = kept;
    return renamed;
}
