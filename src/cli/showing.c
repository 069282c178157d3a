#include "cli/showing.h"

#include "cli/crawling.h"

#include <assert.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* --- looking --- */

static struct fg_workspace workspace_of(struct fg_cli *cli)
{
    return (struct fg_workspace){.folder = cli->settings.workspace,
                                 .settings = &cli->settings.crawl,
                                 .store = fg_cli_store_path(cli)};
}

enum fg_status fg_cli_look(struct fg_cli *cli, struct fg_look *look, struct fg_err *err)
{
    struct fg_workspace place = workspace_of(cli);
    struct fg_store *store;
    *look = (struct fg_look){0};
    enum fg_status st = fg_cli_store(cli, true, &store, err);
    if (st)
        return st;
    st = fg_look_open(look, &place, store, cli->arena, err);
    if (st)
        fg_store_close(store, NULL);
    return st;
}

void fg_cli_look_close(struct fg_look *look)
{
    struct fg_store *store = look->store;
    fg_look_close(look);
    fg_store_close(store, NULL);
}

/* --- rendering --- */

static bool flow(void *context)
{
    struct fg_out *out = context;
    fg_out_puts(out, "");
    return !out->error;
}

static size_t terminal_columns(const struct fg_out *out)
{
    struct winsize size = {0};
    return out->is_terminal && ioctl(out->fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

enum fg_status fg_cli_render(struct fg_out *out, const struct fg_field *fields,
                             const void *answer, const struct fg_form *form, fg_time now,
                             struct fg_err *err)
{
    struct fg_sink sink = {&out->buf, flow, out, out->is_terminal};
    struct fg_text_style style = {now, terminal_columns(out), out->color, form->labels};
    if (form->json)
        return fg_render_json(&sink, fields, answer, err);
    return form->csv ? fg_render_csv(&sink, fields, answer, !form->spreadsheet, err)
                     : fg_render_text(&sink, fields, answer, &style, err);
}

enum fg_status fg_cli_ask(struct fg_out *out, struct fg_look *look,
                          const struct fg_view *view, const void *question,
                          const struct fg_form *form, struct fg_str subject,
                          struct fg_err *err)
{
    const void *answer = NULL;
    struct fg_asking ask = {.look = look, .question = question, .subject = subject};
    enum fg_status st = view->ask(&answer, &ask, err);
    if (!st)
        st = fg_cli_render(out, &view->answer, answer, form, look->now, err);
    fg_view_clear(view, answer);
    return st;
}

enum fg_status fg_cli_show(struct fg_cli *cli, const struct fg_view *view,
                           const void *question, const struct fg_form *form,
                           struct fg_err *err)
{
    struct fg_look look;
    struct fg_workspace place = workspace_of(cli);
    bool has_store = fg_store_exists(fg_cli_store_path(cli));
    enum fg_status st = view->goes_without_store && !has_store
                            ? fg_look_open(&look, &place, NULL, cli->arena, err)
                            : fg_cli_look(cli, &look, err);
    if (st)
        return st;
    struct fg_str subject = view->subject ? fg_str_from(cli->words[0]) : FG_STR("");
    st = fg_cli_ask(&cli->out, &look, view, question, form, subject, err);
    fg_cli_look_close(&look);
    return st;
}

/* --- commands --- */

extern const struct fg_showing fg_show_page, fg_show_status, fg_show_site, fg_show_new,
    fg_show_search;
static const struct fg_showing *const showings[] = {
    &fg_show_page, &fg_show_status, &fg_show_site, &fg_show_new, &fg_show_search, NULL};

/* The options of a command that is a view: its form, its question, what it has besides.
 */
enum { QUESTION = 16 };

static size_t besides(const struct fg_view *view)
{
    return QUESTION + (view->question_size + 15) / 16 * 16;
}

static const struct fg_opt form_options[] = {
    {"json", FG_BOOL(struct fg_form, json), .letter = 'j', .help = "as JSON"},
    {"csv", FG_BOOL(struct fg_form, csv), .letter = 'c',
     .help = "the rows as CSV, below their names"},
    {0},
};

static const struct fg_showing *showing_of(const struct fg_view *view)
{
    size_t i = 0;
    while (showings[i] && showings[i]->view != view)
        i++;
    return showings[i];
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    const char *options = cli->options;
    size_t i = 0;
    while (strcmp(fg_views[i]->name, cli->command->name) != 0)
        i++;
    const struct fg_showing *showing = showing_of(fg_views[i]);
    const struct fg_form *form = cli->options;
    if (form->json && form->csv)
        return fg_fail(err, FG_ECONFIG, "--json and --csv cannot be combined");
    if (showing)
        return showing->run(cli, options + besides(fg_views[i]), options + QUESTION, form,
                            err);
    return fg_cli_show(cli, fg_views[i], options + QUESTION, form, err);
}

static size_t add_options(struct fg_opt *to, const struct fg_opt *from, size_t offset)
{
    size_t n = 0;
    for (; from && from[n].name; n++) {
        to[n] = from[n];
        to[n].offset += offset;
    }
    return n;
}

static const struct fg_opt *options_of(struct fg_arena *arena, const struct fg_view *view,
                                       const struct fg_showing *showing)
{
    enum { MOST = 40 };
    struct fg_opt *made = FG_NEW(arena, struct fg_opt, MOST + 1);
    size_t n = add_options(made, view->question, QUESTION);
    if (showing)
        n += add_options(made + n, showing->options, besides(view));
    made[n++] = form_options[0];
    if (fg_render_has_sheet(&view->answer))
        made[n++] = form_options[1];
    assert(n <= MOST);
    return made;
}

static const struct fg_example *examples_of(struct fg_arena *arena,
                                            const struct fg_view *view,
                                            const struct fg_showing *showing)
{
    FG_VEC(struct fg_example) made = {0};
    for (const struct fg_view_example *e = view->examples; e && e->words; e++) {
        struct fg_str line = fg_arena_printf(arena, "forage %s%s%s", view->name,
                                             *e->words ? " " : "", e->words);
        fg_vec_push_in(arena, &made, (struct fg_example){line.at, e->shows});
    }
    for (const struct fg_example *e = showing ? showing->examples : NULL; e && e->line;
         e++)
        fg_vec_push_in(arena, &made, *e);
    fg_vec_push_in(arena, &made, (struct fg_example){0});
    return made.at;
}

static const struct fg_command *command_of(struct fg_arena *arena,
                                           const struct fg_view *view)
{
    const struct fg_showing *showing = showing_of(view);
    struct fg_command *made = FG_NEW(arena, struct fg_command, 1);
    *made = (struct fg_command){.name = view->name,
                                .words = view->subject ? view->subject : "",
                                .summary = view->summary,
                                .about = view->about,
                                .min_words = view->subject ? 1 : 0,
                                .max_words = view->subject ? 1 : 0,
                                .options = options_of(arena, view, showing),
                                .options_size =
                                    besides(view) + (showing ? showing->options_size : 0),
                                .settings = view->settings ? view->settings : "workspace",
                                .main_settings = view->main_settings,
                                .examples = examples_of(arena, view, showing),
                                .only_looks = !showing || !showing->writes,
                                .run = run};
    return made;
}

static bool has_own(const struct fg_command *const *commands,
                    const struct fg_command *here, const char *name)
{
    for (size_t i = 0; commands[i]; i++)
        if (commands[i] != here && strcmp(commands[i]->name, name) == 0)
            return true;
    return false;
}

const struct fg_command *const *fg_view_commands(struct fg_arena *arena,
                                                 const struct fg_command *const *commands,
                                                 const struct fg_command *here)
{
    FG_VEC(const struct fg_command *) all = {0};
    for (size_t i = 0; commands[i]; i++)
        if (commands[i] != here)
            fg_vec_push_in(arena, &all, commands[i]);
        else
            for (size_t k = 0; fg_views[k]; k++)
                if (!has_own(commands, here, fg_views[k]->name))
                    fg_vec_push_in(arena, &all, command_of(arena, fg_views[k]));
    fg_vec_push_in(arena, &all, NULL);
    return all.at;
}
