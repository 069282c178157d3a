#include "conformance/suite.h"

#include "base/buf.h"
#include "base/err.h"
#include "base/vec.h"

#include <dirent.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { SHOW = 20, MOST_BYTES = 1 << 30 };

struct suite_exception {
    const char *glob, *reason;
    size_t used;
};

static void load_exceptions(struct suite *suite)
{
    char path[256], line[2048];
    snprintf(path, sizeof path, "tests/conformance/exceptions/%s.txt", suite->name);
    FILE *f = fopen(path, "r");
    if (!f)
        return;
    FG_VEC(struct suite_exception) list = {0};
    while (fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        char *tab = strchr(line, '\t');
        if (line[0] == '#' || line[0] == '\0')
            continue;
        if (!tab) {
            fprintf(stderr, "%s: an exception needs a tab and a reason: %s\n", path,
                    line);
            exit(1);
        }
        *tab = '\0';
        struct suite_exception e = {
            .glob = fg_arena_cstr(&suite->arena, fg_str_from(line)),
            .reason = fg_arena_cstr(&suite->arena, fg_str_from(tab + 1))};
        fg_vec_push_in(&suite->arena, &list, e);
    }
    fclose(f);
    suite->exceptions = list.at;
    suite->n_exceptions = list.len;
}

static struct suite_exception *exception_for(struct suite *suite, const char *id)
{
    for (size_t i = 0; i < suite->n_exceptions; i++)
        if (fnmatch(suite->exceptions[i].glob, id, 0) == 0)
            return &suite->exceptions[i];
    return NULL;
}

static void close_part(struct suite *suite)
{
    if (!suite->part)
        return;
    printf("suite %s%s/%s %zu/%zu", suite->is_ours ? "own/" : "", suite->name,
           suite->part, suite->passed, suite->total);
    if (suite->excepted)
        printf(" (%zu excepted)", suite->excepted);
    printf("\n");
    suite->part = NULL;
    suite->passed = suite->total = suite->excepted = 0;
}

void suite_part(struct suite *suite, const char *part)
{
    close_part(suite);
    suite->part = fg_arena_cstr(&suite->arena, fg_str_from(part));
}

void suite_case(struct suite *suite, bool passed, const char *format, ...)
{
    suite->total++;
    suite->shown = false;
    if (passed) {
        suite->passed++;
        return;
    }
    char words[2048], id[2304];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    snprintf(id, sizeof id, "%s/%s", suite->part, words);
    struct suite_exception *exception = exception_for(suite, id);
    if (exception) {
        exception->used++;
        suite->excepted++;
        return;
    }
    suite->failed++;
    if (suite->failed <= SHOW)
        printf("failed: %s\n", id);
    suite->shown = suite->failed <= SHOW;
}

void suite_detail(struct suite *suite, const char *format, ...)
{
    if (!suite->shown)
        return;
    va_list args;
    va_start(args, format);
    printf("    ");
    vprintf(format, args);
    printf("\n");
    va_end(args);
}

static const char *path_of(struct suite *suite, const char *file)
{
    return fg_arena_printf(&suite->arena, "%s/%s", suite->folder, file).at;
}

bool suite_has(struct suite *suite, const char *file)
{
    return access(path_of(suite, file), R_OK) == 0;
}

/* Only .jsonl.gz is unpacked: the bytes of any other file are the test themselves. */
bool suite_read(struct suite *suite, const char *file, struct fg_str *text)
{
    size_t n = strlen(file);
    bool gunzip = n > 9 && strcmp(file + n - 9, ".jsonl.gz") == 0;
    FILE *f = gunzip ? NULL : fopen(path_of(suite, file), "rb");
    gzFile z = gunzip ? gzopen(path_of(suite, file), "rb") : NULL;
    if (!f && !z)
        return false;
    struct fg_buf buf;
    fg_buf_init(&buf, MOST_BYTES);
    char chunk[1 << 16];
    for (;;) {
        int got =
            z ? gzread(z, chunk, sizeof chunk) : (int)fread(chunk, 1, sizeof chunk, f);
        if (got <= 0)
            break;
        fg_buf_add(&buf, (struct fg_str){chunk, (size_t)got});
    }
    if (z)
        gzclose(z);
    if (f)
        fclose(f);
    *text = fg_arena_dup(&suite->arena, fg_buf_str(&buf));
    fg_buf_clear(&buf);
    return true;
}

static json_t *parse_json(struct suite *suite, const char *file, struct fg_str text)
{
    json_error_t error;
    json_t *json =
        json_loadb(text.at, text.len, JSON_ALLOW_NUL | JSON_DECODE_ANY, &error);
    if (!json) {
        fprintf(stderr, "%s/%s:%d: %s\n", suite->folder, file, error.line, error.text);
        exit(1);
    }
    return json;
}

json_t *suite_json(struct suite *suite, const char *file)
{
    struct fg_str text;
    return suite_read(suite, file, &text) ? parse_json(suite, file, text) : NULL;
}

json_t *suite_json_lines(struct suite *suite, const char *file)
{
    struct fg_str text, line;
    if (!suite_read(suite, file, &text))
        return NULL;
    json_t *array = json_array();
    while (fg_str_cut(&text, '\n', &line))
        if (line.len)
            json_array_append_new(array, parse_json(suite, file, line));
    return array;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

size_t suite_list(struct suite *suite, const char *subfolder, const char *ext,
                  const char ***names)
{
    FG_VEC(const char *) list = {0};
    DIR *dir = opendir(path_of(suite, subfolder));
    for (struct dirent *e; dir && (e = readdir(dir));) {
        struct fg_str name = fg_str_from(e->d_name);
        if (e->d_name[0] != '.' && fg_str_ends(name, fg_str_from(ext)))
            fg_vec_push_in(&suite->arena, &list, fg_arena_cstr(&suite->arena, name));
    }
    if (dir)
        closedir(dir);
    if (list.len)
        qsort(list.at, list.len, sizeof *list.at, by_name);
    *names = list.at;
    return list.len;
}

struct fg_str suite_str(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_string(value)
               ? (struct fg_str){json_string_value(value), json_string_length(value)}
               : (struct fg_str){0};
}

static size_t run_folder(const char *name, const char *root, bool is_ours,
                         void (*run)(struct suite *))
{
    struct suite suite = {.name = name, .is_ours = is_ours};
    snprintf(suite.folder, sizeof suite.folder, "%s/%s", root, name);
    if (access(suite.folder, R_OK) != 0) {
        printf("%s: no such folder, not run\n", suite.folder);
        return 0;
    }
    printf("%s:\n", suite.folder);
    load_exceptions(&suite);
    run(&suite);
    close_part(&suite);
    for (size_t i = 0; i < suite.n_exceptions; i++)
        if (suite.exceptions[i].used)
            printf("    excepted %zu: %s\n", suite.exceptions[i].used,
                   suite.exceptions[i].reason);
    if (suite.failed > SHOW)
        printf("... and %zu more failures\n", suite.failed - SHOW);
    size_t failed = suite.failed;
    fg_arena_clear(&suite.arena);
    return failed;
}

int suite_main(const char *name, void (*run)(struct suite *suite))
{
    const char *shared = getenv("FORAGE_CONFORMANCE");
    json_object_seed(1);
    if (!shared || !*shared) {
        shared = "../shared/conformance";
    } else if (access(shared, R_OK) != 0) { /* asked for by name: not to be skipped */
        fprintf(stderr, "FORAGE_CONFORMANCE: cannot read the folder '%s'\n", shared);
        return 1;
    }
    size_t failed = run_folder(name, "tests/data/conformance", true, run);
    failed += run_folder(name, shared, false, run);
    return failed > 0;
}
