/* cmd_move.c - forage move: a lot to another server, while it is crawled */
#include "cli/crawling.h"
#include "store/lots.h"
#include "store/store.h"

#include <inttypes.h>

struct options {
    struct fg_str as, from;
    bool give_up;
};

static const struct fg_opt options[] = {
    {"as", FG_STRING(struct options, as), .arg = "ROLE",
     .help = "the role of the other server that may subscribe, if that of ADDRESS may "
             "not: a superuser"},
    {"from", FG_STRING(struct options, from), .arg = "ADDRESS",
     .help = "how the other server reaches the one that has the lot, and as whom, if not "
             "by the address that we have"},
    {"give-up", FG_BOOL(struct options, give_up),
     .help = "take back what a move that was broken off has left"},
    {0},
};

static double seconds(fg_time span)
{
    return (double)span / FG_SECOND;
}

static enum fg_status run(struct fg_cli *cli, struct fg_err *err)
{
    const struct options *o = cli->options;
    uint64_t lot;
    struct fg_lot_moved moved;
    if (!fg_str_to_u64(fg_str_from(cli->words[0]), &lot) || lot >= FG_LOTS_MOST)
        return fg_fail(err, FG_ECONFIG, "'%s' is not the number of a lot", cli->words[0]);
    if (!fg_store_is_database(fg_cli_store_path(cli)))
        return fg_fail(
            err, FG_ECONFIG,
            "this crawl is in a file: only a lot of a crawl that workers share "
            "can be moved ('forage run --worker')");
    struct fg_lot_move move = {
        .place = fg_cli_store_path(cli),
        .lot = (unsigned)lot,
        .to = cli->words[1],
        .role = o->as.len ? fg_arena_cstr(cli->arena, o->as) : NULL,
        .from = o->from.len ? fg_arena_cstr(cli->arena, o->from) : NULL,
        .gives_up = o->give_up,
    };
    enum fg_status st = fg_lot_move(&move, &moved, err);
    if (st)
        return st;
    if (o->give_up)
        fg_out_printf(&cli->out, "lot %u is where it was\n", move.lot);
    else if (!moved.copying)
        fg_out_printf(&cli->out, "lot %u has been moved: what was left to do is done\n",
                      move.lot);
    else
        fg_out_printf(&cli->out,
                      "lot %u has been moved: %" PRIu64 " rows of %" PRIu64
                      " tables, %.1f MB, were copied in %.1f s and are the same there; "
                      "writing stood still for %.2f s\n",
                      move.lot, moved.rows, moved.tables, (double)moved.bytes / 1e6,
                      seconds(moved.copying), seconds(moved.still));
    return FG_OK;
}

static const struct fg_example examples[] = {
    {"forage -w shared move 3 postgresql://crawler@db2.example/web --as postgres",
     "lot 3, while workers crawl"},
    {0},
};

const struct fg_command fg_cmd_move = {
    .name = "move",
    .words = "LOT ADDRESS",
    .summary = "move a lot of a crawl that workers share to another server",
    .about =
        "The tables of the lot are copied to the PostgreSQL at ADDRESS and kept the same "
        "by logical replication, while its worker goes on. When everything has been "
        "copied, the writer pauses for a moment and continues on the other server, and "
        "the two copies are compared. ADDRESS is as in store.place, without '#'; that of "
        "the crawl itself moves the lot back. The server that has the lot needs "
        "wal_level = logical. To finish a move that was interrupted, run the same "
        "command again. docs/scale-out.md tells what else it needs.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_words = 2,
    .max_words = 2,
    .examples = examples,
    .run = run,
};
