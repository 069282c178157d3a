#include "net/html/walk.h"

#include "base/buf.h"
#include "net/text/prose.h"

#include "test.h"

/* "+p" opens, "-1" closes depth 1, "/br" is empty, text stands as it is. */
static void check(const char *html, const char *expected)
{
    struct fg_walk walk;
    struct fg_buf said;
    fg_buf_init(&said, 10000);
    fg_walk_init(&walk, fg_str_from(html));
    for (enum fg_walk_step step; (step = fg_walk_next(&walk));)
        switch (step) {
        case FG_WALK_OPEN:
            fg_buf_printf(&said, "+%.*s@%zu ", FG_ARG(walk.token.text), walk.depth);
            break;
        case FG_WALK_EMPTY:
            fg_buf_printf(&said, "/%.*s@%zu ", FG_ARG(walk.token.text), walk.depth);
            break;
        case FG_WALK_CLOSE:
            fg_buf_printf(&said, "-%zu ", walk.depth);
            break;
        default:
            fg_buf_printf(&said, "%.*s ", FG_ARG(walk.token.text));
        }
    assert_int_equal(walk.depth, 0);
    assert_str(fg_buf_str(&said), expected);
    fg_buf_clear(&said);
}

static void elements_open_and_close(void **state)
{
    (void)state;
    check("", "");
    check("a", "a ");
    check("<div>a<br>b</div>c", "+div@1 a /br@1 b -1 c ");
    check("<p>a<p>b", "+p@1 a -1 +p@1 b -1 ");
    check("<ul><li>a<li>b</ul>c", "+ul@1 +li@2 a -2 +li@2 b -2 -1 c ");
    check("<div><b>a</div>b", "+div@1 +b@2 a -2 -1 b ");
    check("</p>a</x>", "a ");
    check("<html><body><i>x", "/html@0 /body@0 +i@1 x -1 ");
}

static void templates_are_passed_over(void **state)
{
    (void)state;
    check("a<template><p>b<br></p></template>c", "a c ");
    check("<div><template>b<template>c</template>d</template>e</div>", "+div@1 e -1 ");
    check("<template><p>never closed", "");
}

static void depth_has_an_end(void **state)
{
    (void)state;
    static char html[5 * 3000 + 1];
    for (size_t i = 0; i < 3000; i++)
        memcpy(html + 5 * i, "<div>", 5);
    struct fg_walk walk;
    size_t open = 0, deepest = 0;
    fg_walk_init(&walk, fg_str_from(html));
    for (enum fg_walk_step step; (step = fg_walk_next(&walk));) {
        open += step == FG_WALK_OPEN;
        open -= step == FG_WALK_CLOSE;
        deepest = walk.depth > deepest ? walk.depth : deepest;
    }
    assert_int_equal(open, 0);
    assert_int_equal(deepest, FG_NEST_MAX - 1);
}

static void what_is_hidden_is_known(void **state)
{
    (void)state;
    struct fg_walk walk;
    struct fg_prose text;
    fg_prose_init(&text, 100);
    fg_walk_init(&walk, FG_STR("a<p hidden>b<i>c</i></p><style>d</style><dialog>e"));
    for (enum fg_walk_step step; (step = fg_walk_next(&walk));) {
        if (step == FG_WALK_OPEN && fg_walk_is_hidden(&walk))
            fg_walk_hide(&walk);
        if (step == FG_WALK_TEXT && fg_walk_is_seen(&walk))
            fg_walk_add_text(&walk, &text);
    }
    assert_str(fg_prose_str(&text), "a");
    fg_prose_clear(&text);
}

FG_TESTS(elements_open_and_close, templates_are_passed_over, depth_has_an_end,
         what_is_hidden_is_known)
