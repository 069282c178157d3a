/* The input is a text. Cutting it into chunks must not change its print; shares stay
 * between 0 and 1; a text is like itself; and comparing it with half of itself both ways
 * gives the same share. */
#include "net/text/change.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void print_in_chunks(struct fg_print *print, struct fg_shingler *shingler,
                            struct fg_str text, size_t chunk)
{
    for (size_t i = 0; i < text.len; i += chunk)
        fg_shingler_add(shingler, fg_str_sub(text, i, i + chunk));
    fg_shingler_end(shingler, print);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct fg_shingler shingler; /* once: no text may leave traces in the next */
    if (!shingler.all.w)
        fg_shingler_init(&shingler, FG_SHINGLE_WORDS);
    struct fg_str text = {(const char *)data, size};
    struct fg_print whole, other;
    print_in_chunks(&whole, &shingler, text, size + 1);
    for (size_t chunk = size / 1024 + 1; chunk <= size / 1024 + 5; chunk += 2) {
        print_in_chunks(&other, &shingler, text, chunk);
        require(memcmp(&whole, &other, sizeof whole) == 0);
    }
    require(whole.n_words + (size_t)whole.n_figures <= size);
    require(fg_sketch_resemblance(&whole.all, &whole.all) == 1);

    struct fg_change same = fg_change_between(&shingler, text, text, 0);
    require(same.text == 0 && same.figures == 0 && !same.changed);
    struct fg_str half = fg_str_sub(text, size / 3, size);
    struct fg_change there = fg_change_between(&shingler, text, half, 0);
    struct fg_change back = fg_change_between(&shingler, half, text, 0);
    require(there.text >= 0 && there.text <= 1 && there.text == back.text);
    require(there.figures >= 0 && there.figures <= 1 && there.figures == back.figures);
    require(there.added == back.removed);
    return 0;
}
