/* opt.h - options: a row of a table each, read from files, the environment and flags
 *
 *     struct fetch_settings { fg_time delay; size_t max_body; };
 *     static const struct fg_opt rows[] = {
 *         {"fetch.delay", FG_SPAN(struct fetch_settings, delay), "5s", .max = 1 * FG_DAY,
 *          .help = "minimum time between two requests to one host"},
 *         {"fetch.max-body", FG_SIZE(struct fetch_settings, max_body), "10MB",
 *          .help = "most bytes taken of one page"},
 *         {0},
 *     };
 *
 *     struct fetch_settings fetch;
 *     struct fg_opts opts = {.arena = &arena};
 *     fg_opts_add(&opts, rows, &fetch);             the defaults are now in `fetch`
 *     fg_opts_read_yaml(&opts, text, "forage.yaml", err)
 *     fg_opts_read_env(&opts, environ, exempt, err)
 *
 * A row stands beside the code that uses it and is all there is to write for a new
 * option: its key in the configuration file (fetch.max-body, or max-body nested under
 * fetch), its environment variable (FORAGE_FETCH_MAX_BODY), its flag (--fetch-max-body)
 * and its line of help follow from it.
 *
 * Default < file < environment < flag. The order of reading does not matter between these
 * four; of two files the one read later wins. Each value remembers where it came from. A
 * wrong value is an error wherever it stands, even if a higher layer overrides it. */
#ifndef FG_BASE_OPT_H
#define FG_BASE_OPT_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/time.h"
#include "base/vec.h"

#include <stddef.h>
#include <stdint.h>

enum fg_opt_type {
    FG_OPT_BOOL = 1,
    FG_OPT_INT,
    FG_OPT_DOUBLE,
    FG_OPT_SPAN,
    FG_OPT_SIZE,
    FG_OPT_STRING,
    FG_OPT_ENUM,
    FG_OPT_LIST
};

struct fg_opt_list {
    struct fg_str *at;
    size_t len;
};

struct fg_opt {
    const char *name;           /* the key; NULL ends the table */
    const char *const *choices; /* of an enum, ending in NULL */
    size_t offset;              /* set by FG_BOOL and the like, with the type */
    const char *preset;         /* the default as a user would write it; NULL: none */
    double min, max; /* both 0: no limit. Of a text its length, of a list its entries */
    const char *help;
    const char *arg; /* what the help calls the value; NULL: by type */
    /* What is wrong with a text or an entry of a list, or NULL if nothing is. */
    const char *(*refuse)(struct fg_str value);
    /* The same, where more words are needed than stand in the program. */
    enum fg_status (*check)(struct fg_str value, struct fg_err *err);
    enum fg_opt_type type;
    uint8_t size; /* of the value in bytes, set with the type */
    char letter;  /* a short flag */
    bool not_in_files;
    bool is_live; /* a running program may take it over: fg_opts_update */
};

/* Type and place of a value. Each is checked against the member's C type, so a row
 * cannot write past its member. A whole number may be an unsigned one of 32 bits, if the
 * row has limits within these; a text may be a `const char *`, NULL if it is empty. Texts
 * are followed by a NUL. */
#define FG_BOOL(s, m)   FG_OPT_OF(FG_OPT_BOOL, s, m, bool : 1)
#define FG_INT(s, m)    FG_OPT_OF(FG_OPT_INT, s, m, int64_t : 1, uint64_t : 1, uint32_t : 1)
#define FG_DOUBLE(s, m) FG_OPT_OF(FG_OPT_DOUBLE, s, m, double : 1)
#define FG_SPAN(s, m)   FG_OPT_OF(FG_OPT_SPAN, s, m, fg_time : 1)
#define FG_SIZE(s, m)   FG_OPT_OF(FG_OPT_SIZE, s, m, size_t : 1)
#define FG_STRING(s, m) \
    FG_OPT_OF(FG_OPT_STRING, s, m, struct fg_str : 1, const char * : 1)
#define FG_ENUM(s, m, all) \
    .choices = (all), FG_OPT_OF(FG_OPT_ENUM, s, m, int : 1, unsigned : 1)
#define FG_LIST(s, m) FG_OPT_OF(FG_OPT_LIST, s, m, struct fg_opt_list : 1)

/* clang-format off */
#define FG_OPT_OF(kind, s, m, ...)                                                      \
    .type = (kind), .size = sizeof(((s *)0)->m),                                        \
    .offset = offsetof(s, m) +                                                          \
              0 * sizeof(char[_Generic(((s *)0)->m, __VA_ARGS__, default : -1)])
/* clang-format on */

enum fg_opt_layer { FG_LAYER_DEFAULT, FG_LAYER_FILE, FG_LAYER_ENV, FG_LAYER_FLAG };

struct fg_origin {
    enum fg_opt_layer layer;
    struct fg_str name; /* "forage.yaml", "FORAGE_LOG_LEVEL", "--log-level" */
    size_t line;        /* in a file, from 1 */
};

/* A row with the place its value goes to. */
struct fg_setting {
    const struct fg_opt *opt;
    void *value;
    struct fg_origin origin;
};

struct fg_opts {
    struct fg_arena *arena; /* set this; the rest starts as zero */
    FG_VEC(struct fg_setting) rows;
};

/* Add a table whose values go to the struct `into`, and set the defaults. The table must
 * outlive `opts`. */
void fg_opts_add(struct fg_opts *opts, const struct fg_opt *table, void *into);

/* "log.level", or NULL. */
struct fg_setting *fg_opts_find(const struct fg_opts *opts, struct fg_str key);
/* The key that a mistyped one was most likely meant to be, or NULL if none is close. */
const char *fg_opts_nearest(const struct fg_opts *opts, struct fg_str key);

/* Set from text; a list is written with commas between its entries. A value from a lower
 * layer than the present one is checked and then left alone. Repeating the flag of a list
 * adds to it. */
enum fg_status fg_opts_set(struct fg_opts *opts, struct fg_setting *setting,
                           struct fg_str text, struct fg_origin origin,
                           struct fg_err *err);

/* Take over from `from`, another struct that the table was added with, what may change in
 * a running program. `differs` is called for each row that is not the same there, taken
 * or not. Texts stay where they are. */
void fg_opts_update(const struct fg_opt *table, void *into, const void *from,
                    void (*differs)(void *context, const struct fg_opt *opt),
                    void *context);

/* Read a configuration file that is already in memory; `name` is for messages. Keys may
 * be nested or dotted. Anchors, aliases and tags are refused, as are a key given twice
 * and more than FG_YAML_DEPTH levels or FG_YAML_MAX bytes. All failures are FG_ECONFIG
 * and name the line. */
#define FG_YAML_MAX   ((size_t)1 << 20)
#define FG_YAML_DEPTH 8
enum fg_status fg_opts_read_yaml(struct fg_opts *opts, struct fg_str text,
                                 const char *name, struct fg_err *err);

/* Read every variable whose name starts with FORAGE_. One that is no option is an error,
 * unless `exempt` (ending in NULL) lists it; "FORAGE_BENCH*" stands for all that start
 * so. */
enum fg_status fg_opts_read_env(struct fg_opts *opts, char *const *environment,
                                const char *const *exempt, struct fg_err *err);

/* Flags and words of a command line, one word at a time:
 *
 *     struct fg_args args = {.at = argv + 1, .own = &command, .shared = &opts};
 *     while (!(st = fg_args_next(&args, &word, err)) && word) ...
 *
 * Flags are looked for in `own` first, then in `shared`; either may be NULL, and both may
 * be changed between calls. --name value, --name=value, --no-name for a bool, -n value,
 * -nvalue; "--" ends the flags. The dotted key is understood as well: --fetch.max-body.
 * At the end `word` is NULL. Failures are FG_ECONFIG. */
struct fg_args {
    char *const *at;
    struct fg_opts *own, *shared;
    bool only_words; /* "--" has been seen */
};
enum fg_status fg_args_next(struct fg_args *args, const char **word, struct fg_err *err);

/* It is named so, or lies in the group of that name: "fetch.delay" is under "fetch". */
bool fg_opt_under(const struct fg_opt *opt, struct fg_str name);

/* Texts about an option; what is returned lives in `arena`. */
struct fg_str fg_opt_flag(struct fg_arena *arena, const struct fg_opt *opt);
struct fg_str fg_opt_variable(struct fg_arena *arena, const struct fg_opt *opt);
struct fg_str fg_opt_range(struct fg_arena *arena, const struct fg_opt *opt);
const char *fg_opt_arg(const struct fg_opt *opt); /* "SPAN", "N", "FILE"; bool: NULL */
struct fg_str fg_setting_text(struct fg_arena *arena, const struct fg_setting *setting);
int64_t fg_setting_int(const struct fg_setting *setting);       /* of a FG_OPT_INT */
struct fg_str fg_setting_str(const struct fg_setting *setting); /* of a FG_OPT_STRING */
struct fg_str fg_origin_text(struct fg_arena *arena, const struct fg_origin *origin);

/* Parse `text` as the option asks and write it to `value`, which is of the row's C type.
 * On failure `err` has what is wrong without saying where: "'5' has no unit; ...". */
enum fg_status fg_opt_parse(void *value, struct fg_arena *arena, const struct fg_opt *opt,
                            struct fg_str text, struct fg_err *err);

#endif
