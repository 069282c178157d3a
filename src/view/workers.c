/* workers.c - who works on a crawl in lots, and on what */
#include "store/lots.h"
#include "view/view.h"

struct worker {
    struct fg_str name, host;
    uint64_t pid, lots;
    double load;
};

struct lot {
    uint64_t lot;
    struct fg_str worker;
    uint64_t pid, epoch;
    double load, asked, granted;
    struct fg_str home;
};

struct answer {
    FG_VEC(struct worker) all;
    FG_VEC(struct lot) parts;
    struct fg_rows workers, lots;
    double budget, price;
};

static void gather(struct answer *answer, const struct fg_lots_state *state,
                   struct fg_arena *arena)
{
    for (size_t i = 0; i < state->workers.len; i++) {
        const struct fg_worker_row *row = &state->workers.at[i];
        struct worker worker = {
            .name = row->name, .host = row->host, .pid = (uint64_t)row->pid};
        for (size_t k = 0; k < state->lots.len; k++)
            if (fg_str_eq(state->lots.at[k].worker, row->name)) {
                worker.lots++;
                worker.load += state->lots.at[k].load;
            }
        fg_vec_push_in(arena, &answer->all, worker);
    }
    for (size_t i = 0; i < state->lots.len; i++) {
        const struct fg_lot_row *row = &state->lots.at[i];
        struct lot lot = {
            row->lot,  row->worker, (uint64_t)row->pid, (uint64_t)row->epoch,
            row->load, row->asked,  row->granted,       row->home};
        fg_vec_push_in(arena, &answer->parts, lot);
    }
    answer->budget = state->budget;
    answer->price = state->price;
}

static enum fg_status ask_workers(const void **result, const struct fg_asking *ask,
                                  struct fg_err *err)
{
    struct fg_look *look = ask->look;
    const char *place = fg_workspace_store(&look->place);
    struct answer *answer = FG_NEW(look->texts, struct answer, 1);
    struct fg_lots_state state;
    struct fg_lots *lots;
    *result = answer;
    if (!fg_lots_at(place))
        return fg_fail(err, FG_ENOTFOUND,
                       "this crawl is not kept in lots: 'forage run --worker' begins one "
                       "that several workers share");
    enum fg_status st = fg_lots_open(&lots, place, err);
    if (!st)
        st = fg_lots_read(lots, &state, look->texts, err);
    if (!st)
        gather(answer, &state, look->texts);
    answer->workers = FG_ROWS_FROM(answer->all);
    answer->lots = FG_ROWS_FROM(answer->parts);
    if (!st)
        fg_lots_close(lots);
    return st;
}

static const struct fg_field worker_fields[] = {
    {"worker", "worker", FG_AS_TEXT(struct worker, name),
     .help = "by the name that its setting worker.name gives it"},
    {"host", "on", FG_AS_TEXT(struct worker, host), .help = "the machine it runs on"},
    {"process", "process", FG_AS_COUNT(struct worker, pid), .help = "its number there"},
    {"lots", "lots", FG_AS_COUNT(struct worker, lots), .help = "that it owns"},
    {"load", "load", FG_AS_NUMBER(struct worker, load), .unit = "/h",
     .help = "requests an hour that its lots make"},
    {0},
};

static const struct fg_field lot_fields[] = {
    {"lot", "lot", FG_AS_COUNT(struct lot, lot), .help = "its number, from 0"},
    {"worker", "worker", FG_AS_TEXT(struct lot, worker),
     .help = "who owns it; empty: nobody"},
    {"process", "process", FG_AS_COUNT(struct lot, pid),
     .help = "the process that crawls it, on the worker's machine"},
    {"epoch", "epoch", FG_AS_COUNT(struct lot, epoch),
     .help = "how often it has changed hands"},
    {"load", "load", FG_AS_NUMBER(struct lot, load), .unit = "/h",
     .help = "requests an hour"},
    {"asked", "asked", FG_AS_NUMBER(struct lot, asked), .unit = "/h",
     .help = "requests an hour that it could use"},
    {"granted", "granted", FG_AS_NUMBER(struct lot, granted), .unit = "/h",
     .help = "requests an hour that it may make"},
    {"home", "kept at", FG_AS_TEXT(struct lot, home),
     .help = "the database it was moved to; empty: with the crawl"},
    {0},
};

static const struct fg_field fields[] = {
    {"budget", "budget", FG_AS_NUMBER(struct answer, budget), .unit = "/h",
     .help = "requests an hour that are shared out; 0: no limit"},
    {"price", "price", FG_AS_NUMBER(struct answer, price),
     .help = "what is asked for is divided by it"},
    {"workers", NULL, FG_AS_ROWS(struct answer, workers, worker_fields),
     .help = "those that were there when they were looked at last"},
    {"lots", "lots", FG_AS_ROWS(struct answer, lots, lot_fields), .is_sheet = true,
     .help = "the parts of the crawl"},
    {0},
};

static const struct fg_view_example examples[] = {
    {"-w shared", "of the crawl whose address is in the forage.yaml there"},
    {"-w shared --json", "for programs"},
    {0},
};

const struct fg_view fg_view_workers = {
    .name = "workers",
    .summary = "who works on which part of a crawl that several share",
    .about = "Shows, for a crawl in a database that several machines work on ('forage "
             "run --worker'), the workers, the lots it is divided into, and how the "
             "budget is shared out among them. docs/scale-out.md explains all three.",
    .answer = {NULL, NULL, .type = FG_FIELD_RECORD, .of = fields},
    .examples = examples,
    .ask = ask_workers,
};
