/* walk.h - a page element by element: what opens, what it holds, when it closes
 *
 *     struct fg_walk walk;
 *     fg_walk_init(&walk, html);
 *     for (enum fg_walk_step step; (step = fg_walk_next(&walk));)
 *         if (step == FG_WALK_OPEN) ...walk.token is its tag, walk.depth its place...
 *
 * The tokens of net/html/html.h with the closing of elements told as well, be it by their
 * end tag or by what ends them (net/html/nest.h). An element at depth d is within those
 * that are open at 1 .. d-1; depth 0 is the page. Each OPEN is followed by one CLOSE of
 * the same depth; what is EMPTY has none. What is in a template is passed over.
 *
 * After misnested formatting ("<b><p></b>") the depths are right, but which of the two is
 * still open is not. */
#ifndef FG_NET_WALK_H
#define FG_NET_WALK_H

#include "net/html/html.h"
#include "net/html/nest.h"

enum fg_walk_step {
    FG_WALK_END,
    FG_WALK_OPEN,  /* an element with content, at `depth` */
    FG_WALK_EMPTY, /* one without, below the element at `depth`; also html, head, body */
    FG_WALK_CLOSE, /* of the element at `depth`; `token` is of no use */
    FG_WALK_TEXT,  /* within the element at `depth` */
};

struct fg_walk {
    struct fg_html html;
    struct fg_html_token token;
    size_t depth;
    /* private */
    enum fg_walk_step next; /* what comes when all is closed that must be */
    size_t floor;           /* deeper elements are to be closed */
    bool has_closed;        /* the last step told was a CLOSE: `depth` is to follow */
    size_t template_depth;  /* of the outermost template that is open; 0: none */
    struct fg_nest nest;    /* last: it is large */
};

void fg_walk_init(struct fg_walk *walk, struct fg_str html);
enum fg_walk_step fg_walk_next(struct fg_walk *walk);

/* Is the text, or the element just opened, shown to a reader? Hidden elements count as
 * shown unless fg_walk_hide was called when they opened. */
static inline bool fg_walk_is_seen(const struct fg_walk *walk)
{
    return !(fg_nest_top(&walk->nest) & FG_NEST_UNSEEN);
}
static inline void fg_walk_hide(struct fg_walk *walk)
{
    fg_nest_hide(&walk->nest);
}

/* The tag has the attribute hidden, or is a dialog that is not open. */
bool fg_walk_is_hidden(const struct fg_walk *walk);

/* The source of the text of a TEXT step, added to prose with or without references. */
struct fg_prose;
void fg_walk_add_text(const struct fg_walk *walk, struct fg_prose *prose);

#endif
