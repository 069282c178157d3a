/* view.h - what people ask of a workspace, and what they are answered
 *
 *     const void *answer;
 *     struct fg_asking ask = {.look = &look, .question = &question, .subject = url};
 *     st = view->ask(&answer, &ask, err);
 *     st = fg_render_json(&sink, &view->answer, answer, err);
 *     fg_view_clear(view, answer);
 *
 * A view is one file that defines one `struct fg_view`, and a line in views.c. Its
 * question is a table of options (base/opt.h), from which the flags of its command and
 * the parameters of its request over HTTP follow; its answer is a table of fields
 * (view/field.h), from which text, JSON and CSV follow. Nothing here prints, exits or
 * writes to the store, so a server may ask from any thread. docs/architecture.md shows
 * how to add one. */
#ifndef FG_VIEW_VIEW_H
#define FG_VIEW_VIEW_H

#include "base/opt.h"
#include "view/field.h"
#include "view/look.h"

struct fg_asking {
    struct fg_look *look;  /* what is found lives in look->texts */
    const void *question;  /* the view's own struct, filled by its options */
    struct fg_str subject; /* ends in NUL; empty if the view has none */
};

struct fg_view_example {
    const char *words; /* behind the name */
    const char *shows;
};

struct fg_view {
    const char *name;
    const char *subject; /* what it is asked about: "URL"; NULL: nothing */
    const char *summary, *about;
    const struct fg_opt *question; /* NULL: none */
    size_t question_size;
    const char *settings, *main_settings;   /* keys that it heeds, as in fg_command */
    const struct fg_view_example *examples; /* ends with NULL words */
    struct fg_field answer;
    bool goes_without_store;
    /* The answer may have rows that are walked while it is rendered. It holds until
     * `clear`, which may be NULL: most lives in the look's arena. */
    enum fg_status (*ask)(const void **answer, const struct fg_asking *ask,
                          struct fg_err *err);
    void (*clear)(const void *answer);
};

extern const struct fg_view *const fg_views[]; /* ends with NULL */

static inline void fg_view_clear(const struct fg_view *view, const void *answer)
{
    if (view->clear && answer)
        view->clear(answer);
}

#endif
