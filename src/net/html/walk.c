#include "net/html/walk.h"

#include "net/text/prose.h"

#include <stddef.h>

void fg_walk_init(struct fg_walk *walk, struct fg_str html)
{
    memset(walk, 0, offsetof(struct fg_walk, nest));
    fg_html_init(&walk->html, html);
    fg_nest_init(&walk->nest);
}

/* What the next token will be told as; FG_WALK_CLOSE if it only closes. */
static enum fg_walk_step read_token(struct fg_walk *walk)
{
    struct fg_nest *nest = &walk->nest;
    if (!fg_html_next(&walk->html, &walk->token)) {
        walk->floor = 0;
        return FG_WALK_END;
    }
    enum fg_walk_step step = FG_WALK_CLOSE;
    if (walk->token.type == FG_HTML_TEXT) {
        fg_nest_text(nest, walk->token.text);
        step = FG_WALK_TEXT;
    } else if (walk->token.type == FG_HTML_END) {
        fg_nest_end(nest, &walk->html, &walk->token);
    } else if (walk->token.type == FG_HTML_START) {
        enum fg_nest_made made = fg_nest_start(nest, &walk->html, &walk->token);
        step = made == FG_NEST_OPEN    ? FG_WALK_OPEN
               : made == FG_NEST_EMPTY ? FG_WALK_EMPTY
                                       : FG_WALK_CLOSE;
    }
    walk->floor = step == FG_WALK_OPEN ? nest->depth - 1 : nest->depth;
    return step;
}

/* One step, those in templates included. `depth` follows after a CLOSE was told. */
static enum fg_walk_step take_step(struct fg_walk *walk)
{
    for (;;) {
        if (walk->next && walk->depth > walk->floor)
            return FG_WALK_CLOSE;
        enum fg_walk_step step = walk->next;
        walk->next = FG_WALK_END;
        if (step == FG_WALK_OPEN)
            walk->depth++;
        if (step && step != FG_WALK_CLOSE)
            return step;
        step = read_token(walk);
        if (step == FG_WALK_END)
            return walk->depth ? FG_WALK_CLOSE : FG_WALK_END;
        walk->next = step;
    }
}

static bool opens_template(const struct fg_walk *walk)
{
    return walk->nest.flags[walk->depth] & FG_NEST_TEMPLATE;
}

enum fg_walk_step fg_walk_next(struct fg_walk *walk)
{
    for (;;) {
        if (walk->has_closed) {
            walk->depth--;
            walk->has_closed = false;
        }
        enum fg_walk_step step = take_step(walk);
        walk->has_closed = step == FG_WALK_CLOSE;
        bool was_within = walk->template_depth != 0;
        if (step == FG_WALK_OPEN && !was_within && opens_template(walk))
            walk->template_depth = walk->depth;
        else if (step == FG_WALK_CLOSE && walk->depth == walk->template_depth)
            walk->template_depth = 0;
        if (!was_within && !walk->template_depth)
            return step;
        if (step == FG_WALK_END)
            return step;
    }
}

bool fg_walk_is_hidden(const struct fg_walk *walk)
{
    struct fg_str value;
    return fg_html_attr(&walk->token, FG_STR("hidden"), &value) ||
           (walk->token.tag == FG_TAG_DIALOG &&
            !fg_html_attr(&walk->token, FG_STR("open"), &value));
}

void fg_walk_add_text(const struct fg_walk *walk, struct fg_prose *prose)
{
    if (walk->token.text_rules & FG_HTML_REFS)
        fg_prose_add(prose, walk->token.text);
    else
        fg_prose_add_plain(prose, walk->token.text);
}
