/* Connections that read: each serves one question at a time, and a few are kept for the
 * next. When the writer has had to connect anew they are not used again, since what they
 * are connected to may not be where the store is any more. */
#include "store/postgres/postgres.h"

#include "base/memory.h"

#include <stdlib.h>

enum { KEPT = 8 };

static void free_link(struct fg_pg_link *link)
{
    fg_pg_disconnect(link);
    free(link);
}

static void free_links(struct fg_pg_link *links)
{
    while (links) {
        struct fg_pg_link *next = links->next;
        free_link(links);
        links = next;
    }
}

void fg_pg_readers_init(struct fg_pg_readers *readers, const struct fg_pg_place *place)
{
    *readers = (struct fg_pg_readers){.place = place};
    pthread_mutex_init(&readers->lock, NULL);
}

void fg_pg_readers_clear(struct fg_pg_readers *readers)
{
    free_links(readers->spare);
    pthread_mutex_destroy(&readers->lock);
}

enum fg_status fg_pg_readers_take(struct fg_pg_readers *readers,
                                  struct fg_pg_link **reader, struct fg_err *err)
{
    pthread_mutex_lock(&readers->lock);
    unsigned era = readers->era;
    *reader = readers->spare;
    if (*reader) {
        readers->spare = (*reader)->next;
        readers->n--;
    }
    pthread_mutex_unlock(&readers->lock);
    if (*reader)
        return FG_OK;
    *reader = fg_zeroed(1, sizeof **reader);
    enum fg_status st = fg_pg_connect(*reader, readers->place, FG_PG_READER, err);
    (*reader)->era = era;
    if (st) {
        free_link(*reader);
        *reader = NULL;
    }
    return st;
}

void fg_pg_readers_give(struct fg_pg_readers *readers, struct fg_pg_link *reader)
{
    bool is_well = !fg_pg_is_lost(reader) && !reader->is_in_transaction;
    pthread_mutex_lock(&readers->lock);
    bool keeps = is_well && reader->era == readers->era && readers->n < KEPT;
    if (keeps) {
        reader->next = readers->spare;
        readers->spare = reader;
        readers->n++;
    }
    pthread_mutex_unlock(&readers->lock);
    if (!keeps)
        free_link(reader);
}

void fg_pg_readers_renew(struct fg_pg_readers *readers)
{
    pthread_mutex_lock(&readers->lock);
    struct fg_pg_link *old = readers->spare;
    readers->spare = NULL;
    readers->n = 0;
    readers->era++;
    pthread_mutex_unlock(&readers->lock);
    free_links(old);
}
