#include "base/heap.h"

#include "base/rng.h"
#include "test.h"

static void the_highest_comes_first_then_the_oldest(void **state)
{
    (void)state;
    struct fg_heap heap = {0};
    char *words[] = {"c", "a", "d", "b", "e"};
    float priorities[] = {1, 5, 1, 5, -2};
    for (int i = 0; i < 5; i++)
        fg_heap_push(&heap, words[i], priorities[i]);
    const char *order[] = {"a", "b", "c", "d", "e"};
    for (int i = 0; i < 5; i++)
        assert_string_equal(fg_heap_pop(&heap), order[i]);
    assert_int_equal(heap.len, 0);
    fg_heap_clear(&heap);
}

static void many_come_out_in_order(void **state)
{
    (void)state;
    enum { N = 2000, KINDS = 50 };
    static struct item {
        float priority;
        int number;
    } items[N];
    struct fg_heap heap = {0};
    struct fg_rng rng = fg_rng_from_seed(1);
    for (int i = 0; i < N; i++) {
        items[i] = (struct item){(float)(int)(KINDS * fg_rng_unit(&rng)), i};
        fg_heap_push(&heap, &items[i], items[i].priority);
    }
    const struct item *last = fg_heap_pop(&heap);
    for (int i = 1; i < N; i++) {
        const struct item *next = fg_heap_pop(&heap);
        assert_true(next->priority < last->priority ||
                    (next->priority == last->priority && next->number > last->number));
        last = next;
    }
    fg_heap_clear(&heap);
}

FG_TESTS(the_highest_comes_first_then_the_oldest, many_come_out_in_order)
