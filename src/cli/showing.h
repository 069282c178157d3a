/* showing.h - views as commands
 *
 *     return fg_cli_show(cli, &fg_view_page, &question, &form, err);
 *
 * Every view of view/views.c is a command of its own name: its flags are the options of
 * its question, --json, and --csv where it has rows. A command that does more has a file
 * of its own with a `struct fg_showing`, for flags besides those; or is no view's and
 * stands in main.c. */
#ifndef FG_CLI_SHOWING_H
#define FG_CLI_SHOWING_H

#include "cli/cli.h"
#include "view/render.h"
#include "view/view.h"

/* How an answer is wanted; neither: as text. */
struct fg_form {
    bool json, csv, spreadsheet;
    unsigned labels; /* columns of a label; 0: 14 */
};

struct fg_showing {
    const struct fg_view *view;
    const struct fg_opt *options; /* beside those of the view */
    size_t options_size;
    bool writes;                       /* to the store or elsewhere */
    const struct fg_example *examples; /* beside those of the view; may be NULL */
    enum fg_status (*run)(struct fg_cli *cli, const void *own, const void *question,
                          const struct fg_form *form, struct fg_err *err);
};

/* The workspace of the command line, with its store open for reading. */
enum fg_status fg_cli_look(struct fg_cli *cli, struct fg_look *look, struct fg_err *err);
void fg_cli_look_close(struct fg_look *look);

/* Ask and print. The subject is the first word of the command line, if the view has one.
 */
enum fg_status fg_cli_show(struct fg_cli *cli, const struct fg_view *view,
                           const void *question, const struct fg_form *form,
                           struct fg_err *err);
/* The same with a look that is open, and a subject. */
enum fg_status fg_cli_ask(struct fg_out *out, struct fg_look *look,
                          const struct fg_view *view, const void *question,
                          const struct fg_form *form, struct fg_str subject,
                          struct fg_err *err);
/* An answer of one's own. */
enum fg_status fg_cli_render(struct fg_out *out, const struct fg_field *fields,
                             const void *answer, const struct fg_form *form, fg_time now,
                             struct fg_err *err);

/* `commands`, with those of views in the place of `here`, ended by NULL. */
const struct fg_command *const *fg_view_commands(struct fg_arena *arena,
                                                 const struct fg_command *const *commands,
                                                 const struct fg_command *here);

#endif
