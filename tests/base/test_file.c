#include "base/file.h"

#include "test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64];
static struct fg_arena arena;

static const char *path_of(const char *name)
{
    return fg_arena_printf(&arena, "%s/%s", folder, name).at;
}

static void make_folder(void)
{
    strcpy(folder, "/tmp/forage-test-XXXXXX");
    assert_non_null(mkdtemp(folder));
}

/* Removes the files too, and tells how many there were. */
static int remove_folder(void)
{
    DIR *dir = opendir(folder);
    int files = 0;
    for (const struct dirent *entry; (entry = readdir(dir));)
        if (entry->d_name[0] != '.') {
            unlink(path_of(entry->d_name));
            files++;
        }
    closedir(dir);
    rmdir(folder);
    fg_arena_clear(&arena);
    return files;
}

static void what_was_written_is_read(void **state)
{
    (void)state;
    make_folder();
    const char *path = path_of("a");
    const struct fg_str texts[] = {FG_STR("first\n"), FG_STR(""),
                                   FG_STR("\0\xff binary")};
    for (int i = 0; i < 3; i++) {
        struct fg_str text;
        assert_int_equal(fg_file_replace(path, texts[i], NULL), FG_OK);
        assert_int_equal(fg_file_read(&text, &arena, path, 100, NULL), FG_OK);
        assert_int_equal(text.len, texts[i].len);
        assert_memory_equal(text.at, texts[i].at, text.len);
        assert_int_equal(text.at[text.len], '\0');
    }
    assert_int_equal(remove_folder(), 1); /* nothing is left beside it */
}

static void reading_keeps_to_the_limit(void **state)
{
    (void)state;
    make_folder();
    struct fg_str text;
    struct fg_err err;
    const char *path = path_of("a");
    assert_int_equal(fg_file_replace(path, FG_STR("12345"), NULL), FG_OK);
    assert_int_equal(fg_file_read(&text, &arena, path, 5, &err), FG_OK);
    assert_int_equal(fg_file_read(&text, &arena, path, 4, &err), FG_ELIMIT);
    assert_non_null(strstr(err.text, "is larger than 4 bytes"));
    assert_int_equal(text.len, 0);
    assert_int_equal(fg_file_read(&text, &arena, path_of("b"), 4, &err), FG_ENOTFOUND);
    assert_non_null(strstr(err.text, "No such file"));
    assert_int_equal(fg_file_read(&text, &arena, folder, 4, &err), FG_EIO);
    remove_folder();
}

static void failing_to_replace_leaves_nothing_behind(void **state)
{
    (void)state;
    make_folder();
    struct fg_err err;
    const char *target = path_of("is-a-folder");
    assert_int_equal(mkdir(target, 0700), 0);
    assert_int_equal(fg_file_replace(target, FG_STR("x"), &err), FG_EIO);
    assert_non_null(strstr(err.text, "cannot replace"));
    assert_int_equal(fg_file_replace(path_of("no/such/folder"), FG_STR("x"), &err),
                     FG_EIO);
    rmdir(target);
    assert_int_equal(remove_folder(), 0);
}

/* A file system of 64 KiB, for real. */
static void a_full_disk_keeps_the_old_file(void **state)
{
    (void)state;
    make_folder();
    if (mount("none", folder, "tmpfs", 0, "size=64k") != 0) {
        remove_folder();
        skip(); /* not root, or not allowed to mount */
    }
    struct fg_err err;
    struct fg_str text;
    const char *path = path_of("state");
    struct fg_str large = fg_arena_printf(&arena, "%0*d", 200000, 1);
    assert_int_equal(fg_file_replace(path, FG_STR("old"), &err), FG_OK);
    enum fg_status st = fg_file_replace(path, large, &err);
    enum fg_status again = fg_file_read(&text, &arena, path, 100, NULL);
    char kept[8] = {0};
    memcpy(kept, text.at, text.len < 7 ? text.len : 7);
    int files = 0;
    DIR *dir = opendir(folder);
    for (const struct dirent *entry; (entry = readdir(dir));)
        files += entry->d_name[0] != '.';
    closedir(dir);
    umount(folder);
    assert_int_equal(st, FG_EFULL);
    assert_non_null(strstr(err.text, "No space left on device"));
    assert_int_equal(again, FG_OK);
    assert_string_equal(kept, "old");
    assert_int_equal(files, 1);
    remove_folder();
}

static void assert_lines(struct fg_str text, size_t max, const char *const *expected,
                         size_t n, bool fails)
{
    char *copy = fg_arena_cstr(&arena, text);
    FILE *f = text.len ? fmemopen(copy, text.len, "r") : fopen("/dev/null", "r");
    struct fg_err err = {0};
    struct fg_str line;
    size_t count = 0;
    while (fg_line_next(f, &arena, max, &line, &err)) {
        assert_true(count < n);
        assert_str(line, expected[count++]);
    }
    assert_int_equal(count, n);
    assert_int_equal(err.status, fails ? FG_ELIMIT : FG_OK);
    fclose(f);
}

static void lines_come_without_their_ends(void **state)
{
    (void)state;
    const char *const three[] = {"one", "", "two\rthree"};
    assert_lines(FG_STR("one\n\ntwo\rthree\n"), 100, three, 3, false);
    assert_lines(FG_STR("one\r\n\r\ntwo\rthree"), 100, three, 3, false);
    assert_lines(FG_STR(""), 100, NULL, 0, false);
    assert_lines(FG_STR("\n"), 0, (const char *[]){""}, 1, false);
    fg_arena_clear(&arena);
}

static void long_lines_are_refused(void **state)
{
    (void)state;
    const char *const one[] = {"abc"};
    assert_lines(FG_STR("abc\nabcd\n"), 3, one, 1, true);
    assert_lines(FG_STR("abc\r\nabcd\r\n"), 3, one, 1, true);
    assert_lines(FG_STR("abc"), 3, one, 1, false);
    assert_lines(FG_STR("abc\r\n"), 3, one, 1, false);
    assert_lines(FG_STR("abcd"), 3, one, 0, true);
    fg_arena_clear(&arena);
}

static void an_end_that_is_a_failure_is_told(void **state)
{
    (void)state;
    FILE *f = fopen("/tmp", "re"); /* a folder can be opened, but not read */
    struct fg_err err = {0};
    struct fg_str line;
    assert_non_null(f);
    assert_false(fg_line_next(f, &arena, 100, &line, &err));
    assert_int_equal(err.status, FG_EIO);
    assert_string_equal(err.text, "cannot read: Is a directory");
    fclose(f);
    assert_string_equal(fg_file_name("-"), "standard input");
    assert_string_equal(fg_file_name("-x"), "-x");
    fg_arena_clear(&arena);
}

static void links_stay_and_pipes_are_written_to(void **state)
{
    (void)state;
    struct fg_str text;
    struct stat info;
    char got[8] = "";
    make_folder();
    assert_int_equal(fg_file_replace(path_of("file"), FG_STR("old"), NULL), FG_OK);
    assert_int_equal(symlink("file", path_of("link")), 0);
    assert_int_equal(fg_file_replace(path_of("link"), FG_STR("new"), NULL), FG_OK);
    assert_int_equal(lstat(path_of("link"), &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(fg_file_read(&text, &arena, path_of("file"), 100, NULL), FG_OK);
    assert_memory_equal(text.at, "new", 4);
    assert_int_equal(mkfifo(path_of("pipe"), 0600), 0);
    int fd = open(path_of("pipe"), O_RDWR); /* a reader, so that nobody waits for one */
    assert_true(fd >= 0);
    assert_int_equal(fg_file_replace(path_of("pipe"), FG_STR("told"), NULL), FG_OK);
    assert_int_equal(read(fd, got, sizeof got), 4);
    assert_string_equal(got, "told");
    close(fd);
    assert_int_equal(stat(path_of("pipe"), &info), 0);
    assert_true(S_ISFIFO(info.st_mode));
    assert_int_equal(remove_folder(), 3);
}

static void what_is_secret_stays_so(void **state)
{
    (void)state;
    struct stat info;
    char beside[300];
    make_folder();
    assert_int_equal(fg_file_replace(path_of("file"), FG_STR("old"), NULL), FG_OK);
    assert_int_equal(chmod(path_of("file"), 0600), 0);
    assert_int_equal(fg_file_replace(path_of("file"), FG_STR("new"), NULL), FG_OK);
    assert_int_equal(stat(path_of("file"), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    /* A link that waits where we are about to write is not followed. */
    assert_int_equal(fg_file_replace(path_of("other"), FG_STR("theirs"), NULL), FG_OK);
    snprintf(beside, sizeof beside, "%s.%ld.tmp", path_of("file"), (long)getpid());
    assert_int_equal(symlink("other", beside), 0);
    assert_int_equal(fg_file_replace(path_of("file"), FG_STR("mine"), NULL), FG_OK);
    struct fg_str text;
    assert_int_equal(fg_file_read(&text, &arena, path_of("other"), 100, NULL), FG_OK);
    assert_str(text, "theirs");
    assert_int_equal(remove_folder(), 2);
}

FG_TESTS(what_is_secret_stays_so, what_was_written_is_read,
         links_stay_and_pipes_are_written_to, reading_keeps_to_the_limit,
         failing_to_replace_leaves_nothing_behind, a_full_disk_keeps_the_old_file,
         lines_come_without_their_ends, long_lines_are_refused,
         an_end_that_is_a_failure_is_told)
