/* suite.h - reading public test suites as data, and counting
 *
 *     static void run(struct suite *suite)
 *     {
 *         json_t *cases = suite_json(suite, "toascii.json");
 *         suite_part(suite, "toascii");
 *         for (...)
 *             suite_case(suite, passed, "%zu %s", i, input);
 *         json_decref(cases);
 *     }
 *     int main(void) { return suite_main("url", run); }
 *
 * A suite is run over two folders of the same layout: tests/data/conformance, which is
 * ours and always there, and the one named by FORAGE_CONFORMANCE (or
 * ../shared/conformance). Where the latter is absent a line says so, and the rest still
 * counts.
 *
 * tests/conformance/exceptions/NAME.txt lists what need not pass: a glob over the case's
 * id, a tab, and the reason. Failures that stand there are counted apart; any other makes
 * the program fail. Prefer globs that name a kind of case over lists of single ones: part
 * of each suite is kept back and has other ids. */
#ifndef FG_TESTS_CONFORMANCE_SUITE_H
#define FG_TESTS_CONFORMANCE_SUITE_H

#include "base/arena.h"
#include "base/str.h"

#include <jansson.h>
#include <stdbool.h>

struct suite {
    const char *name;
    char folder[1024];
    bool is_ours;         /* the folder is tests/data/conformance */
    const char *part;     /* of the line that is being counted: "url/urltestdata" */
    size_t passed, total; /* of that part */
    size_t excepted, failed, shown;
    struct suite_exception *exceptions;
    size_t n_exceptions;
    struct fg_arena arena;
};

/* Calls `run` once for each folder there is and prints `suite name/part passed/total` for
 * each part. Returns what main returns. */
int suite_main(const char *name, void (*run)(struct suite *suite));

/* Start counting a part of the suite, such as one of its files. */
void suite_part(struct suite *suite, const char *part);

/* One case of the current part. The id starts with the part's name by itself; the words
 * given here follow behind a slash. On failure, the first few are shown. */
void suite_case(struct suite *suite, bool passed, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* More about a case that just failed; printed only while failures are shown. */
void suite_detail(struct suite *suite, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Files of the folder; *.jsonl.gz are unpacked, all others read as they are. They live
 * until the suite ends; NULL or false when the file is not there. Broken JSON ends the
 * program. */
bool suite_has(struct suite *suite, const char *file);
bool suite_read(struct suite *suite, const char *file, struct fg_str *text);
json_t *suite_json(struct suite *suite, const char *file);       /* caller decrefs */
json_t *suite_json_lines(struct suite *suite, const char *file); /* an array of them */

/* The names in a subfolder ("" for the folder itself) that end in `ext`, sorted. */
size_t suite_list(struct suite *suite, const char *subfolder, const char *ext,
                  const char ***names);

/* A string member of an object as a view (bytes of UTF-8, NULs kept); at is NULL if it is
 * absent or null. */
struct fg_str suite_str(const json_t *object, const char *key);

#endif
