#include "crawl/arms.h"

#include <stdio.h>
#include <string.h>

enum { MOST_ROWS = 4000 };
static const fg_time least_gap = FG_HOUR;

const char *fg_arms_task(enum fg_task task)
{
    return task == FG_REFRESH ? "refresh" : "discovery";
}

static bool is_one_note(const struct fg_arms_row *a, const struct fg_arms_row *b)
{
    return a->time == b->time && a->task == b->task;
}

/* Of the older half every second note of each task. */
static void thin_out(struct fg_arms *arms)
{
    size_t n = 0;
    bool keeps[FG_REFRESH + 1] = {false};
    struct fg_arms_row before = {.time = FG_NEVER};
    for (size_t i = 0; i < arms->rows.len; i++) {
        struct fg_arms_row row = arms->rows.at[i];
        if (!is_one_note(&row, &before))
            keeps[row.task] = !keeps[row.task];
        if (keeps[row.task] || i >= arms->rows.len / 2)
            arms->rows.at[n++] = row;
        before = row;
    }
    arms->rows.len = n;
}

bool fg_arms_note(struct fg_arms *arms, fg_time now, enum fg_task task,
                  const struct fg_arm *arm, size_t n)
{
    for (size_t i = arms->rows.len; i-- > 0;)
        if (arms->rows.at[i].task == task) {
            if (now - arms->rows.at[i].time < least_gap)
                return false;
            break;
        }
    if (arms->rows.len + n > MOST_ROWS)
        thin_out(arms);
    for (size_t i = 0; i < n; i++) {
        struct fg_arms_row row = {.time = now, .task = task, .chance = arm[i].chance};
        snprintf(row.name, sizeof row.name, "%s", arm[i].name);
        fg_vec_push(&arms->rows, row);
    }
    return n > 0;
}

void fg_arms_write(struct fg_buf *text, const struct fg_arms *arms)
{
    for (size_t i = 0; i < arms->rows.len; i++) {
        const struct fg_arms_row *row = &arms->rows.at[i];
        fg_buf_printf(text, "%lld\t%s\t%s\t%.4f\n", (long long)row->time,
                      fg_arms_task(row->task), row->name, row->chance);
    }
}

void fg_arms_read(struct fg_arms *arms, struct fg_str text)
{
    struct fg_str line, time, task, name;
    while (text.len && fg_str_cut(&text, '\n', &line)) {
        struct fg_arms_row row = {0};
        uint64_t at = 0;
        fg_str_cut(&line, '\t', &time);
        fg_str_cut(&line, '\t', &task);
        fg_str_cut(&line, '\t', &name);
        if (!fg_str_to_u64(time, &at) || at > INT64_MAX || !name.len ||
            name.len >= sizeof row.name || memchr(name.at, 0, name.len) ||
            !fg_str_to_double(line, &row.chance) ||
            !(row.chance >= 0 && row.chance <= 1) || arms->rows.len == MOST_ROWS)
            continue;
        row.time = (fg_time)at;
        row.task = fg_str_eq(task, FG_STR("refresh")) ? FG_REFRESH : FG_DISCOVERY;
        memcpy(row.name, name.at, name.len);
        fg_vec_push(&arms->rows, row);
    }
}

void fg_arms_clear(struct fg_arms *arms)
{
    fg_vec_clear(&arms->rows);
}
