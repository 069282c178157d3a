/* Recordings are read as their rows say, or refused with the line that is wrong. */
#include "lab/recording.h"
#include "test.h"

#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { HOUR = 3600 };

/* Monday 2024-01-01 00:00 UTC, in whole hours */
#define START (INT64_C(1704067200))

static char folder[256];

static int make_folder(void)
{
    static char pattern[] = "/tmp/forage-recording-XXXXXX";
    strcpy(folder, pattern);
    assert_non_null(mkdtemp(folder));
    return 0;
}

static void remove_folder(void)
{
    static const char *const names[] = {"sources.tsv", "intervals.tsv", "snapshots.tsv"};
    char path[300];
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
        snprintf(path, sizeof path, "%s/%s.gz", folder, names[i]);
        unlink(path);
    }
    assert_int_equal(rmdir(folder), 0);
}

static void put(const char *name, const char *text)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    fclose(f);
}

static void put_zipped(const char *name, const char *text)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s.gz", folder, name);
    gzFile f = gzopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(gzwrite(f, text, (unsigned)strlen(text)), strlen(text));
    gzclose(f);
}

/* Rows whose times are hours (and perhaps minutes) after START: "@3", "@3.5". */
static const char *timed(const char *rows)
{
    static char out[4][4096];
    static size_t turn;
    char *to = out[turn = (turn + 1) % 4];
    size_t n = 0;
    for (const char *at = rows; *at;) {
        if (*at == '@') {
            char *end;
            double hours = strtod(at + 1, &end);
            n += (size_t)snprintf(to + n, 4096 - n, "%lld",
                                  (long long)(START + (int64_t)(hours * HOUR)));
            at = end;
        } else {
            to[n++] = *at++;
        }
    }
    to[n] = 0;
    return to;
}

static struct fg_recording *load(void)
{
    struct fg_recording *recording;
    struct fg_err err = {0};
    if (fg_recording_load(&recording, folder, &err))
        fail_msg("%s", err.text);
    return recording;
}

/* Is the target on the source at the step? Walks the events up to there. */
static bool shows(const struct fg_site *site, size_t source, size_t target, size_t step)
{
    bool is_there = false;
    for (size_t i = 0; i < site->event_at[step + 1]; i++) {
        uint32_t pair = site->event[i] >> 1;
        if (site->pair_source[pair] == source && site->pair_target[pair] == target)
            is_there = site->event[i] & 1;
    }
    return is_there;
}

static bool misses(const struct fg_site *site, size_t source, size_t step)
{
    return site->is_missing && site->is_missing[step * site->facts.sources + source];
}

static const char three_sources[] = "0\tx.example.com/a\n1\twww.example.com/b\n"
                                    "2\texample.com/c\n";

/* --- what is read --- */

/* Source 0 shows target 70 from the snapshot of 1:00 to that of 3:30 and no more at 4:00:
 * a visit sees it at 1, 2, 3. Source 1 shows target 5 at 1:30 only, the next snapshot is
 * 2:00, when it is gone: no whole hour shows it. Source 2 shows it at 2:10 .. 3:30; the
 * visits at 3 sees it, that at 4 does not. Target numbers are given in order of rows. */
static const char intervals[] = "# source target first last\n"
                                "\n"
                                "0\t70\t@1\t@3.5\n"
                                "1\t5\t@1.5\t@1.5\n"
                                "2\t5\t@2.25\t@3.5\n";
static const char snapshots[] = "@1\t*\n@0\t*\n@2\t*\n@1.5\t1\n@2.25\t0,2\n"
                                "# a comment\n@3.5\t0,1,2\n@4\t*\n@5\t*\n";

static void check_example(void)
{
    struct fg_recording *recording = load();
    assert_int_equal(fg_recording_sites(recording), 1);
    assert_string_equal(fg_recording_site_name(recording, 0), "example.com");
    assert_true(fg_recording_is_whole(recording, 0));
    struct fg_site *site = fg_recording_site(recording, 0);
    assert_string_equal(site->facts.name, "example.com");
    assert_int_equal(site->facts.sources, 3);
    assert_int_equal(site->facts.steps, 6); /* 0:00 to 5:00 */
    assert_true(site->facts.start == START * FG_SECOND);
    assert_true(site->facts.step == FG_HOUR);
    assert_int_equal(site->targets, 2);
    assert_int_equal(site->pairs, 2);
    for (size_t t = 0; t < 6; t++) {
        assert_int_equal(shows(site, 0, 0, t), t >= 1 && t <= 3);
        assert_int_equal(shows(site, 2, 1, t), t == 3);
        for (size_t u = 0; u < 3; u++)
            assert_false(misses(site, u, t));
    }
    assert_int_equal(site->appeared[0], 1);
    assert_int_equal(site->appeared[1], 3);
    fg_site_free(site);
    fg_recording_free(recording);
}

static void recording_reads_plain_files(void **state)
{
    (void)state;
    make_folder();
    put("sources.tsv", three_sources);
    put("intervals.tsv", timed(intervals));
    put("snapshots.tsv", timed(snapshots));
    check_example();
    remove_folder();
}

static void recording_reads_zipped_files(void **state)
{
    (void)state;
    make_folder();
    put_zipped("sources.tsv", three_sources);
    put_zipped("intervals.tsv", timed(intervals));
    put_zipped("snapshots.tsv", timed(snapshots));
    check_example();
    remove_folder();
}

/* Without snapshots.tsv every time an interval names is a snapshot of all sources: here
 * 1:00, 3:00 and 6:30. So source 0, whose target 1 was last seen at 3:00, shows it until
 * 6:00 and not at 7:00, which is past the end. */
static void recording_without_snapshots_takes_the_times_it_has(void **state)
{
    (void)state;
    make_folder();
    put("sources.tsv", three_sources);
    put("intervals.tsv", timed("0\t1\t@1\t@3\n1\t2\t@3\t@6.5\n"));
    struct fg_recording *recording = load();
    struct fg_site *site = fg_recording_site(recording, 0);
    assert_true(site->facts.start == (START + HOUR) * FG_SECOND);
    assert_int_equal(site->facts.steps, 6); /* 1:00 to 6:00 */
    for (size_t t = 0; t < 6; t++) {
        assert_int_equal(shows(site, 0, 0, t), true);
        assert_int_equal(shows(site, 1, 1, t), t >= 2);
        assert_int_equal(misses(site, 2, t), false);
    }
    fg_site_free(site);
    fg_recording_free(recording);
    remove_folder();
}

/* Snapshots of source 0 at 0:00 and 5:00: at 3:00 the last is three hours old and still
 * good, at 4:00 it is not. Target 1 stays on throughout; target 2, first seen at 0:00 and
 * gone at 5:00, is never seen again. */
static void recording_misses_visits_over_three_hours_late(void **state)
{
    (void)state;
    make_folder();
    put("sources.tsv", three_sources);
    put("intervals.tsv", timed("0\t1\t@0\t@6\n0\t2\t@0\t@0\n1\t3\t@0\t@6\n"));
    put("snapshots.tsv",
        timed("@0\t*\n@1\t1,2\n@2\t1,2\n@3\t1,2\n@4\t1,2\n@5\t*\n@6\t*\n"));
    struct fg_recording *recording = load();
    struct fg_site *site = fg_recording_site(recording, 0);
    assert_int_equal(site->facts.steps, 7);
    for (size_t t = 0; t < 7; t++) {
        assert_int_equal(misses(site, 0, t), t == 4);
        assert_false(misses(site, 1, t));
        assert_true(shows(site, 0, 0, t));
        assert_int_equal(shows(site, 0, 1, t), t < 5);
    }
    fg_site_free(site);
    fg_recording_free(recording);
    remove_folder();
}

/* A link first seen at 0:30 in a snapshot that is too old by 4:00 and followed by one at
 * 6:00 without it appears at 1:00; one first seen at 0:00 sharp appears at once. A link
 * is not said to appear at an hour at which no visit could have seen it: the snapshot of
 * 10:30 is the first after 6:00, so what it shows appears at 11:00. */
static void recording_lets_links_appear_when_they_can_be_seen(void **state)
{
    (void)state;
    make_folder();
    put("sources.tsv", three_sources);
    put("intervals.tsv", timed("0\t1\t@0.5\t@0.5\n0\t2\t@10.5\t@12\n1\t3\t@0\t@12\n"));
    put("snapshots.tsv", timed("@0\t*\n@0.5\t0\n@6\t*\n@10.5\t*\n@12\t*\n"));
    struct fg_recording *recording = load();
    struct fg_site *site = fg_recording_site(recording, 0);
    assert_int_equal(site->facts.steps, 13);
    assert_int_equal(site->appeared[0], 1);
    assert_int_equal(site->appeared[1], 11);
    assert_int_equal(site->appeared[2], 0);
    assert_true(misses(site, 0, 4));
    assert_false(misses(site, 0, 3));
    assert_true(misses(site, 0, 10));
    fg_site_free(site);
    fg_recording_free(recording);
    remove_folder();
}

/* Ten sources, first seen at 0:10, 1:10, ... 9:10: the ninth of them at 8:10, so the grid
 * starts at 9:00, and the tenth misses its first visits. */
static void recording_starts_when_nine_tenths_are_there(void **state)
{
    (void)state;
    char sources[512] = "", times[512] = "";
    make_folder();
    for (int u = 0; u < 10; u++) {
        snprintf(sources + strlen(sources), 40, "%d\texample.com/%d\n", u, u);
        snprintf(times + strlen(times), 40, "@%d.17\t%d\n", u, u);
    }
    strcat(times, "@12\t*\n");
    put("sources.tsv", sources);
    put("intervals.tsv", timed("3\t1\t@3.17\t@12\n"));
    put("snapshots.tsv", timed(times));
    struct fg_recording *recording = load();
    struct fg_site *site = fg_recording_site(recording, 0);
    assert_true(site->facts.start == (START + 9 * HOUR) * FG_SECOND);
    assert_int_equal(site->facts.steps, 4);
    assert_true(misses(site, 9, 0));
    assert_false(misses(site, 9, 1));
    assert_true(misses(site, 3, 0)); /* its snapshot of 3:10 is old by then */
    assert_false(misses(site, 3, 3));
    assert_int_equal(site->appeared[0], 3);
    fg_site_free(site);
    fg_recording_free(recording);
    remove_folder();
}

/* --- sites --- */

/* a.co.uk has three sources, b.org two, c.org three: two sites and the whole, which has
 * all eight. The sources of a site keep their order. */
static void recording_has_a_site_for_each_domain_with_three_sources(void **state)
{
    (void)state;
    make_folder();
    put("sources.tsv", "0\tx.a.co.uk/1\n1\tb.org/1\n2\tc.org/1\n3\ta.co.uk\n4\tb.org/2\n"
                       "5\tc.org/2\n6\twww.a.co.uk/3\n7\tc.org/3\n");
    put("intervals.tsv", timed("6\t9\t@0\t@1\n1\t9\t@0\t@1\n7\t8\t@1\t@2\n"));
    struct fg_recording *recording = load();
    assert_int_equal(fg_recording_sites(recording), 3);
    assert_string_equal(fg_recording_site_name(recording, 0), "a.co.uk");
    assert_string_equal(fg_recording_site_name(recording, 1), "c.org");
    assert_string_equal(fg_recording_site_name(recording, 2), strrchr(folder, '/') + 1);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(fg_recording_is_whole(recording, i), i == 2);
    struct fg_site *a = fg_recording_site(recording, 0);
    struct fg_site *whole = fg_recording_site(recording, 2);
    assert_int_equal(a->facts.sources, 3);
    assert_int_equal(a->targets, 1);
    assert_int_equal(a->pair_source[0], 2);
    assert_int_equal(whole->facts.sources, 8);
    assert_int_equal(whole->targets, 2);
    assert_int_equal(whole->pairs, 3);
    fg_site_free(a);
    fg_site_free(whole);
    fg_recording_free(recording);
    remove_folder();
}

/* A port is no part of a domain, and an address has none. */
static void recording_tells_hosts_with_ports_apart(void **state)
{
    (void)state;
    make_folder();
    put("sources.tsv",
        "0\ta.co.uk:8080/1\n1\tb.co.uk:8080/1\n2\t10.0.0.1:80/1\n3\ta.co.uk:8080/2\n"
        "4\tb.co.uk:8080/2\n5\t10.0.0.1:80/2\n6\ta.co.uk/3\n7\tb.co.uk:8080/3\n"
        "8\t10.0.0.1:80/3\n");
    put("intervals.tsv", timed("6\t9\t@0\t@1\n1\t9\t@0\t@1\n7\t8\t@1\t@2\n"));
    struct fg_recording *recording = load();
    assert_int_equal(fg_recording_sites(recording), 4);
    assert_string_equal(fg_recording_site_name(recording, 0), "a.co.uk");
    assert_string_equal(fg_recording_site_name(recording, 1), "b.co.uk");
    assert_string_equal(fg_recording_site_name(recording, 2), "10.0.0.1:80");
    fg_recording_free(recording);
    remove_folder();
}

/* A folder may have the name of one of its sites. */
static void recording_whole_is_apart_from_a_site_of_its_name(void **state)
{
    (void)state;
    char sources[512];
    make_folder();
    const char *name = strrchr(folder, '/') + 1;
    snprintf(sources, sizeof sources, "0\t%s/1\n1\t%s/2\n2\t%s/3\n3\tb.org/1\n", name,
             name, name);
    put("sources.tsv", sources);
    put("intervals.tsv", timed("0\t9\t@0\t@1\n3\t8\t@0\t@1\n"));
    struct fg_recording *recording = load();
    assert_int_equal(fg_recording_sites(recording), 2);
    assert_false(fg_recording_is_whole(recording, 0));
    assert_true(fg_recording_is_whole(recording, 1));
    struct fg_site *site = fg_recording_site(recording, 0);
    assert_int_equal(site->facts.sources, 3);
    fg_site_free(site);
    fg_recording_free(recording);
    remove_folder();
}

/* Numbers that no row names are no sources: counting may start at 1. */
static void recording_passes_over_numbers_without_a_name(void **state)
{
    (void)state;
    make_folder();
    put("sources.tsv", "1\texample.com/a\n2\texample.com/b\n5\texample.com/c\n");
    put("intervals.tsv", timed("5\t1\t@0\t@1\n1\t1\t@0\t@1\n"));
    struct fg_recording *recording = load();
    assert_int_equal(fg_recording_sites(recording), 1);
    assert_true(fg_recording_is_whole(recording, 0));
    struct fg_site *site = fg_recording_site(recording, 0);
    assert_int_equal(site->facts.sources, 3);
    assert_true(shows(site, 2, 0, 0));
    fg_site_free(site);
    fg_recording_free(recording);
    remove_folder();
}

/* --- what is refused --- */

static void assert_refused(const char *sources, const char *rows, const char *times,
                           const char *wanted)
{
    struct fg_recording *recording;
    struct fg_err err = {0};
    char expected[1024];
    make_folder();
    if (sources)
        put("sources.tsv", sources);
    if (rows)
        put("intervals.tsv", rows);
    if (times)
        put("snapshots.tsv", times);
    snprintf(expected, sizeof expected, wanted, folder, folder);
    assert_int_not_equal(fg_recording_load(&recording, folder, &err), FG_OK);
    assert_string_equal(err.text, expected);
    assert_null(recording);
    remove_folder();
}

static void recording_says_which_file_is_not_there(void **state)
{
    (void)state;
    assert_refused(NULL, NULL, NULL,
                   "cannot open '%s/sources.tsv' (or '%s/sources.tsv.gz'): "
                   "No such file or directory");
    assert_refused(three_sources, NULL, NULL,
                   "cannot open '%s/intervals.tsv' (or '%s/intervals.tsv.gz'): "
                   "No such file or directory");
    assert_refused("# none\n\n", NULL, NULL, "'%s/sources.tsv' names no source");
}

static void recording_says_which_row_is_wrong(void **state)
{
    (void)state;
    static const char source[] =
        "'%s/sources.tsv', line 2: expected a source's number, a tab and its name";
    static const char interval[] =
        "'%s/intervals.tsv', line 2: expected source, target, first seen and last seen, "
        "as whole numbers with tabs between, the last not before the first";
    static const char unnamed[] =
        "'%s/intervals.tsv', line 2: expected a source that sources.tsv names";
    static const char snapshot[] =
        "'%s/snapshots.tsv', line 2: expected a time, a tab and the sources looked at";
    static const char stranger[] =
        "'%s/snapshots.tsv', line 2: expected sources that sources.tsv names";
    static const char good[] = "0\t1\t5\t6\n";
    assert_refused("0\ta\nb\t1\n", NULL, NULL, source);
    assert_refused("# 0\n1\n", NULL, NULL, source);
    assert_refused("0\ta\n9999999\tb\n", NULL, NULL, source);
    assert_refused(three_sources, "#\n0\t1\t5\n", NULL, interval);
    assert_refused(three_sources, "\n0\t1\t5\t4\n", NULL, interval);
    assert_refused(three_sources, "#\n0\t-1\t5\t6\n", NULL, interval);
    assert_refused(three_sources, "#\n0\t1\t5.5\t6\n", NULL, interval);
    assert_refused(three_sources, "#\n0\t1\t5\t99999999999999999999\n", NULL, interval);
    assert_refused(three_sources, "#\n3\t1\t5\t6\n", NULL, unnamed);
    assert_refused("0\ta\n2\tb\n", "#\n1\t1\t5\t6\n", NULL, unnamed);
    assert_refused(three_sources, good, "5\t*\n6\n", snapshot);
    assert_refused(three_sources, good, "5\t*\nx\t*\n", snapshot);
    assert_refused(three_sources, good, "5\t*\n6\t0,3\n", stranger);
    assert_refused(three_sources, good, "5\t*\n6\t0,,1\n", stranger);
    assert_refused("0\ta\n2\tb\n", good, "5\t*\n6\t0,1\n", stranger);
}

static void recording_says_when_a_file_is_cut_short(void **state)
{
    (void)state;
    struct fg_recording *recording;
    struct fg_err err = {0};
    char path[300];
    make_folder();
    put("sources.tsv", three_sources);
    put_zipped("intervals.tsv", "0\t1\t5\t6\n1\t1\t5\t6\n2\t123456789\t5\t6\n");
    snprintf(path, sizeof path, "%s/intervals.tsv.gz", folder);
    struct stat is;
    assert_int_equal(stat(path, &is), 0);
    assert_int_equal(truncate(path, is.st_size - 9), 0);
    assert_int_equal(fg_recording_load(&recording, folder, &err), FG_EINPUT);
    assert_non_null(strstr(err.text, "cannot read '"));
    assert_non_null(strstr(err.text, "/intervals.tsv.gz' after line "));
    assert_null(recording);
    remove_folder();
}

/* Three sources of one domain over ten hours, fetched twice an hour, twice an hour, and
 * in five hours only; a fourth of another domain. With a density of .9 the third goes,
 * with the two of a site at least the other domain does. Of a link that half of the
 * fetches of an hour show, the drawn one shows it or does not. */
static void recording_prepared_draws_one_fetch_an_hour(void **state)
{
    (void)state;
    make_folder();
    put("sources.tsv", "0\tx.org/\n1\tx.org/a\n2\tx.org/b\n3\ty.org/\n");
    char fetches[2000] = "", seen[2000] = "";
    for (int h = 1; h <= 10; h++) {
        char line[100];
        snprintf(line, sizeof line, "%lld\t0,1%s\n", (long long)(START + h * HOUR - 1800),
                 h <= 5 ? ",2,3" : "");
        strcat(fetches, line);
        snprintf(line, sizeof line, "%lld\t0,1\n", (long long)(START + h * HOUR));
        strcat(fetches, line);
        /* target h is on source 0 in the second fetch of hour h only */
        snprintf(line, sizeof line, "0\t%d\t%lld\t%lld\n", h,
                 (long long)(START + h * HOUR), (long long)(START + h * HOUR));
        strcat(seen, line);
    }
    put("snapshots.tsv", fetches);
    put("intervals.tsv", seen);
    size_t shown = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct fg_recording *rec;
        struct fg_err err;
        assert_int_equal(fg_recording_load(&rec, folder, &err), FG_OK);
        fg_recording_prepare(rec, &(struct fg_preparation){.9, 100, 2, seed});
        assert_int_equal(fg_recording_sites(rec), 1);
        assert_string_equal(fg_recording_site_name(rec, 0), "x.org");
        struct fg_site *site = fg_recording_site(rec, 0);
        assert_int_equal(site->facts.sources, 2);
        shown += site->targets;
        assert_int_equal(site->observations, site->targets);
        fg_site_free(site);
        fg_recording_free(rec);
    }
    /* With three as the least there is no site, only the whole; with a density beyond
     * all there is nothing. */
    struct fg_recording *none;
    struct fg_err err;
    assert_int_equal(fg_recording_load(&none, folder, &err), FG_OK);
    assert_true(fg_recording_is_site(none, 0));
    fg_recording_prepare(none, &(struct fg_preparation){.9, 100, 3, 1});
    assert_int_equal(fg_recording_sites(none), 1);
    assert_true(fg_recording_is_whole(none, 0));
    assert_false(fg_recording_is_site(none, 0));
    fg_recording_free(none);
    assert_int_equal(fg_recording_load(&none, folder, &err), FG_OK);
    fg_recording_prepare(none, &(struct fg_preparation){1.1, 100, 3, 1});
    assert_int_equal(fg_recording_sites(none), 0);
    fg_recording_free(none);
    assert_in_range(shown, 60, 140); /* 200 links, half of them drawn: 100, deviation 7 */
    remove_folder();
}

FG_TESTS(recording_prepared_draws_one_fetch_an_hour,
         recording_tells_hosts_with_ports_apart, recording_reads_plain_files,
         recording_reads_zipped_files, recording_without_snapshots_takes_the_times_it_has,
         recording_misses_visits_over_three_hours_late,
         recording_lets_links_appear_when_they_can_be_seen,
         recording_starts_when_nine_tenths_are_there,
         recording_has_a_site_for_each_domain_with_three_sources,
         recording_whole_is_apart_from_a_site_of_its_name,
         recording_passes_over_numbers_without_a_name,
         recording_says_which_file_is_not_there, recording_says_which_row_is_wrong,
         recording_says_when_a_file_is_cut_short)
