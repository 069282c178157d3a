/* showing.h - views as commands
 *
 *     return fg_cli_show(cli, &fg_view_page, &question, &form, err);
 *
 * Every view of view/views.c is a command of its own name: its flags are the options of
 * its question, --json, and --csv where it has rows. A command that does more than show
 * has a file of its own, stands in main.c instead, and shows the view with the call
 * above. */
#ifndef FG_CLI_SHOWING_H
#define FG_CLI_SHOWING_H

#include "cli/cli.h"
#include "view/render.h"
#include "view/view.h"

/* How an answer is wanted; neither: as text. */
struct fg_form {
    bool json, csv, spreadsheet;
};
#define FG_JSON_FLAG(s, m)                                           \
    {                                                                \
        "json", FG_BOOL(s, m.json), .letter = 'j', .help = "as JSON" \
    }

/* The workspace of the command line, with its store open for reading. */
enum fg_status fg_cli_look(struct fg_cli *cli, struct fg_look *look, struct fg_err *err);
void fg_cli_look_close(struct fg_look *look);

/* Ask and print. The subject is the first word of the command line, if the view has one.
 */
enum fg_status fg_cli_show(struct fg_cli *cli, const struct fg_view *view,
                           const void *question, const struct fg_form *form,
                           struct fg_err *err);
/* The same with a look that is open, and a subject. */
enum fg_status fg_cli_ask(struct fg_cli *cli, struct fg_look *look,
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
