#include "server/stream.h"

#include "base/memory.h"
#include "crawl/output/news.h"
#include "server/inside.h"

#include <stdio.h>
#include <string.h>

enum { KEPT = 1024, BLOCK = 16 << 10, AT_ONCE = 64 };
static const fg_time heartbeat = 15 * FG_SECOND;

enum { ANY_KIND = FG_KINDS };
static const char *const kinds[] = {"new", "changed", "alarm", "all", NULL};

const struct fg_opt fg_stream_opts[] = {
    {"kind", FG_ENUM(struct fg_stream_question, kind, kinds), "all",
     .help = "new pages, changes of documents, alarms, or all of them"},
    {"site", FG_STRING(struct fg_stream_question, site), .arg = "SITE",
     .help = "of this site only: its host name or address"},
    {0},
};

struct event {
    uint64_t number;
    fg_site_id site;
    enum fg_news_kind kind;
    char *text; /* as it is sent */
    size_t len;
};

struct reader {
    struct reader *next, *before;
    struct fg_stream *stream;
    struct MHD_Connection *connection;
    uint64_t after; /* it has had all events up to this one */
    unsigned turn;  /* of the token that let it in */
    fg_site_id site;
    int kind;
    bool is_suspended;
    fg_time spoke; /* monotonic; when it was last sent something */
    struct fg_buf out;
    size_t sent; /* of `out` */
};

struct fg_stream {
    struct fg_server *server;
    pthread_mutex_t lock;
    struct event ring[KEPT]; /* the event of number n at n % KEPT */
    uint64_t newest;         /* number; 0: there is none */
    uint64_t first;          /* those before this one were there before the server */
    unsigned beats;
    struct reader *readers;
    size_t n_readers, most;
    bool is_ending;
};

/* --- what is new --- */

static void format(struct event *made, const struct fg_event_row *event)
{
    struct fg_buf text;
    fg_buf_init(&text, 1 << 20);
    fg_buf_printf(&text,
                  "id: %llu\nevent: %.*s\ndata: ", (unsigned long long)event->number,
                  FG_ARG(event->kind));
    /* One line of JSON: no newline of its own can end it. */
    fg_buf_add(&text, event->json);
    fg_buf_add(&text, FG_STR("\n\n"));
    if (text.full)
        fg_buf_reset(&text);
    *made = (struct event){.number = event->number,
                           .site = event->site,
                           .kind = fg_news_kind(event->kind),
                           .text = text.at,
                           .len = text.len};
}

static bool take(void *context, const struct fg_event_row *event)
{
    struct fg_stream *stream = context;
    struct event made;
    format(&made, event);
    pthread_mutex_lock(&stream->lock);
    struct event *place = &stream->ring[event->number % KEPT];
    free(place->text);
    *place = made;
    stream->newest = event->number;
    pthread_mutex_unlock(&stream->lock);
    return true;
}

static bool note_newest(void *context, const struct fg_event_row *event)
{
    struct fg_stream *stream = context;
    stream->newest = event->number;
    return true;
}

/* The server ends, or another token holds than the one it came in with. */
static bool is_over(const struct reader *r)
{
    const struct fg_server *server = r->stream->server;
    return r->stream->is_ending || (server->needs_token && r->turn != server->door.turn);
}

static void wake(struct fg_stream *stream)
{
    fg_time now = fg_time_monotonic();
    pthread_mutex_lock(&stream->lock);
    for (struct reader *r = stream->readers; r; r = r->next)
        if (r->is_suspended &&
            (is_over(r) || r->after < stream->newest || now - r->spoke > heartbeat)) {
            r->is_suspended = false;
            MHD_resume_connection(r->connection);
        }
    pthread_mutex_unlock(&stream->lock);
}

void fg_stream_keep(struct fg_stream *stream)
{
    if (!fg_stream_clients(stream) && stream->beats++ % 5)
        return;
    fg_store_events(stream->server->store, 0, stream->newest, FG_NEVER, KEPT / 2, take,
                    stream, NULL);
    wake(stream);
}

/* --- readers --- */

static bool is_wanted(const struct reader *r, fg_site_id site, enum fg_news_kind kind)
{
    return (!r->site || r->site == site) && (r->kind == ANY_KIND || r->kind == (int)kind);
}

/* It has missed more than is kept: the store has it. */
struct missed {
    struct reader *reader;
    size_t n;
};

static bool take_missed(void *context, const struct fg_event_row *event)
{
    struct missed *missed = context;
    struct reader *r = missed->reader;
    struct event made;
    r->after = event->number;
    missed->n++;
    if (!is_wanted(r, event->site, fg_news_kind(event->kind)))
        return true;
    format(&made, event);
    fg_buf_add(&r->out, (struct fg_str){made.text, made.len});
    free(made.text);
    return r->out.len < BLOCK;
}

/* Into r->out; the lock is held. False: it is not in memory. */
static bool gather(struct fg_stream *stream, struct reader *r)
{
    if (stream->newest - r->after > KEPT / 2 ||
        (r->after + 1 < stream->first && r->after < stream->newest))
        return false;
    while (r->after < stream->newest && r->out.len < BLOCK) {
        const struct event *event = &stream->ring[(r->after + 1) % KEPT];
        if (event->number > r->after + 1)
            return false;
        r->after++;
        /* Numbers may have gaps; an older one in the place of the next is such a gap. */
        if (event->number == r->after && is_wanted(r, event->site, event->kind))
            fg_buf_add(&r->out, (struct fg_str){event->text, event->len});
    }
    return true;
}

static ssize_t hand_out(struct reader *r, char *to, size_t room)
{
    size_t left = r->out.len - r->sent, n = left < room ? left : room;
    memcpy(to, r->out.at + r->sent, n);
    r->sent += n;
    r->spoke = fg_time_monotonic();
    return (ssize_t)n;
}

static ssize_t read_events(void *context, uint64_t position, char *to, size_t room)
{
    struct reader *r = context;
    struct fg_stream *stream = r->stream;
    (void)position;
    if (r->sent < r->out.len)
        return hand_out(r, to, room);
    fg_buf_reset(&r->out);
    r->sent = 0;
    pthread_mutex_lock(&stream->lock);
    bool is_ending = is_over(r);
    bool is_in_memory = is_ending || gather(stream, r);
    bool is_silent = fg_time_monotonic() - r->spoke > heartbeat;
    if (is_in_memory && !r->out.len && is_silent)
        fg_buf_add(&r->out, FG_STR(":\n\n"));
    if (is_in_memory && !r->out.len && !is_ending && r->after >= stream->newest) {
        r->is_suspended = true;
        MHD_suspend_connection(r->connection);
    }
    pthread_mutex_unlock(&stream->lock);
    if (is_ending)
        return MHD_CONTENT_READER_END_OF_STREAM;
    if (!is_in_memory) {
        struct missed missed = {.reader = r};
        fg_store_events(stream->server->store, 0, r->after, FG_NEVER, AT_ONCE,
                        take_missed, &missed, NULL);
        pthread_mutex_lock(&stream->lock);
        if (!missed.n) /* pruned, all of it */
            r->after = stream->newest;
        pthread_mutex_unlock(&stream->lock);
        if (!r->out.len)
            fg_buf_add(&r->out, FG_STR(":\n\n"));
    }
    return r->out.len ? hand_out(r, to, room) : 0;
}

static void reader_free(void *context)
{
    struct reader *r = context;
    struct fg_stream *stream = r->stream;
    pthread_mutex_lock(&stream->lock);
    if (r->before)
        r->before->next = r->next;
    else
        stream->readers = r->next;
    if (r->next)
        r->next->before = r->before;
    stream->n_readers--;
    pthread_mutex_unlock(&stream->lock);
    fg_buf_clear(&r->out);
    free(r);
}

static fg_site_id site_named(struct fg_server *server, struct fg_arena *arena,
                             struct fg_str name)
{
    struct fg_workspace place = {server->place.workspace, server->place.crawl,
                                 server->place.store};
    struct fg_look look;
    fg_site_id site = 0;
    if (fg_look_open(&look, &place, server->store, arena, NULL))
        return 0;
    fg_look_find_site(&look, name, &site, NULL);
    fg_look_close(&look);
    return site;
}

struct MHD_Response *fg_stream_response(struct fg_stream *stream,
                                        struct MHD_Connection *connection,
                                        const struct fg_http_request *request,
                                        struct fg_err *err)
{
    enum { RETRY_MS = 2000 };
    struct fg_stream_question *question =
        fg_arena_alloc(request->arena, sizeof(struct fg_stream_question));
    struct fg_http_request asked = *request;
    if (fg_request_read(question, &asked, err))
        return NULL;
    struct reader *r = fg_zeroed(1, sizeof *r);
    uint64_t after = 0;
    bool resumes = fg_str_to_u64(request->last_event, &after);
    *r = (struct reader){.stream = stream,
                         .connection = connection,
                         .turn = request->turn,
                         .kind = question->kind,
                         .spoke = fg_time_monotonic()};
    if (question->site.len) {
        r->site = site_named(stream->server, request->arena, question->site);
        r->site = r->site ? r->site : UINT32_MAX;
    }
    fg_buf_init(&r->out, 4 << 20);
    pthread_mutex_lock(&stream->lock);
    bool is_full = stream->n_readers >= stream->most;
    /* A number that is still to come is of another workspace, or of this one before it
     * was made anew: who has it knows nothing of what is here. */
    r->after = !resumes ? stream->newest : after <= stream->newest ? after : 0;
    fg_buf_printf(&r->out, "retry: %d\n: since %llu\n\n", (int)RETRY_MS,
                  (unsigned long long)r->after);
    r->next = stream->readers;
    if (r->next)
        r->next->before = r;
    stream->readers = r;
    stream->n_readers++;
    pthread_mutex_unlock(&stream->lock);
    struct MHD_Response *response =
        is_full ? NULL
                : MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, read_events,
                                                    r, reader_free);
    if (!response)
        reader_free(r);
    return response;
}

/* --- the whole --- */

struct fg_stream *fg_stream_new(struct fg_server *server)
{
    struct fg_stream *stream = fg_zeroed(1, sizeof *stream);
    stream->server = server;
    stream->most = (size_t)server->place.settings->connections * 3 / 4;
    pthread_mutex_init(&stream->lock, NULL);
    fg_store_events(server->store, 0, 0, FG_NEVER, SIZE_MAX, note_newest, stream, NULL);
    stream->first = stream->newest + 1;
    return stream;
}

void fg_stream_end(struct fg_stream *stream)
{
    pthread_mutex_lock(&stream->lock);
    stream->is_ending = true;
    pthread_mutex_unlock(&stream->lock);
    wake(stream);
}

size_t fg_stream_clients(struct fg_stream *stream)
{
    pthread_mutex_lock(&stream->lock);
    size_t n = stream->n_readers;
    pthread_mutex_unlock(&stream->lock);
    return n;
}

void fg_stream_free(struct fg_stream *stream)
{
    if (!stream)
        return;
    for (size_t i = 0; i < KEPT; i++)
        free(stream->ring[i].text);
    pthread_mutex_destroy(&stream->lock);
    free(stream);
}
