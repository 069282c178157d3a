/* crawling.h - what the commands that crawl share: the workspace's store, running, limits
 */
#ifndef FG_CLI_CRAWLING_H
#define FG_CLI_CRAWLING_H

#include "cli/serving.h"
#include "crawl/crawl.h"
#include "crawl/intake/enlist.h"
#include "crawl/intake/seeds.h"
#include "store/store.h"

/* Flags of `run` and `watch`. */
struct fg_run_options {
    fg_time time_limit;
    size_t size_limit;
    int64_t fetch_limit;
    bool once;
    struct fg_str archive;
    struct fg_serving serving;
};
#define FG_RUN_OPTIONS(s, m)                                                           \
    {"time-limit", FG_SPAN(s, m.time_limit), .help = "stop after this time"},          \
        {"size-limit", FG_SIZE(s, m.size_limit), .help = "stop after so many bytes"},  \
        {"fetch-limit", FG_INT(s, m.fetch_limit), .min = 0, .max = 1e15,               \
         .help = "stop after so many page requests; 0: no limit"},                     \
        {"archive", FG_STRING(s, m.archive), .arg = "FOLDER",                          \
         .help = "keep every request and answer there, as WARC; as archive.dir does"}, \
        FG_SERVING_OPTIONS(s, m.serving),                                              \
    {                                                                                  \
        "once", FG_BOOL(s, m.once),                                                    \
            .letter = 'b', .help = "stop when every page found was fetched once"       \
    }

/* The workspace: where the store is. */
const char *fg_cli_store_path(struct fg_cli *cli);

/* Where seeds wait for the crawl that runs: crawl/intake/seeds.h. */
const char *fg_cli_inbox(struct fg_cli *cli);

/* The store of the workspace. To look only, it must exist; else it is made. */
enum fg_status fg_cli_store(struct fg_cli *cli, bool read_only, struct fg_store **store,
                            struct fg_err *err);

/* A crawl on that store, from the settings. */
enum fg_status fg_cli_crawl(struct fg_cli *cli, struct fg_store *store, int events_fd,
                            const struct fg_run_options *limits, struct fg_crawl **crawl,
                            struct fg_err *err);

/* Seeds, read and checked before anything is done with them. */
struct fg_seeds {
    struct fg_seed preset; /* what a line does not say otherwise */
    FG_VEC(struct fg_seed_line) lines;
    size_t wrong; /* lines that are no seeds; each was complained about */
};
/* From the words of the command line ("-" is standard input, and what names a file is
 * read as one) and from a file, if one is named. Lines that are wrong make it fail unless
 * `skip_bad`. */
enum fg_status fg_cli_seeds(struct fg_cli *cli, struct fg_seeds *seeds,
                            struct fg_str file, bool skip_bad, struct fg_err *err);
enum fg_status fg_cli_add(struct fg_crawl *crawl, const struct fg_seeds *seeds,
                          struct fg_err *err);

/* Run to the end, with progress on standard error and for a service manager, and the
 * dashboard beside it; sets cli->exit. */
enum fg_status fg_cli_run(struct fg_cli *cli, struct fg_crawl *crawl,
                          const struct fg_run_options *options, struct fg_err *err);

#endif
