/* output.h - a way out for events, and all of them together
 *
 * A kind of output is a table of functions and its rows of settings, in a file of its own
 * and one line of the table in output.c:
 *
 *     static enum fg_status open_it(void **output, const struct fg_output_env *env,
 *                                   const void *settings, struct fg_err *err) ...
 *     const struct fg_output_kind fg_output_example = {
 *         .name = "example", .opts = rows, .settings_size = sizeof(struct
 * example_settings), .open = open_it, .poke = poke, .busy = is_busy, .close = close_it,
 *     };
 *
 * It reads events from the store (cursor.h) and knows nothing of the crawl. Whoever has
 * the loop sees all of them as one:
 *
 *     fg_outputs_open(&outputs, &env, &settings, err);
 *     fg_outputs_poke(outputs);                 (when the store has become durable)
 *     ...
 *     fg_outputs_drain(outputs, true);
 *     fg_outputs_flush(outputs, err);
 *     while (fg_outputs_are_busy(outputs)) ...  (the loop turns)
 *     fg_outputs_close(outputs);
 *
 * An output that fails holds up nobody. It is said once, in the log and in `forage
 * status`; it is tried again every few seconds; and it goes on where it was. */
#ifndef FG_CRAWL_OUTPUT_OUTPUT_H
#define FG_CRAWL_OUTPUT_OUTPUT_H

#include "base/clock.h"
#include "base/err.h"
#include "base/opt.h"
#include "store/store.h"

struct event_base;

/* The settings of each kind, by its place in the table; in the arena of the options. */
enum { FG_OUTPUT_KINDS = 16 };
struct fg_output_settings {
    void *of[FG_OUTPUT_KINDS];
};

/* What an output is given. */
struct fg_output_env {
    struct fg_store *store;
    struct event_base *loop;
    struct fg_clock *clock; /* that of the crawl */
    int events_fd;          /* for JSON lines; -1: none */
    const char *ca_file;    /* for those that make requests; or NULL */
    bool http2;
    /* The tags of a site; NULL: sites have none. */
    struct fg_str (*tags)(void *context, fg_site_id site);
    /* The reader of standard output has closed its end. */
    void (*on_closed)(void *context);
    void *context;
    /* Of all kinds; set by fg_outputs_open. */
    const struct fg_output_settings *settings;
};

struct fg_output_kind {
    const char *name;          /* for the log and `forage status` */
    const struct fg_opt *opts; /* or NULL; values go to a struct of its own, */
    size_t settings_size;      /* which is so large */
    bool rereads;              /* it looks there each time: no need to open it anew */
    /* What a row by itself does not show: whether rows fit each other, and what they name
     * is there. Leaves nothing behind. A message starts with the key. NULL: all is well.
     */
    enum fg_status (*check)(const void *settings, struct fg_err *err);
    /* Makes one; leaves NULL if its settings ask for none. `settings` is its own struct,
     * NULL if nobody has added the rows. */
    enum fg_status (*open)(void **output, const struct fg_output_env *env,
                           const void *settings, struct fg_err *err);
    /* There may be something new. Must not wait. */
    enum fg_status (*poke)(void *output, struct fg_err *err);
    /* Begin nothing more; but hand on what can be handed on at once, if `hands_on`. May
     * be NULL. */
    void (*drain)(void *output, bool hands_on);
    /* Is something on its way, or could it be at once? NULL: never. */
    bool (*busy)(const void *output);
    /* The last event that it need not be given again; UINT64_MAX: any. NULL: it keeps no
     * position, being made from what there is. */
    uint64_t (*delivered)(const void *output);
    void (*close)(void *output);
};

/* --- settings --- */

/* Add the rows of all kinds. */
void fg_outputs_add_opts(struct fg_output_settings *settings, struct fg_opts *opts);
/* Those of one kind: its own struct. NULL: no rows were added. */
const void *fg_output_settings_of(const struct fg_output_settings *settings,
                                  const struct fg_output_kind *kind);
enum fg_status fg_outputs_check(const struct fg_output_settings *settings,
                                struct fg_err *err);

/* --- all outputs --- */

struct fg_outputs;

/* `settings` are borrowed, and what they point to. */
enum fg_status fg_outputs_open(struct fg_outputs **outputs,
                               const struct fg_output_env *env,
                               const struct fg_output_settings *settings,
                               struct fg_err *err);
void fg_outputs_close(struct fg_outputs *outputs); /* NULL is fine */

void fg_outputs_poke(struct fg_outputs *outputs);
/* At the end: once more all of them, those that wait as well. The failure of one that
 * has not had all; the others had their turn. */
enum fg_status fg_outputs_flush(struct fg_outputs *outputs, struct fg_err *err);
void fg_outputs_drain(struct fg_outputs *outputs, bool hands_on);
bool fg_outputs_are_busy(const struct fg_outputs *outputs);
/* The last event that all of them have had; UINT64_MAX: none keeps a position. */
uint64_t fg_outputs_delivered(const struct fg_outputs *outputs);

/* Take over the settings that may change at run time (fg_opt.is_live), each kind for
 * itself if its own are right; `differs` as in fg_opts_update. An output whose settings
 * changed ends what is on its way, is closed and opened anew, where it was. */
void fg_outputs_reload(struct fg_outputs *outputs, const struct fg_output_settings *fresh,
                       void (*differs)(void *context, const struct fg_opt *opt),
                       void *context);

/* The i-th of those that fail and are tried again; false if there are fewer. */
struct fg_output_trouble {
    const char *output, *why;
    fg_time since; /* by the crawl's clock */
};
bool fg_outputs_trouble(const struct fg_outputs *outputs, size_t i,
                        struct fg_output_trouble *trouble);

/* The one of a kind, or NULL. */
void *fg_outputs_get(const struct fg_outputs *outputs, const struct fg_output_kind *kind);

#endif
