/* The journal of the lab after somebody wrote into it. Its lines get the key and the
 * checksum of an experiment, unless they begin with '!': they are passed over, or their
 * values are read, and a digest that was read is written as it stands. */
#include "lab/journal.h"
#include "lab/refresh/digest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { KEY = 7, MOST = 1 << 24 };

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void take(void *context, struct fg_str what, size_t number, struct fg_str values)
{
    struct fg_digest digest;
    struct fg_buf once, twice;
    uint64_t words[3], value;
    struct fg_str rest = values;
    *(size_t *)context += fg_str_eq(what, FG_STR("run"));
    (void)number;
    fg_journal_take(&rest, words, sizeof words);
    fg_journal_u64(&rest, &value);
    if (!fg_digest_read(&digest, values)) {
        fg_digest_clear(&digest);
        return;
    }
    fg_buf_init(&once, MOST);
    fg_buf_init(&twice, MOST);
    fg_digest_write(&digest, &once);
    fg_digest_clear(&digest);
    require(fg_digest_read(&digest, fg_str_skip(fg_buf_str(&once), 1)));
    for (size_t i = 0; i < digest.n_arms; i++)
        require(memchr(digest.arm_names[i], 0, sizeof digest.arm_names[i]));
    fg_digest_clear(&digest);
    fg_buf_clear(&once);
    fg_buf_clear(&twice);
}

static void put_line(FILE *f, struct fg_str line)
{
    struct fg_buf body;
    if (line.len && *line.at == '!') {
        fprintf(f, "%.*s\n", FG_ARG(fg_str_skip(line, 1)));
        return;
    }
    fg_buf_init(&body, MOST);
    fg_buf_printf(&body, "%016x ", KEY);
    fg_buf_add(&body, line);
    fprintf(f, "%016llx ", (unsigned long long)fg_str_hash(fg_buf_str(&body)));
    fwrite(body.at, 1, body.len, f);
    fputc('\n', f);
    fg_buf_clear(&body);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char from[] = "/tmp/fuzz-journal-XXXXXX";
    struct fg_str rest = {(const char *)data, size}, line;
    uint64_t key = 0;
    size_t runs = 0, merged = 0;
    int fd = mkstemp(from);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w+"), *into = tmpfile();
    if (!f || !into)
        abort();
    while (fg_str_cut(&rest, '\n', &line))
        put_line(f, line);
    fflush(f);
    fg_journal_read(from, KEY, &(struct fg_journal_taker){&runs, take}, NULL);
    fg_journal_merge(fileno(into), from, &key, &merged, NULL);
    fclose(f);
    fclose(into);
    unlink(from);
    return 0;
}
