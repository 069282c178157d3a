/* cmd_page.c - forage page: the view, or a stored body as it stands */
#include "cli/showing.h"

extern const struct fg_view fg_view_page;

struct options {
    bool body;
};

static const struct fg_opt options[] = {
    {"body", FG_BOOL(struct options, body), .letter = 'b',
     .help = "print the newest stored body instead (see store.bodies)"},
    {0},
};

static enum fg_status print_body(struct fg_cli *cli, const struct fg_look *look,
                                 struct fg_err *err)
{
    struct fg_str body;
    struct fg_page_row page;
    fg_time stored;
    enum fg_status st = fg_look_find_page(look, fg_str_from(cli->words[0]), &page, err);
    if (st)
        return st;
    st = fg_store_body(look->store, &body, &stored, cli->arena, page.site, page.page,
                       INT64_MAX, (size_t)1 << 30, err);
    if (st == FG_ENOTFOUND)
        return fg_fail(err, st, "no body of this page is stored; see store.bodies");
    if (!st && !fg_out_bytes(&cli->out, body))
        return fg_fail(err, FG_ELIMIT, "the body is too large to print");
    return st;
}

static enum fg_status run(struct fg_cli *cli, const void *own, const void *question,
                          const struct fg_form *form, struct fg_err *err)
{
    const struct options *o = own;
    struct fg_look look;
    if (!o->body)
        return fg_cli_show(cli, &fg_view_page, question, form, err);
    enum fg_status st = fg_cli_look(cli, &look, err);
    if (!st)
        st = print_body(cli, &look, err);
    fg_cli_look_close(&look);
    return st;
}

const struct fg_showing fg_show_page = {
    .view = &fg_view_page,
    .options = options,
    .options_size = sizeof(struct options),
    .run = run,
};
