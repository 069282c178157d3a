/* Keys of IndexNow: whoever sends addresses of a site shows a key, and the same key must
 * lie in a file at that site. It is fetched as politely as any page, once for each key
 * and again after a day; of wrong keys one after a minute, the next after two, and so on
 * up to a day, so that a flood of them costs the site a dozen requests. */
#include "crawl/signals/push.h"

#include "base/log.h"
#include "base/memory.h"
#include "crawl/state.h"
#include "net/url/canonical.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_URLS = 10000, MOST_HELD = 100, MOST_KEY_FILE = 4096 };
static const fg_time first_wait = FG_MINUTE, last_wait = FG_DAY, believed_for = FG_DAY,
                     refused_for = FG_HOUR;

static char *copy(struct fg_str text)
{
    char *made = fg_resized(NULL, text.len + 1, 1);
    if (text.len)
        memcpy(made, text.at, text.len);
    made[text.len] = '\0';
    return made;
}

/* Those that the key speaks for; what is beyond the room is dropped. */
static void take_urls(struct site_push *push, struct fg_str location, struct fg_str urls,
                      bool is_good)
{
    struct fg_str url;
    while (urls.len && fg_str_cut(&urls, '\n', &url)) {
        if (!fg_indexnow_covers(location, url) || url.len > FG_PUSH_URL_MOST)
            continue;
        if (is_good && push->urls.len < MOST_URLS)
            fg_vec_push(&push->urls, copy(url));
        else if (!is_good && push->held.len < MOST_HELD)
            fg_vec_push(&push->held, copy(url));
    }
}

static void drop_held(struct site_push *push)
{
    for (size_t i = 0; i < push->held.len; i++)
        free(push->held.at[i]);
    push->held.len = 0;
}

static void take_key(struct site_push *push, fg_time now)
{
    struct fg_indexnow *kept = &push->kept.indexnow;
    struct fg_str key = fg_str_from(push->asked_key),
                  location = fg_str_from(push->asked_location);
    if (!fg_str_eq(kept->key, key) || !fg_str_eq(kept->location, location)) {
        kept->key = fg_arena_dup(&push->arena, key);
        kept->location = fg_arena_dup(&push->arena, location);
    }
    kept->checked = now;
    kept->failures = 0;
    kept->next_check = now + first_wait;
    for (size_t i = 0; i < push->held.len; i++)
        fg_vec_push(&push->urls, push->held.at[i]);
    push->held.len = 0;
}

static void refuse_key(struct site_push *push, fg_time now)
{
    struct fg_indexnow *kept = &push->kept.indexnow;
    struct fg_str key = fg_str_from(push->asked_key);
    fg_time wait = first_wait;
    for (uint32_t i = 0; i < kept->failures && wait < last_wait; i++)
        wait *= 2;
    kept->failures++;
    kept->next_check = now + (wait < last_wait ? wait : last_wait);
    kept->refused = fg_arena_dup(&push->arena, key);
    kept->refused_at = now;
    if (fg_str_eq(kept->key, key)) {
        kept->key = FG_STR("");
        fg_honesty_silence(&kept->honesty);
    }
    drop_held(push);
}

static void on_key(void *context, const struct fg_answer *answer)
{
    struct push_ask *ask = context;
    struct fg_crawl *crawl = ask->crawl;
    struct site_push *push = ask->site->push;
    const struct fg_response *response = answer->response;
    fg_time now = fg_clock_now(crawl->clock);
    ask->is_open = false;
    crawl->budget.all -= answer->requests;
    crawl->counts.fetches += answer->requests;
    bool is_answered = answer->end == FG_ASK_ANSWERED && response->outcome == FG_FETCHED;
    bool is_same =
        is_answered && response->status == 200 &&
        fg_str_eq(fg_canonical_site(answer->url), fg_str_from(ask->site->key)) &&
        fg_str_eq(fg_str_trim(response->body), fg_str_from(push->asked_key));
    bool is_known = fg_str_eq(push->kept.indexnow.key, fg_str_from(push->asked_key));
    if (is_same)
        take_key(push, now);
    else if (answer->end == FG_ASK_STOPPED ||
             (is_known && (!is_answered || response->status >= 500)))
        drop_held(push); /* that says nothing of the key */
    else
        refuse_key(push, now);
    push->is_changed = true;
    fg_log_info("push", "a key of IndexNow was checked", FG_F("site", ask->site->key),
                FG_F("is_good", is_same),
                FG_F("status", response ? response->status : 0));
    free(push->asked_key);
    free(push->asked_location);
    push->asked_key = push->asked_location = NULL;
}

static void ask_key(struct fg_crawl *crawl, struct site *site, struct fg_str key,
                    struct fg_str location)
{
    struct site_push *push = site->push;
    push->asked_key = copy(key);
    push->asked_location = copy(location);
    push->key_ask = (struct push_ask){.crawl = crawl, .site = site, .is_open = true};
    fg_polite_ask(crawl->polite, &(struct fg_ask){.url = location,
                                                  .accept = "text/plain,*/*;q=0.1",
                                                  .max_body = MOST_KEY_FILE,
                                                  .purpose = FG_REQUEST_ERRAND,
                                                  .done = on_key,
                                                  .context = &push->key_ask});
}

void indexnow_take(struct fg_crawl *crawl, struct site *site, struct fg_str key,
                   struct fg_str location, struct fg_str urls)
{
    fg_time now = fg_clock_now(crawl->clock);
    if (!crawl->options.push.public_url.len || !crawl->options.push.indexnow ||
        !fg_indexnow_is_key(key) || !location.len || location.len > FG_PUSH_URL_MOST ||
        (site->rules && (site->rules->is_removed || site->rules->is_paused)))
        return;
    struct site_push *push = push_of(site);
    struct fg_indexnow *kept = &push->kept.indexnow;
    bool is_good = fg_str_eq(kept->key, key) && fg_str_eq(kept->location, location);
    bool is_due = is_good ? now - kept->checked >= believed_for
                          : kept->next_check == FG_NEVER || now >= kept->next_check;
    if (is_good)
        take_urls(push, location, urls, true);
    else if (push->asked_key && fg_str_eq(fg_str_from(push->asked_key), key))
        take_urls(push, location, urls, false);
    if (push->key_ask.is_open || !is_due ||
        (!is_good && kept->refused_at != FG_NEVER && fg_str_eq(kept->refused, key) &&
         now - kept->refused_at < refused_for))
        return;
    ask_key(crawl, site, key, location);
    if (!is_good)
        take_urls(push, location, urls, false);
}
