/* What a scheduler has saved and somebody wrote into, with a checksum that fits: it is
 * refused, or the scheduler goes on with it and what it saves then is taken again. The
 * first byte says of what: its state, of which each four bytes that follow are a width, a
 * place and what is written there; or its log, which the rest is. */
#include "base/arena.h"
#include "base/sections.h"
#include "policy/scheduler.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LEASES = 6, TURNS = 3 };
static const fg_time start = 20000 * FG_DAY;

static struct fg_mind *mind_new(void)
{
    return fg_mind_new(fg_policy_find(FG_STR("link-types"), FG_DISCOVERY), 7);
}

static void live(struct fg_scheduler *s, fg_time now, uint64_t key)
{
    const struct fg_str links[] = {FG_STR("https://a.example/1"),
                                   FG_STR("https://a.example/2"),
                                   FG_STR("https://b.example/x")};
    for (int turn = 0; turn < TURNS; turn++, now += FG_HOUR) {
        struct fg_lease leases[LEASES];
        struct fg_told told = {0};
        size_t n =
            fg_scheduler_next(s, now, LEASES, FG_MINUTE, key + (uint64_t)turn, leases);
        for (size_t i = 0; i < n; i++)
            fg_scheduler_report(s, now,
                                &(struct fg_lease_report){.lease = leases[i].number,
                                                          .links = links,
                                                          .n_links = 1 + i % 3},
                                &told);
        fg_scheduler_wait(s, now);
    }
    fg_scheduler_count(s);
}

static struct fg_scheduler *made(void)
{
    struct fg_scheduler *s = fg_scheduler_new(mind_new());
    bool is_new;
    fg_scheduler_add(s, FG_STR("https://a.example/"), FG_STR("https://a.example"), start,
                     &is_new, NULL);
    fg_scheduler_add(s, FG_STR("https://b.example/"), FG_STR("https://b.example"), start,
                     &is_new, NULL);
    live(s, start, 1);
    return s;
}

static void write_into(struct fg_buf *state, const uint8_t *edit)
{
    static const size_t widths[] = {1, 4, 8, 2};
    size_t body = state->len - 16, n = widths[edit[0] % 4],
           at = (edit[1] | (size_t)edit[2] << 8) % body;
    memset(state->at + 8 + at, edit[3], n < body - at ? n : body - at);
}

/* It goes on, and what it saves is sound. */
static void go_on(struct fg_scheduler *s)
{
    struct fg_buf again;
    struct fg_scheduler *other;
    live(s, start + FG_DAY, 100);
    fg_buf_init(&again, 1 << 24);
    if (fg_scheduler_save(s, &again) &&
        !fg_scheduler_load(&other, mind_new(), fg_buf_str(&again), NULL))
        fg_scheduler_free(other);
    else
        abort();
    fg_buf_clear(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    struct fg_scheduler *s = made(), *loaded;
    if (data[0] % 2) {
        struct fg_str log = {(const char *)data + 1, size - 1};
        if (!fg_scheduler_replay(s, log, NULL))
            go_on(s);
        fg_scheduler_free(s);
        return 0;
    }
    struct fg_buf state;
    fg_buf_init(&state, 1 << 24);
    fg_scheduler_save(s, &state);
    fg_scheduler_free(s);
    for (size_t i = 1; i + 4 <= size; i += 4)
        write_into(&state, data + i);
    uint64_t checksum =
        fg_str_hash((struct fg_str){state.at, state.len - sizeof checksum});
    memcpy(state.at + state.len - sizeof checksum, &checksum, sizeof checksum);
    if (!fg_scheduler_load(&loaded, mind_new(), fg_buf_str(&state), NULL)) {
        go_on(loaded);
        fg_scheduler_free(loaded);
    }
    fg_buf_clear(&state);
    return 0;
}
