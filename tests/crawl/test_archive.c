/* What becomes of exchanges of every kind, from a server that does as it is told to the
 * records that our reader finds. */
#include "crawl/archive/archive.h"
#include "crawl/archive/revisits.h"
#include "net/archive/warc_index.h"
#include "net/archive/warc_write.h"
#include "support/server.h"
#include "test.h"

#include <dirent.h>
#include <event2/event.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

static struct fg_arena arena; /* for the whole run */

/* --- the other side --- */

static const char page[] = "<p>The same page, more than once, so that it packs well. "
                           "The same page, more than once, so that it packs well.";

static struct fg_str packed(void)
{
    char *out = fg_arena_bytes(&arena, 1000);
    z_stream z = {.next_in = (Bytef *)page, .avail_in = sizeof page - 1};
    z.next_out = (Bytef *)out;
    z.avail_out = 1000;
    deflateInit2(&z, 9, Z_DEFLATED, 16 + 15, 8, Z_DEFAULT_STRATEGY);
    deflate(&z, Z_FINISH);
    deflateEnd(&z);
    return (struct fg_str){out, z.total_out};
}

static bool serve_packed(struct client *client)
{
    struct fg_str body = packed();
    return client_printf(client,
                         "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
                         "Content-Encoding: gzip\r\nContent-Length: %zu\r\n\r\n",
                         body.len) &&
           client_send(client, body);
}

static bool serve_packed_chunks(struct client *client)
{
    struct fg_str body = packed();
    client_puts(client, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n"
                        "Transfer-Encoding: chunked\r\n\r\n");
    for (size_t i = 0; i < body.len; i += 7) {
        struct fg_str piece = fg_str_sub(body, i, i + 7);
        client_printf(client, "%zx\r\n", piece.len);
        client_send(client, piece);
        client_puts(client, "\r\n");
    }
    return client_puts(client, "0\r\n\r\n");
}

static bool serve_slowly(struct client *client)
{
    client_puts(client, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
    return client_wait(client, 20 * FG_SECOND);
}

static bool serve_half(struct client *client)
{
    client_puts(client, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
    return false;
}

static bool serve_silence(struct client *client)
{
    (void)client;
    return false;
}

#define SAME \
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\nsame"
static const struct route routes[] = {
    {"/same1", .raw = SAME},
    {"/same2", .raw = SAME},
    {"/chunks", .raw = "HTTP/1.1 200 Fine\r\nTransfer-Encoding: chunked\r\n\r\n"
                       "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"},
    {"/packed", .serve = serve_packed},
    {"/packed-chunks", .serve = serve_packed_chunks},
    {"/long", .raw = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n0123456789"},
    {"/unmodified", .raw = "HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n"},
    {"/gone", .raw = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"},
    {"/slow", .serve = serve_slowly},
    {"/half", .serve = serve_half},
    {"/silent", .serve = serve_silence},
    {0},
};

/* --- our side --- */

struct bench {
    char dir[64];
    struct server *server;
    struct fg_archive *archive;
    struct event_base *loop;
    struct fg_fetcher *fetcher;
    enum fg_outcome outcome;
    enum fg_status status; /* of the archive */
    struct fg_err err;
    fg_time now;
};

static int remove_one(const char *path, const struct stat *about, int kind,
                      struct FTW *at)
{
    (void)about, (void)kind, (void)at;
    return remove(path);
}

static void open_archive(struct bench *bench, size_t max_bytes, size_t remember)
{
    struct fg_err err = {0};
    enum fg_status st = fg_archive_open(
        &bench->archive,
        &(struct fg_archive_options){
            .dir = bench->dir, .max_bytes = max_bytes, .remember = remember},
        bench->now, &err);
    if (st)
        print_error("%s\n", err.text);
    assert_int_equal(st, FG_OK);
}

static void start(struct bench *bench)
{
    *bench = (struct bench){.now = 1000000 * FG_SECOND};
    snprintf(bench->dir, sizeof bench->dir, "/tmp/forage-archive-XXXXXX");
    assert_non_null(mkdtemp(bench->dir));
    bench->server = server_start(routes, NULL);
    bench->loop = event_base_new();
    struct fg_fetch_options options = fg_fetch_defaults();
    options.user_agent = "test";
    options.reach = FG_REACH_LOOPBACK;
    options.timeout = 2 * FG_SECOND;
    options.keeps_wire = true;
    assert_int_equal(fg_fetcher_new(&bench->fetcher, bench->loop, &options, NULL), FG_OK);
}

static void close_archive(struct bench *bench)
{
    assert_int_equal(fg_archive_close(bench->archive, NULL), FG_OK);
    bench->archive = NULL;
}

static void stop(struct bench *bench)
{
    fg_fetcher_free(bench->fetcher);
    event_base_free(bench->loop);
    server_stop(bench->server);
    nftw(bench->dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void take_outcome(void *context, const struct fg_response *response)
{
    struct bench *bench = context;
    bench->outcome = response->outcome;
    bench->status = fg_archive_put(bench->archive, response, NULL, &bench->err);
}

static const char *fetch(struct bench *bench, const char *path, size_t max_body)
{
    const char *url = server_url(bench->server, path);
    bench->now += 10 * FG_SECOND;
    struct fg_request_note note = {.started = bench->now,
                                   .via = FG_STR("http://a.example/"),
                                   .links = 2,
                                   .redirects = 1};
    fg_fetcher_start(bench->fetcher, &(struct fg_request){.url = fg_str_from(url),
                                                          .note = &note,
                                                          .max_body = max_body,
                                                          .done = take_outcome,
                                                          .context = bench});
    event_base_dispatch(bench->loop);
    return url;
}

/* --- what is in the files --- */

struct found {
    struct fg_warc_record record;
    struct fg_warc_content content;
    struct fg_str block;
};

typedef FG_VEC(struct found) records;
typedef FG_VEC(const char *) paths;

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static paths files(const struct bench *bench, const char *suffix)
{
    paths all = {0};
    DIR *dir = opendir(bench->dir);
    for (struct dirent *entry; (entry = readdir(dir));)
        if (fg_str_ends(fg_str_from(entry->d_name), fg_str_from(suffix)))
            fg_vec_push_in(
                &arena, &all,
                fg_arena_printf(&arena, "%s/%s", bench->dir, entry->d_name).at);
    closedir(dir);
    if (all.len)
        qsort(all.at, all.len, sizeof *all.at, by_name);
    return all;
}

static void read_file(records *all, const char *path)
{
    struct fg_warc *warc;
    struct found found = {0};
    struct fg_err err = {0};
    assert_int_equal(fg_warc_open(&warc, path, NULL), FG_OK);
    while (fg_warc_next(warc, &found.record, &err)) {
        struct fg_str piece;
        found.record.headers = fg_arena_dup(&arena, found.record.headers);
        struct fg_warc_record copy = found.record;
        struct fg_str *texts[] = {&copy.type,           &copy.uri,
                                  &copy.truncated,      &copy.profile,
                                  &copy.refers_to_uri,  &copy.refers_to_date,
                                  &copy.payload_digest, &copy.block_digest,
                                  &copy.content_type,   &copy.date_text};
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
            if (texts[i]->at)
                *texts[i] = fg_arena_dup(&arena, *texts[i]);
        fg_warc_content_init(&found.content, &arena, &copy);
        found.block = FG_STR("");
        while (fg_warc_read(warc, &piece, &err)) {
            char *joined = fg_arena_bytes(&arena, found.block.len + piece.len + 1);
            memcpy(joined, found.block.at, found.block.len);
            memcpy(joined + found.block.len, piece.at, piece.len);
            found.block = (struct fg_str){joined, found.block.len + piece.len};
            fg_warc_content_add(&found.content, piece);
        }
        fg_warc_content_end(&found.content);
        assert_true(fg_warc_end(warc, &copy, &err));
        found.record = copy;
        struct fg_warc_verdict verdict = fg_warc_judge(&copy, &found.content);
        assert_true(copy.is_member && verdict.has_block);
        assert_false(verdict.block_is_wrong || verdict.payload_is_wrong);
        fg_vec_push_in(&arena, all, found);
    }
    assert_int_equal(err.status, FG_OK);
    fg_warc_close(warc);
}

static records read_all(const struct bench *bench)
{
    records all = {0};
    paths found = files(bench, ".warc.gz");
    for (size_t i = 0; i < found.len; i++)
        read_file(&all, found.at[i]);
    return all;
}

static const struct found *find(const records *all, const char *type, const char *url)
{
    for (size_t i = 0; i < all->len; i++)
        if (fg_warc_is(&all->at[i].record, type) &&
            fg_str_eq(all->at[i].record.uri, fg_str_from(url)))
            return &all->at[i];
    return NULL;
}

static struct fg_str body_of(const struct found *found)
{
    return fg_str_skip(found->block, found->content.head.len);
}

/* --- the tests --- */

static void content_is_kept_as_coded_and_without_chunks(void **state)
{
    (void)state;
    struct bench bench;
    start(&bench);
    open_archive(&bench, 0, 10);
    const char *chunks = fetch(&bench, "/chunks", 0),
               *zipped = fetch(&bench, "/packed", 0),
               *both = fetch(&bench, "/packed-chunks", 0);
    assert_int_equal(bench.outcome, FG_FETCHED);
    close_archive(&bench);
    records all = read_all(&bench);
    assert_int_equal(all.len, 1 + 3 * 3);
    const struct found *found = find(&all, "response", chunks);
    assert_str(body_of(found), "abcde");
    assert_str(found->content.head,
               "HTTP/1.1 200 Fine\r\nX-Archive-Orig-Transfer-Encoding: "
               "chunked\r\n\r\n");
    found = find(&all, "response", zipped);
    assert_true(fg_str_eq(body_of(found), packed()));
    assert_str(found->content.encoding, "gzip");
    /* Sent in another way, it is the same payload. */
    assert_null(find(&all, "response", both));
    found = find(&all, "revisit", both);
    assert_str(found->record.refers_to_uri, zipped);
    assert_str(found->record.refers_to_date, "1970-01-12T13:47:00Z");
    assert_str(found->content.encoding, "gzip");
    stop(&bench);
}

static void requests_and_metadata_go_with_their_answer(void **state)
{
    (void)state;
    struct bench bench;
    start(&bench);
    open_archive(&bench, 0, 10);
    const char *gone = fetch(&bench, "/gone", 0);
    close_archive(&bench);
    records all = read_all(&bench);
    const struct found *response = find(&all, "response", gone),
                       *request = find(&all, "request", gone),
                       *metadata = find(&all, "metadata", gone);
    assert_int_equal(response->content.status, 404);
    assert_true(fg_str_starts(request->block, FG_STR("GET /gone HTTP/1.1\r\nHost: ")));
    assert_true(fg_str_ends(request->block, FG_STR("\r\n\r\n")));
    assert_true(fg_str_find(request->block, FG_STR("\r\nUser-Agent: test\r\n")) !=
                FG_NOT_FOUND);
    assert_true(
        fg_str_starts(metadata->block, FG_STR("via: http://a.example/\r\n"
                                              "hopsFromSeed: LLR\r\nfetchTimeMs: ")));
    struct fg_str id = fg_warc_header(&response->record, "WARC-Record-ID");
    assert_true(id.len &&
                fg_str_eq(fg_warc_header(&request->record, "WARC-Concurrent-To"), id));
    assert_true(fg_str_eq(fg_warc_header(&metadata->record, "WARC-Concurrent-To"), id));
    assert_str(fg_warc_header(&response->record, "WARC-IP-Address"), "127.0.0.1");
    stop(&bench);
}

static void what_was_cut_says_why(void **state)
{
    (void)state;
    struct bench bench;
    start(&bench);
    open_archive(&bench, 0, 10);
    const char *length = fetch(&bench, "/long", 4), *slow = fetch(&bench, "/slow", 0),
               *half = fetch(&bench, "/half", 0), *silent = fetch(&bench, "/silent", 0);
    close_archive(&bench);
    records all = read_all(&bench);
    struct {
        const char *url, *why, *body;
    } cases[] = {
        {length, "length", "0123"}, {slow, "time", "half"}, {half, "disconnect", "half"}};
    for (size_t i = 0; i < 3; i++) {
        const struct found *found = find(&all, "response", cases[i].url);
        assert_str(found->record.truncated, cases[i].why);
        assert_str(body_of(found), cases[i].body);
    }
    assert_null(find(&all, "response", silent));
    assert_non_null(find(&all, "request", silent));
    assert_true(fg_str_find(find(&all, "metadata", silent)->block,
                            FG_STR("outcome: broken\r\n")) != FG_NOT_FOUND);
    stop(&bench);
}

/* Over a restart, too: the index of the first run is what the second remembers by. */
static void a_payload_is_stored_once(void **state)
{
    (void)state;
    struct bench bench;
    start(&bench);
    open_archive(&bench, 0, 10);
    const char *first = fetch(&bench, "/same1", 0);
    close_archive(&bench);
    open_archive(&bench, 0, 10);
    const char *second = fetch(&bench, "/same2", 0);
    fetch(&bench, "/gone", 0);
    fetch(&bench, "/gone", 0);
    close_archive(&bench);
    records all = read_all(&bench);
    const struct found *original = find(&all, "response", first),
                       *revisit = find(&all, "revisit", second);
    assert_null(find(&all, "response", second));
    assert_str(revisit->record.profile, FG_WARC_SAME_PAYLOAD);
    assert_str(revisit->record.refers_to_uri, first);
    assert_true(fg_str_eq(revisit->record.refers_to_date, original->record.date_text));
    assert_true(
        fg_str_eq(revisit->record.payload_digest, original->record.payload_digest));
    assert_int_equal(body_of(revisit).len, 0);
    assert_int_equal(revisit->content.status, 200);
    assert_null(find(&all, "revisit", server_url(bench.server, "/gone")));
    stop(&bench);
}

static void an_unchanged_answer_is_a_revisit_of_what_the_address_had(void **state)
{
    (void)state;
    struct bench bench;
    start(&bench);
    open_archive(&bench, 0, 10);
    const char *unknown = fetch(&bench, "/unmodified", 0);
    close_archive(&bench);
    records all = read_all(&bench);
    const struct found *revisit = find(&all, "revisit", unknown);
    assert_str(revisit->record.profile, FG_WARC_NOT_MODIFIED);
    assert_null(revisit->record.refers_to_uri.at);
    assert_null(revisit->record.payload_digest.at);
    stop(&bench);

    struct fg_revisits revisits;
    struct fg_sha1 sum = {{1}}, other = {{2}};
    fg_revisits_init(&revisits, 2);
    fg_revisits_add(&revisits, FG_STR("a"), &sum, 5);
    fg_revisits_link(&revisits, FG_STR("b"), fg_revisits_by_payload(&revisits, &sum));
    assert_string_equal(fg_revisits_by_url(&revisits, FG_STR("b"))->url, "a");
    fg_revisits_add(&revisits, FG_STR("a"), &other, 6);
    assert_int_equal(fg_revisits_by_url(&revisits, FG_STR("a"))->date, 6);
    fg_revisits_add(&revisits, FG_STR("c"), &(struct fg_sha1){{3}}, 7);
    assert_null(fg_revisits_by_payload(&revisits, &sum)); /* two are remembered */
    assert_null(fg_revisits_by_url(&revisits, FG_STR("b")));
    assert_non_null(fg_revisits_by_payload(&revisits, &other));
    fg_revisits_clear(&revisits);
}

static void files_are_rotated_and_indexed(void **state)
{
    (void)state;
    struct bench bench;
    start(&bench);
    open_archive(&bench, 1000, 0);
    for (int i = 0; i < 5; i++)
        fetch(&bench, "/same1", 0);
    assert_int_equal(files(&bench, ".open").len, 1);
    close_archive(&bench);
    paths warcs = files(&bench, ".warc.gz"), indexes = files(&bench, ".cdxj");
    assert_int_equal(files(&bench, ".open").len, 0);
    assert_int_equal(warcs.len, 5);
    assert_int_equal(indexes.len, 5);
    for (size_t i = 0; i < warcs.len; i++) {
        struct fg_warc_index index = {.arena = &arena};
        struct fg_buf made;
        char there[4096];
        fg_buf_init(&made, SIZE_MAX);
        assert_int_equal(fg_warc_index_file(&index, warcs.at[i], NULL), FG_OK);
        fg_warc_index_text(&index, &made);
        FILE *f = fopen(indexes.at[i], "r");
        size_t n = fread(there, 1, sizeof there, f);
        fclose(f);
        assert_int_equal(n, made.len);
        assert_memory_equal(there, made.at, n);
        assert_int_equal(index.records, 4);
        fg_buf_clear(&made);
    }
    stop(&bench);
}

/* --- kills, and disks that are full --- */

static enum fg_status put_by_hand(struct bench *bench, const char *url, const char *body)
{
    struct fg_wire_copy wire = {.request = FG_STR("GET / HTTP/2\r\nhost: a\r\n\r\n"),
                                .status = FG_STR("HTTP/2 200 "),
                                .content = fg_str_from(body)};
    struct fg_request_note note = {.started = bench->now += FG_SECOND};
    return fg_archive_put(
        bench->archive,
        &(struct fg_response){.outcome = FG_FETCHED,
                              .why = "",
                              .status = 200,
                              .url = fg_str_from(url),
                              .headers = FG_STR("content-type: a/b\r\n"),
                              .body = wire.content,
                              .ip = "127.0.0.1",
                              .http_version = 20,
                              .has_head = true,
                              .wire = &wire,
                              .note = &note},
        NULL, &bench->err);
}

static void add_bytes(const char *path, const char *bytes, size_t n)
{
    FILE *f = fopen(path, "ab");
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    fclose(f);
}

/* A process that is gone before it can close anything. */
static void be_killed(struct bench *bench, const char *url, const char *body)
{
    pid_t pid = fork();
    if (!pid) {
        open_archive(bench, 0, 10);
        put_by_hand(bench, url, body);
        _exit(0);
    }
    int status;
    waitpid(pid, &status, 0);
    assert_int_equal(status, 0);
    bench->now += FG_MINUTE;
}

static void an_open_file_is_cut_back_and_gone_on_with(void **state)
{
    (void)state;
    struct bench bench;
    start(&bench);
    be_killed(&bench, "http://a.example/1", "one");
    assert_int_equal(files(&bench, ".warc.gz").len, 0);
    add_bytes(files(&bench, ".open").at[0], "\x1F\x8B\x08 half a record", 18);
    be_killed(&bench, "http://a.example/2", "two");
    open_archive(&bench, 0, 10);
    assert_int_equal(put_by_hand(&bench, "http://a.example/3", "one"), FG_OK);
    close_archive(&bench);
    assert_int_equal(files(&bench, ".open").len, 0);
    assert_int_equal(files(&bench, ".warc.gz").len, 1);
    records all = read_all(&bench);
    assert_int_equal(all.len, 1 + 3 * 3);
    assert_str(body_of(find(&all, "response", "http://a.example/2")), "two");
    assert_str(find(&all, "revisit", "http://a.example/3")->record.refers_to_uri,
               "http://a.example/1");
    /* HTTP/2 in lines. */
    const struct found *one = find(&all, "response", "http://a.example/1");
    assert_str(one->content.head, "HTTP/1.1 200 \r\ncontent-type: a/b\r\n\r\n");
    assert_str(find(&all, "request", "http://a.example/1")->block,
               "GET / HTTP/1.1\r\nhost: a\r\n\r\n");
    stop(&bench);
}

static void a_file_without_a_whole_record_goes(void **state)
{
    (void)state;
    struct bench bench;
    start(&bench);
    const char *path = fg_arena_printf(&arena, "%s/x.warc.gz.open", bench.dir).at;
    add_bytes(path, "\x1F\x8B\x08 half a record", 18);
    open_archive(&bench, 0, 10);
    close_archive(&bench);
    assert_int_equal(files(&bench, "").len, 2); /* . and .. */
    stop(&bench);
}

static void a_file_that_another_process_writes_is_left_alone(void **state)
{
    (void)state;
    struct bench bench, other;
    start(&bench);
    other = bench;
    open_archive(&other, 0, 10);
    assert_int_equal(put_by_hand(&other, "http://a.example/1", "one"), FG_OK);
    open_archive(&bench, 0, 10);
    assert_int_equal(put_by_hand(&bench, "http://a.example/2", "two"), FG_OK);
    assert_int_equal(files(&bench, ".open").len, 2);
    close_archive(&bench);
    assert_int_equal(put_by_hand(&other, "http://a.example/3", "three"), FG_OK);
    close_archive(&other);
    assert_int_equal(read_all(&bench).len, 2 + 3 * 3);
    stop(&bench);
}

/* A limit on the size of files is the nearest thing to a full disk that needs no root. */
static void what_does_not_fit_leaves_nothing(void **state)
{
    (void)state;
    struct bench bench;
    start(&bench);
    signal(SIGXFSZ, SIG_IGN);
    open_archive(&bench, 0, 10);
    assert_int_equal(put_by_hand(&bench, "http://a.example/1", "one"), FG_OK);
    struct rlimit before, small;
    getrlimit(RLIMIT_FSIZE, &before);
    small = before;
    small.rlim_cur = 2000;
    setrlimit(RLIMIT_FSIZE, &small);
    enum fg_status st = FG_OK;
    for (int i = 0; i < 10 && !st; i++)
        st = put_by_hand(&bench, "http://a.example/2", page);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_not_equal(st, FG_OK);
    assert_non_null(strstr(bench.err.text, "cannot write to the archive"));
    assert_int_equal(put_by_hand(&bench, "http://a.example/3", "three"), FG_OK);
    close_archive(&bench);
    records all = read_all(&bench); /* every record is whole */
    assert_non_null(find(&all, "response", "http://a.example/3"));
    stop(&bench);
}

FG_TESTS(content_is_kept_as_coded_and_without_chunks,
         requests_and_metadata_go_with_their_answer, what_was_cut_says_why,
         a_payload_is_stored_once,
         an_unchanged_answer_is_a_revisit_of_what_the_address_had,
         files_are_rotated_and_indexed, an_open_file_is_cut_back_and_gone_on_with,
         a_file_without_a_whole_record_goes,
         a_file_that_another_process_writes_is_left_alone,
         what_does_not_fit_leaves_nothing)
