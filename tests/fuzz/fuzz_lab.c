/* Files of the lab. The first byte says of what: a recording, a history of changes, a log
 * to be taken in, an experiment. The files of a folder stand one after the other with a
 * NUL between. What is read is whole, or a message says why not. */
#include "base/arena.h"
#include "lab/experiment.h"
#include "lab/import.h"
#include "lab/recording.h"
#include "lab/refresh/history.h"
#include "lab/site.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char folder[] = "/tmp/fuzz-lab-XXXXXX";

static void remove_folder(void)
{
    static const char *const names[] = {"sources.tsv",  "intervals.tsv", "snapshots.tsv",
                                        "relevant.tsv", "pages.tsv",     "changes.tsv",
                                        "rows.tsv"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[64];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
}

static void put(const char *name, struct fg_str *rest)
{
    char path[64];
    struct fg_str text;
    if (!fg_str_cut(rest, '\0', &text))
        return;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(text.at, 1, text.len, file) != text.len || fclose(file))
        abort();
}

static void must_say(enum fg_status st, const struct fg_err *err)
{
    if (st && !err->text[0])
        abort();
}

static void read_recording(struct fg_str rest)
{
    struct fg_recording *recording;
    struct fg_err err = {0};
    put("sources.tsv", &rest);
    put("intervals.tsv", &rest);
    put("snapshots.tsv", &rest);
    put("relevant.tsv", &rest);
    enum fg_status st = fg_recording_load(&recording, folder, &err);
    must_say(st, &err);
    if (st)
        return;
    for (size_t i = 0; i < fg_recording_sources(recording); i++) {
        int64_t *times;
        fg_recording_changes(recording, i, &times);
        free(times);
    }
    fg_recording_free(recording);
}

static void read_history(struct fg_str rest)
{
    struct fg_timeline *timeline;
    struct fg_err err = {0};
    put("pages.tsv", &rest);
    put("changes.tsv", &rest);
    struct fg_history_options options = {.step = FG_DAY};
    enum fg_status st = fg_history_load(&timeline, folder, &options, &err);
    must_say(st, &err);
    if (!st)
        fg_timeline_free(timeline);
}

static void take_in(struct fg_str rest)
{
    char path[64];
    struct fg_err err = {0};
    put("rows.tsv", &rest);
    snprintf(path, sizeof path, "%s/rows.tsv", folder);
    struct fg_linklog *log = fg_linklog_new();
    must_say(fg_import(log, path, NULL, &err), &err);
    fg_linklog_free(log);
}

static void read_experiment(struct fg_str text)
{
    struct fg_arena arena = {0};
    struct fg_experiment experiment;
    struct fg_err err = {0};
    must_say(fg_experiment_read(&experiment, &arena, text, "f", &err), &err);
    fg_arena_clear(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool has_folder;
    if (!size)
        return 0;
    if (!has_folder && (!mkdtemp(folder) || atexit(remove_folder)))
        abort();
    has_folder = true;
    struct fg_str rest = {(const char *)data + 1, size - 1};
    remove_folder();
    if (mkdir(folder, 0700))
        abort();
    void (*const readers[])(struct fg_str) = {read_recording, read_history, take_in,
                                              read_experiment};
    readers[data[0] % 4](rest);
    return 0;
}
