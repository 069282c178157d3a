/* cli.h - the frame around the commands
 *
 * A command is one file, cmd_NAME.c, that defines one `struct fg_command`; main.c lists
 * them. The frame reads flags, environment and configuration files, runs the command,
 * and turns what it returns into an exit code. --help is made from the same struct. */
#ifndef FG_CLI_CLI_H
#define FG_CLI_CLI_H

#include "base/arena.h"
#include "base/err.h"
#include "base/opt.h"
#include "cli/out.h"
#include "cli/settings.h"

/* The numbers follow Browsertrix, whose table is the only public one among crawlers.
 * `forage help exit-codes` and the man page print it; the words are in exits.c. */
enum fg_exit {
    FG_EXIT_OK = 0,
    FG_EXIT_ERROR = 1,
    FG_EXIT_DISK_FULL = 3,
    FG_EXIT_CONFIG = 4,
    FG_EXIT_INTERRUPTED = 11,
    FG_EXIT_FORCED = 13,
    FG_EXIT_SIZE_LIMIT = 14,
    FG_EXIT_RATE_LIMITED = 18
};

struct fg_exit_row {
    enum fg_exit code;
    const char *name, *meaning;
};
extern const struct fg_exit_row fg_exit_table[]; /* ends with a NULL name */
enum fg_exit fg_exit_from(enum fg_status status);

struct fg_example {
    const char *line; /* as typed into a shell; tests/cli runs each one */
    const char *shows;
};

struct fg_cli;

struct fg_command {
    const char *name;
    const char *words;   /* what follows the flags in the usage line: "FILE URL..." */
    const char *summary; /* one line, lower case, no full stop */
    const char *about;   /* a paragraph for --help */
    size_t min_words, max_words;
    const struct fg_opt *options; /* its own flags; their values go to cli->options */
    size_t options_size;
    const char *settings; /* keys and groups it heeds, for --help: "canonical fetch" */
    const char *main_settings; /* if there are many, those that --help shows at once */
    const struct fg_example *examples; /* ends with a NULL line */
    bool is_bare; /* runs even if the configuration is broken: it reads none */
    bool
        only_looks; /* writes nothing: goes without a configuration file that is broken */
    /* A command of several words, "lab run": the first word's command has these, ended by
     * NULL, in place of flags and `run`; their names have both words. */
    const struct fg_command *const *parts;
    enum fg_status (*run)(struct fg_cli *cli, struct fg_err *err);
};

/* Flags that every command takes. */
struct fg_common {
    bool help, verbose, quiet;
};
extern const struct fg_opt fg_common_opts[];

/* What a command is given. */
struct fg_cli {
    struct fg_arena *arena;
    const struct fg_command *const *commands, *command;
    struct fg_common common;
    struct fg_settings settings;
    struct fg_opts opts; /* the rows of `settings`, with where each value came from */
    struct fg_config_files files;
    const void *options;
    const char **words;
    size_t n_words;
    struct fg_out out;
    enum fg_exit
        exit; /* the code when all went well; FG_EXIT_OK unless a limit ended it */
};

/* Run the command line; the result is the exit code. */
int fg_cli_main(const struct fg_command *const *commands, char **argv);

/* For commands that are bare and yet want the settings. Opens the log, too. */
enum fg_status fg_cli_load(struct fg_cli *cli, struct fg_err *err);

/* All of a file, or of standard input for "-", up to fetch.max-body. */
enum fg_status fg_cli_input(struct fg_cli *cli, const char *path, struct fg_str *bytes,
                            struct fg_err *err);

/* The same for a table, which may be gzipped and is unpacked then: up to 4 GB. */
enum fg_status fg_cli_unpacked(struct fg_cli *cli, const char *path, struct fg_str *text,
                               struct fg_err *err);

/* A URL given as an argument, such as --base. */
struct fg_url;
enum fg_status fg_cli_url(struct fg_cli *cli, struct fg_str text, struct fg_url *url,
                          struct fg_err *err);

/* A document and where it comes from: FILE, the first word, of at most `max_bytes` (0 for
 * fetch.max-body), and the URL given with --base; without one `base` is all zero. */
enum fg_status fg_cli_document(struct fg_cli *cli, struct fg_str base_text,
                               size_t max_bytes, struct fg_url *base,
                               struct fg_str *bytes, struct fg_err *err);

/* The canonical form of a URL under the settings. */
struct fg_str fg_cli_canonical(struct fg_arena *arena, const struct fg_settings *settings,
                               const struct fg_url *url);

/* The flags of a command that has --json and no other. */
struct fg_json_flag {
    bool json;
};
extern const struct fg_opt fg_json_flag[];

/* "forage import counts: FILE:3: words", on standard error; a line of 0 is left out. */
void fg_cli_complain(const struct fg_cli *cli, const char *file, size_t line,
                     const char *words);
/* One more line of a file is wrong: counts it, and tells of the first twenty. */
void fg_cli_count_wrong(const struct fg_cli *cli, const char *path, size_t line,
                        const char *words, size_t *wrong);

/* What is wrong with a document: "problem    line 3: a malformed tag" with the first
 * word padded to `width`, and in JSON "what" and "line" of an open object. A line of 0 is
 * left out, or null. Of XML all that was mended is told, each with its newline or as an
 * object of an open array. */
struct fg_xml_problems;
void fg_out_problem(struct fg_out *out, int width, unsigned line, const char *what);
void fg_out_xml_problems(struct fg_out *out, int width,
                         const struct fg_xml_problems *xml);
void fg_json_problem(struct fg_json *json, unsigned line, const char *what);
void fg_json_xml_problems(struct fg_json *json, const struct fg_xml_problems *xml);

/* What owners say about keeping a page, as pairs of an open object. */
struct fg_conduct;
void fg_json_conduct(struct fg_json *json, const struct fg_conduct *conduct);

const struct fg_command *fg_command_find(const struct fg_command *const *commands,
                                         struct fg_str name);
/* "run" of "lab"; NULL if there is none. */
const struct fg_command *fg_command_part(const struct fg_command *command,
                                         struct fg_str name);
/* With few settings the help is one page. With many, it has those that matter most, and
 * `is_all` gives the rest. */
void fg_help_command(struct fg_cli *cli, const struct fg_command *command, bool is_all);
void fg_help_overview(struct fg_cli *cli);
/* " (default 10MB; 1B to 1GiB)" behind the help of an option, or "". */
struct fg_str fg_opt_limits(struct fg_arena *arena, const struct fg_opt *opt);

/* The libraries we are linked with, as they describe themselves. */
struct fg_library {
    const char *name, *version; /* the version is NULL if it does not tell */
};
#define FG_LIBRARIES_MAX 16
size_t fg_libraries(struct fg_arena *arena, struct fg_library out[FG_LIBRARIES_MAX]);

#endif
