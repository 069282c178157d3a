/* token.h - the secret that lets somebody in
 *
 *     char token[FG_TOKEN_TEXT];
 *     st = fg_token_make(token, "workspace", err);     (shown once, kept as its hash)
 *     ...
 *     struct fg_token kept;
 *     st = fg_token_load(&kept, "workspace", err);
 *     if (fg_token_is(&kept, given)) ...
 *
 * A token is 32 random bytes, so a plain SHA-256 of it is as hard to turn back as any
 * slower hash. The file "server.token" of the workspace has the hash alone. Guesses are
 * slowed all the same: fg_guesses counts the wrong ones of each address. */
#ifndef FG_SERVER_TOKEN_H
#define FG_SERVER_TOKEN_H

#include "base/err.h"
#include "base/str.h"
#include "base/time.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

enum { FG_TOKEN_HASH = 32, FG_TOKEN_TEXT = 64 };

struct fg_token {
    uint8_t hash[FG_TOKEN_HASH];
    bool is_set;
};

/* A new one; the one before holds no more. */
enum fg_status fg_token_make(char out[static FG_TOKEN_TEXT], const char *folder,
                             struct fg_err *err);
/* Without a file it is not set. */
enum fg_status fg_token_load(struct fg_token *token, const char *folder,
                             struct fg_err *err);
/* In a time that does not depend on where they differ. */
bool fg_token_is(const struct fg_token *token, struct fg_str given);

/* Wrong guesses by address. Whoever has made FG_GUESSES_MOST within a minute is not
 * heard until the minute is over, not even with the right one. Bounded: of more addresses
 * than there is room for, the oldest is forgotten. */
enum { FG_GUESSES_MOST = 10, FG_GUESSES_KEPT = 256 };
struct fg_guesses {
    struct {
        uint64_t who;
        fg_time since;
        unsigned n;
    } at[FG_GUESSES_KEPT];
};
void fg_guesses_add(struct fg_guesses *guesses, uint64_t who, fg_time now);
/* How long he has to wait; 0: not at all. */
fg_time fg_guesses_wait(const struct fg_guesses *guesses, uint64_t who, fg_time now);

/* Both together, for many threads. */
struct fg_door {
    struct fg_token token;
    const char *folder; /* whose file is read again when it changes; NULL: it is not */
    struct stat file;   /* as it was when it was read; zero: it was not there */
    atomic_uint turn;   /* how often the token has changed: who came in by one before
                           has no business here any more */
    struct fg_guesses guesses;
    pthread_mutex_t lock;
};
/* Whatever the file has from now on holds: a token that is made while the server runs
 * ends the one before, and nobody comes in by a file that is gone or damaged. `folder`
 * must live as long. */
enum fg_status fg_door_open(struct fg_door *door, const char *folder, struct fg_err *err);
/* Is the file another one? For who looks now and then while nobody asks. */
void fg_door_follow(struct fg_door *door);
/* 0: come in; else the status of HTTP to refuse with, and how long to wait. Whoever has
 * guessed wrong too often is not heard. `turn` is that of the token it was held against.
 */
unsigned fg_door_try(struct fg_door *door, uint64_t who, struct fg_str given, fg_time now,
                     unsigned *wait_s, unsigned *turn);

#endif
