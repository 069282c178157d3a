#include "server/token.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/log.h"

#include <errno.h>
#include <openssl/crypto.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

static const char name[] = "server.token";
static const char prefix[] = "sha256:";

static void hash_of(uint8_t hash[static FG_TOKEN_HASH], struct fg_str text)
{
    SHA256((const unsigned char *)text.at, text.len, hash);
}

static void put_hex(char *out, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        snprintf(out + 2 * i, 3, "%02x", bytes[i]);
}

enum fg_status fg_token_make(char out[static FG_TOKEN_TEXT], const char *folder,
                             struct fg_err *err)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    enum { LETTERS = 43 }; /* of six bits: more than 32 bytes' worth */
    uint8_t random[LETTERS], hash[FG_TOKEN_HASH];
    char line[sizeof prefix + 2 * FG_TOKEN_HASH + 1];
    struct fg_arena arena = {0};
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
        return fg_fail(err, FG_EIO, "no random numbers: %s", strerror(errno));
    for (size_t i = 0; i < LETTERS; i++)
        out[i] = letters[random[i] % 64];
    out[LETTERS] = '\0';
    hash_of(hash, fg_str_from(out));
    memcpy(line, prefix, sizeof prefix);
    put_hex(line + sizeof prefix - 1, hash, sizeof hash);
    line[sizeof line - 2] = '\n';
    line[sizeof line - 1] = '\0';
    struct fg_str path = fg_arena_printf(&arena, "%s/%s", folder, name);
    mode_t mask = umask(077);
    enum fg_status st = fg_file_replace(path.at, fg_str_from(line), err);
    umask(mask);
    fg_arena_clear(&arena);
    return st;
}

static bool read_hash(struct fg_token *token, struct fg_str text)
{
    text = fg_str_trim(text);
    if (!fg_str_starts(text, fg_str_from(prefix)))
        return false;
    text = fg_str_skip(text, sizeof prefix - 1);
    for (size_t i = 0; i < text.len; i++)
        if (fg_hex(text.at[i]) < 0)
            return false;
    for (size_t i = 0; text.len == 2 * FG_TOKEN_HASH && i < FG_TOKEN_HASH; i++)
        token->hash[i] =
            (uint8_t)(fg_hex(text.at[2 * i]) * 16 + fg_hex(text.at[2 * i + 1]));
    return text.len == 2 * FG_TOKEN_HASH;
}

enum fg_status fg_token_load(struct fg_token *token, const char *folder,
                             struct fg_err *err)
{
    struct fg_arena arena = {0};
    struct fg_str text, path = fg_arena_printf(&arena, "%s/%s", folder, name);
    *token = (struct fg_token){0};
    enum fg_status st = FG_OK;
    if (access(path.at, F_OK) == 0) {
        st = fg_file_read(&text, &arena, path.at, 4096, err);
        token->is_set = !st && read_hash(token, text);
        if (!st && !token->is_set)
            st = fg_fail(err, FG_ECONFIG,
                         "'%s' is damaged; 'forage serve --new-token' makes another one",
                         path.at);
    }
    fg_arena_clear(&arena);
    return st;
}

bool fg_token_is(const struct fg_token *token, struct fg_str given)
{
    uint8_t hash[FG_TOKEN_HASH];
    hash_of(hash, given);
    return CRYPTO_memcmp(hash, token->hash, sizeof hash) == 0 && token->is_set;
}

void fg_guesses_add(struct fg_guesses *guesses, uint64_t who, fg_time now)
{
    size_t oldest = 0;
    for (size_t i = 0; i < FG_GUESSES_KEPT; i++) {
        if (guesses->at[i].n && guesses->at[i].who == who &&
            now - guesses->at[i].since < FG_MINUTE) {
            guesses->at[i].n++;
            return;
        }
        if (!guesses->at[i].n || guesses->at[i].since < guesses->at[oldest].since)
            oldest = guesses->at[oldest].n ? i : oldest;
    }
    guesses->at[oldest].who = who;
    guesses->at[oldest].since = now;
    guesses->at[oldest].n = 1;
}

fg_time fg_guesses_wait(const struct fg_guesses *guesses, uint64_t who, fg_time now)
{
    for (size_t i = 0; i < FG_GUESSES_KEPT; i++)
        if (guesses->at[i].who == who && guesses->at[i].n >= FG_GUESSES_MOST &&
            now - guesses->at[i].since < FG_MINUTE)
            return guesses->at[i].since + FG_MINUTE - now;
    return 0;
}

static void look_at_file(struct stat *file, const char *folder)
{
    struct fg_arena arena = {0};
    if (stat(fg_arena_printf(&arena, "%s/%s", folder, name).at, file) != 0)
        *file = (struct stat){0};
    fg_arena_clear(&arena);
}

static bool is_same_file(const struct stat *a, const struct stat *b)
{
    return a->st_ino == b->st_ino && a->st_dev == b->st_dev && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec &&
           a->st_ctim.tv_sec == b->st_ctim.tv_sec &&
           a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

enum fg_status fg_door_open(struct fg_door *door, const char *folder, struct fg_err *err)
{
    door->folder = folder;
    look_at_file(&door->file, folder);
    return fg_token_load(&door->token, folder, err);
}

/* The lock is held. */
static void follow_file(struct fg_door *door)
{
    struct stat now;
    struct fg_err err = {0};
    if (!door->folder)
        return;
    look_at_file(&now, door->folder);
    if (is_same_file(&now, &door->file))
        return;
    door->turn++;
    if (fg_door_open(door, door->folder, &err))
        fg_log_warn("server", "no token holds", FG_F("why", err.text));
    else
        fg_log_info("server", "another token holds from now on");
}

void fg_door_follow(struct fg_door *door)
{
    pthread_mutex_lock(&door->lock);
    follow_file(door);
    pthread_mutex_unlock(&door->lock);
}

unsigned fg_door_try(struct fg_door *door, uint64_t who, struct fg_str given, fg_time now,
                     unsigned *wait_s, unsigned *turn)
{
    pthread_mutex_lock(&door->lock);
    if (given.len)
        follow_file(door);
    fg_time wait = given.len ? fg_guesses_wait(&door->guesses, who, now) : 0;
    bool is_right = !wait && given.len && fg_token_is(&door->token, given);
    *turn = door->turn;
    if (given.len && !wait && !is_right)
        fg_guesses_add(&door->guesses, who, now);
    pthread_mutex_unlock(&door->lock);
    *wait_s = (unsigned)(wait / FG_SECOND + (wait > 0));
    return wait ? 429 : is_right ? 0 : 401;
}
