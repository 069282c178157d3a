/* file.h - whole files, and replacing one so that no reader ever sees half of it */
#ifndef FG_BASE_FILE_H
#define FG_BASE_FILE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

#include <stdio.h>

/* Read all of a file of at most `max_bytes`; "-" is standard input. A NUL stands behind
 * the text, not counted in its length. */
enum fg_status fg_file_read(struct fg_str *text, struct fg_arena *arena, const char *path,
                            size_t max_bytes, struct fg_err *err);

/* What a message calls the file: its path, or "standard input" for "-". */
const char *fg_file_name(const char *path);

/* All of `text`, however often it takes; false with errno set if it cannot be written. */
bool fg_file_write_all(int fd, struct fg_str text);

/* Write `text` to a new file beside `path`, sync it, and rename it over `path`: after a
 * crash there is the old file or the new one. A full disk is FG_EFULL, and the old file
 * is still there. A link stays one: the file it leads to is replaced, and who may read it
 * stays as it was. What is no file, such as a pipe or /dev/null, is written to. */
enum fg_status fg_file_replace(const char *path, struct fg_str text, struct fg_err *err);

/* The same for what is written piece by piece to `fd`: nobody sees it before it is
 * finished, and if it is dropped nothing has happened. */
struct fg_replacement {
    int fd;
    char *path, *beside; /* private; `beside` is NULL where `fd` is no file */
};
enum fg_status fg_replacement_open(struct fg_replacement *file, const char *path,
                                   struct fg_err *err);
enum fg_status fg_replacement_finish(struct fg_replacement *file, struct fg_err *err);
void fg_replacement_drop(struct fg_replacement *file);

/* The folder that a path lies in; in the arena. */
const char *fg_file_folder(struct fg_arena *arena, const char *path);
/* Could something be made in that folder, or that file be appended to? It is tried, since
 * permissions do not tell all; nothing is left behind. */
enum fg_status fg_folder_check(const char *folder, struct fg_err *err);
enum fg_status fg_file_check(const char *path, struct fg_err *err);

/* Let the process have so many files and connections open, or as many as the system lets
 * it have: how many that are now. */
uint64_t fg_files_allow(uint64_t wanted);

/* The next line without its "\n" or "\r\n"; false at the end of the file. It is false as
 * well, with `err` set, if the file cannot be read or a line is longer than `max_bytes`.
 * The line lives in `arena`. */
bool fg_line_next(FILE *f, struct fg_arena *arena, size_t max_bytes, struct fg_str *line,
                  struct fg_err *err);

#endif
