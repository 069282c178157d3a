/* What is asked of a place, or left there, without the process that writes: each on a
 * connection of its own. Who posts holds a lock while the transaction lasts, so that what
 * is read and what is written belong together. */
#include "store/postgres/postgres.h"

#include "store/lots.h"

#include <stdio.h>
#include <unistd.h>

enum {
    POST_WAIT_MS = 10000,
    POST_LOCK = 0x464F5250, /* "FORP": one that posts at a time */
};

/* A connection for one question about a place. */
static enum fg_status visit(struct fg_pg_link *link, struct fg_pg_place *place,
                            const char *text, struct fg_err *err)
{
    *link = (struct fg_pg_link){0};
    enum fg_status st = fg_pg_place_parse(place, text, err);
    return st ? st : fg_pg_connect(link, place, FG_PG_READER, err);
}

static void leave(struct fg_pg_link *link, struct fg_pg_place *place)
{
    fg_pg_disconnect(link);
    fg_pg_place_clear(place);
}

/* Of a crawl in lots there is always somebody to be told, now or later. */
int64_t fg_pg_writer_of(const char *text)
{
    if (fg_lots_at(text))
        return 0;
    struct fg_pg_place place;
    struct fg_pg_link link;
    int64_t pid = visit(&link, &place, text, NULL) ? -1 : fg_pg_writer(&link);
    leave(&link, &place);
    return pid;
}

/* What cannot be asked is taken to be there: opening it says what is wrong. */
bool fg_pg_exists(const char *text)
{
    struct fg_pg_place place;
    struct fg_pg_link link;
    bool is_there = visit(&link, &place, text, NULL) != FG_OK ||
                    fg_pg_schema_check(&link, NULL) != FG_ENOTFOUND;
    leave(&link, &place);
    return is_there;
}

enum fg_status fg_pg_shut_post(struct fg_pg_link *link, struct fg_err *err)
{
    return fg_pg_run(link, "write", err, "SELECT pg_advisory_lock(%d, %d)", POST_LOCK,
                     link->place->lock);
}

struct posting {
    struct fg_pg_place place;
    struct fg_pg_link link;
    struct fg_pg_held *held;
};

static enum fg_status begin_posting(struct posting *posting, const char *text,
                                    struct fg_err *err)
{
    char sql[128];
    enum fg_status st = visit(&posting->link, &posting->place, text, err);
    posting->held = fg_pg_held_new();
    if (!st)
        st = fg_pg_schema_check(&posting->link, err);
    snprintf(sql, sizeof sql, "BEGIN; SELECT pg_advisory_xact_lock(%d, %d)", POST_LOCK,
             posting->place.lock);
    return st ? st : fg_pg_exec(&posting->link, "write", sql, err);
}

static enum fg_status end_posting(struct posting *posting, enum fg_status st,
                                  struct fg_err *err)
{
    if (!st && !(st = fg_pg_begin_pipeline(&posting->link, err))) {
        st = fg_pg_send_changes(posting->held, &posting->link, FG_ROW_KINDS, err);
        if (!st)
            st = fg_pg_send_text(&posting->link, "COMMIT", err);
        if (!st)
            st = fg_pg_end_pipeline(&posting->link, "write", err);
    }
    leave(&posting->link, &posting->place); /* what is not committed goes with it */
    fg_pg_held_free(posting->held);
    return st;
}

static enum fg_status edit_posting(struct posting *posting, enum fg_edit edit,
                                   const void *row, size_t *changed, struct fg_err *err)
{
    return fg_pg_edit(posting->held, &posting->link, edit, row, changed, err);
}

static enum fg_status drop_posting(struct posting *posting, enum fg_row_query query,
                                   int64_t number, struct fg_err *err)
{
    return fg_pg_drop(&posting->link, query, FG_ARGS(FG_NUM(number)), SIZE_MAX, NULL,
                      err);
}

/* The process that writes may only just have begun to make the tables. */
static enum fg_status post_one(const char *place, const struct fg_command_row *command,
                               struct fg_err *err)
{
    struct posting posting;
    struct fg_command_row row = *command;
    int64_t last = 0;
    enum fg_status st = begin_posting(&posting, place, err);
    for (int waited = 0;
         st == FG_ENOTFOUND && waited < POST_WAIT_MS && fg_pg_writer_of(place) >= 0;
         waited += 50) {
        end_posting(&posting, st, NULL);
        usleep(50000);
        st = begin_posting(&posting, place, err);
    }
    if (!st)
        st = fg_pg_int(&posting.link, "SELECT max(number) FROM commands", &last, NULL,
                       err);
    row.number = (uint64_t)last + 1;
    if (!st)
        st = edit_posting(&posting, FG_PUT_COMMAND, &row, NULL, err);
    return end_posting(&posting, st, err);
}

/* Each lot is told, and takes what is its own. */
enum fg_status fg_pg_post(const char *place, const struct fg_command_row *command,
                          struct fg_err *err)
{
    struct fg_arena arena = {0};
    unsigned lots = fg_lots_at(place);
    enum fg_status st = lots ? FG_OK : post_one(place, command, err);
    for (unsigned lot = 0; !st && lot < lots; lot++)
        st = post_one(fg_lots_place(&arena, place, lot), command, err);
    fg_arena_clear(&arena);
    return st;
}

/* What is of no site is in the first lot. */
static const char *first_of(struct fg_arena *arena, const char *place)
{
    return fg_lots_at(place) ? fg_lots_place(arena, place, 0) : place;
}

enum fg_status fg_pg_note_queries(const char *place, const struct fg_query_row *queries,
                                  size_t n, struct fg_err *err)
{
    struct posting posting;
    struct fg_arena arena = {0};
    enum fg_status st = begin_posting(&posting, first_of(&arena, place), err);
    fg_arena_clear(&arena);
    /* A search is counted in passing, and need not be on disk when it is answered. */
    if (!st)
        st =
            fg_pg_exec(&posting.link, "write", "SET LOCAL synchronous_commit = off", err);
    for (size_t i = 0; !st && i < n; i++)
        st = edit_posting(&posting, FG_COUNT_SEARCH, &queries[i], NULL, err);
    if (!st)
        st = drop_posting(&posting, FG_OLD_SEARCHES, queries[0].day - FG_QUERY_DAYS, err);
    return end_posting(&posting, st, err);
}

static enum fg_status note_in_lot(const char *place, const struct fg_feedback_note *notes,
                                  size_t n, fg_time now, bool *is_new, struct fg_err *err)
{
    struct posting posting;
    struct fg_feedback_row all = {0};
    enum fg_status st = begin_posting(&posting, place, err);
    for (size_t i = 0; !st && i < n; i++) {
        struct fg_mark_row mark = {notes[i].mark, notes[i].until};
        size_t changed = 0;
        st = edit_posting(&posting, FG_PUT_MARK, &mark, &changed, err);
        is_new[i] = changed > 0;
        if (st || !is_new[i])
            continue;
        st = edit_posting(&posting, FG_COUNT_FEEDBACK, &notes[i].row, NULL, err);
        all.shown += notes[i].row.shown;
        all.looks += notes[i].row.looks;
        all.clicks += notes[i].row.clicks;
    }
    if (!st)
        st = edit_posting(&posting, FG_COUNT_FEEDBACK, &all, NULL, err);
    if (!st)
        st = drop_posting(&posting, FG_OLD_MARKS, now, err);
    return end_posting(&posting, st, err);
}

/* In lots those of a lot are noted at once: all or none of each lot. */
enum fg_status fg_pg_note_feedback(const char *place,
                                   const struct fg_feedback_note *notes, size_t n,
                                   fg_time now, bool *is_new, struct fg_err *err)
{
    struct fg_arena arena = {0};
    unsigned lots = fg_lots_at(place);
    enum fg_status st = lots ? FG_OK : note_in_lot(place, notes, n, now, is_new, err);
    for (unsigned lot = 0; !st && lot < lots; lot++) {
        struct fg_feedback_note *some = FG_NEW(&arena, struct fg_feedback_note, n + 1);
        bool *are_new = FG_NEW(&arena, bool, n + 1);
        size_t found = 0, at = 0;
        for (size_t i = 0; i < n; i++)
            if (notes[i].row.site % lots == lot)
                some[found++] = notes[i];
        if (found)
            st = note_in_lot(fg_lots_place(&arena, place, lot), some, found, now, are_new,
                             err);
        for (size_t i = 0; !st && i < n; i++)
            if (notes[i].row.site % lots == lot)
                is_new[i] = are_new[at++];
    }
    fg_arena_clear(&arena);
    return st;
}

enum fg_status fg_pg_keep_state(const char *place, const struct fg_state_row *state,
                                struct fg_err *err)
{
    struct posting posting;
    struct fg_arena arena = {0};
    enum fg_status st = begin_posting(&posting, first_of(&arena, place), err);
    fg_arena_clear(&arena);
    if (!st)
        st = edit_posting(&posting, FG_KEEP_STATE, state, NULL, err);
    return end_posting(&posting, st, err);
}
