/* cmd_version.c - forage version, forage --version */
#include "cli/cli.h"

static void print_json(struct fg_out *out, const struct fg_library *libraries, size_t n)
{
    struct fg_json json = fg_json_to(&out->buf);
    fg_json_object(&json);
    fg_json_pair_cstr(&json, "name", "forage");
    fg_json_pair_cstr(&json, "version", FG_VERSION);
    fg_json_key(&json, "libraries");
    fg_json_object(&json);
    for (size_t i = 0; i < n; i++) {
        fg_json_pair_cstr(&json, libraries[i].name, libraries[i].version);
    }
    fg_json_end(&json);
    fg_json_end(&json);
    fg_out_puts(out, "\n");
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    (void)err;
    const struct fg_json_flag *o = cli->options;
    struct fg_library libraries[FG_LIBRARIES_MAX];
    size_t n = fg_libraries(cli->arena, libraries);
    if (o->json) {
        print_json(&cli->out, libraries, n);
        return FG_OK;
    }
    fg_out_puts(&cli->out, "forage " FG_VERSION "\n");
    for (size_t i = 0; cli->common.verbose && i < n; i++)
        fg_out_printf(&cli->out, "%s%s%s\n", libraries[i].name,
                      libraries[i].version ? " " : "",
                      libraries[i].version ? libraries[i].version : "");
    return FG_OK;
}

static const struct fg_example examples[] = {
    {"forage --version", "name and version on one line"},
    {"forage version -v", "the libraries as well, for a report of a bug"},
    {0},
};

const struct fg_command fg_cmd_version = {
    .name = "version",
    .words = "",
    .summary = "show the version, with -v that of each library",
    .about = "The versions of the libraries are those found at run time.",
    .options = fg_json_flag,
    .options_size = sizeof(struct fg_json_flag),
    .examples = examples,
    .is_bare = true,
    .run = run,
};
