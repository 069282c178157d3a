/* spawn.h - a program that is started beside this one
 *
 *     int code = fg_spawn(&pid, &(struct fg_spawn){.words = words, .input = -1});
 *
 * It has nothing open but what is named here, no signal is blocked or ignored in it, and
 * what it prints goes nowhere. */
#ifndef FG_BASE_SPAWN_H
#define FG_BASE_SPAWN_H

#include <sys/types.h>

struct fg_spawn {
    const char *program;      /* NULL: this one */
    char *const *words;       /* up to NULL; the first is what it is called */
    char *const *environment; /* NULL: ours */
    int input;                /* its standard input; -1: nothing */
    const char *errors; /* a file for standard error, emptied first; NULL: nowhere */
};

/* 0, or an errno. */
int fg_spawn(pid_t *pid, const struct fg_spawn *spawn);

#endif
