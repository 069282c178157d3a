#include "search/ranked.h"

#include "base/memory.h"
#include "base/vec.h"
#include "search/quality.h"

#include <string.h>

/* How many pages stand above one of this score; itself does not count. */
static size_t above(const struct fg_ranked *list, uint32_t page, float score)
{
    size_t low = 0, high = list->len;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        const struct fg_ranked_page *p = &list->at[mid];
        if (p->copy > score || (p->copy == score && p->page < page))
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

void fg_ranked_clear(struct fg_ranked *list)
{
    fg_vec_clear(list);
}

void fg_ranked_copy(struct fg_ranked *into, const struct fg_ranked *list)
{
    *into = (struct fg_ranked){.len = list->len, .capacity = list->len};
    if (list->len) {
        into->at = fg_resized(NULL, list->len, sizeof *into->at);
        memcpy(into->at, list->at, list->len * sizeof *into->at);
    }
}

void fg_ranked_add(struct fg_ranked *list, uint32_t page, float score)
{
    fg_vec_push(list, (struct fg_ranked_page){score, score, page});
}

static int by_score(const void *a, const void *b)
{
    const struct fg_ranked_page *x = a, *y = b;
    if (x->copy != y->copy)
        return x->copy > y->copy ? -1 : 1;
    return (x->page > y->page) - (x->page < y->page);
}

void fg_ranked_sort(struct fg_ranked *list)
{
    if (list->len)
        qsort(list->at, list->len, sizeof *list->at, by_score);
}

void fg_ranked_move(struct fg_ranked *list, uint32_t page, float was, float is,
                    float live)
{
    struct fg_ranked_page moved = {is, live, page};
    size_t from = was > 0 ? above(list, page, was) : list->len;
    if (!(was > 0) && !(is > 0))
        return;
    if (!(was > 0))
        fg_vec_push(list, moved);
    size_t to = is > 0 ? above(list, page, is) : list->len;
    if (to > from) {
        /* where it is now it counts as one of those above */
        to -= 1;
        memmove(&list->at[from], &list->at[from + 1], (to - from) * sizeof *list->at);
    } else {
        memmove(&list->at[to + 1], &list->at[to], (from - to) * sizeof *list->at);
    }
    if (is > 0)
        list->at[to] = moved;
    else
        list->len--;
}

void fg_ranked_see(struct fg_ranked *list, uint32_t page, float copy, float live)
{
    if (copy > 0)
        list->at[above(list, page, copy)].live = live;
}

size_t fg_ranked_place(const struct fg_ranked *list, uint32_t page, float copy)
{
    return above(list, page, copy) + 1;
}

double fg_ranked_quality(const struct fg_ranked *list)
{
    double sum = 0;
    for (size_t i = 0; i < list->len; i++)
        sum += fg_inspection((double)(i + 1)) * (double)list->at[i].live;
    return sum;
}

double fg_ranked_gain(const struct fg_ranked *list, uint32_t page, float was, float is,
                      enum fg_ranked_scores of_others)
{
    double gain = 0;
    if (was == is)
        return 0;
    size_t from = was > 0 ? above(list, page, was) : list->len;
    size_t to = is > 0 ? above(list, page, is) : list->len;
    if (was > 0 && to > from)
        to -= 1;
    gain += is > 0 ? fg_inspection((double)(to + 1)) * (double)is : 0;
    gain -= was > 0 ? fg_inspection((double)(from + 1)) * (double)is : 0;
    /* rank i + 1 is place i */
    for (size_t i = from + 1; i <= to && i < list->len; i++) {
        const struct fg_ranked_page *p = &list->at[i];
        double score = (double)(of_others == FG_RANKED_LIVE ? p->live : p->copy);
        gain += (fg_inspection((double)i) - fg_inspection((double)(i + 1))) * score;
    }
    for (size_t i = to; i < from; i++) {
        const struct fg_ranked_page *p = &list->at[i];
        double score = (double)(of_others == FG_RANKED_LIVE ? p->live : p->copy);
        gain += (fg_inspection((double)(i + 2)) - fg_inspection((double)(i + 1))) * score;
    }
    return gain;
}
