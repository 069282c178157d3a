/* Handing a message to a command: email.h. The message lies in a file in memory, which
 * is the command's standard input, so that it may read as slowly as it likes and we need
 * not write. Its standard output is nobody's business: ours may be full of events. */
#include "crawl/output/email.h"

#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int file_of(struct fg_str message)
{
    int fd = memfd_create("forage-digest", MFD_CLOEXEC);
    while (fd >= 0 && message.len) {
        ssize_t n = write(fd, message.at, message.len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            close(fd);
            return -1;
        }
        message = fg_str_skip(message, (size_t)n);
    }
    if (fd >= 0)
        lseek(fd, 0, SEEK_SET);
    return fd;
}

/* Quotes of either kind keep blanks, and quotes of the other kind. NULL if one is not
 * closed. */
static char **split(struct fg_arena *arena, struct fg_str command)
{
    FG_VEC(char *) words = {0};
    for (command = fg_str_trim(command); command.len; command = fg_str_trim(command)) {
        char *word = fg_arena_bytes(arena, command.len + 1), quote = 0;
        size_t i = 0, n = 0;
        for (; i < command.len && (quote || !fg_is_space(command.at[i])); i++) {
            char c = command.at[i];
            if (quote ? c == quote : c == '"' || c == '\'')
                quote = quote ? 0 : c;
            else
                word[n++] = c;
        }
        if (quote)
            return NULL;
        word[n] = 0;
        fg_vec_push_in(arena, &words, word);
        command = fg_str_skip(command, i);
    }
    fg_vec_push_in(arena, &words, NULL);
    return words.at;
}

static int spawn(pid_t *pid, int input, char **words)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, ignored;
    sigemptyset(&none);
    sigemptyset(&ignored);
    sigaddset(&ignored, SIGPIPE); /* by us; what we handle is reset by itself */
    sigaddset(&ignored, SIGXFSZ);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &ignored);
    int why = posix_spawnp(pid, words[0], &actions, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return why;
}

enum fg_status fg_mailer_start(struct fg_mailer *mailer, struct fg_str command,
                               fg_time timeout, struct fg_str message, struct fg_err *err)
{
    *mailer = (struct fg_mailer){.until = fg_time_monotonic() + timeout};
    struct fg_arena arena = {0};
    char **words = split(&arena, command);
    if (!words) {
        fg_arena_clear(&arena);
        return fg_fail(err, FG_ECONFIG, "digest.command: a quote is not closed in '%.*s'",
                       FG_ARG(command));
    }
    int input = file_of(message);
    int why = !words[0] ? ENOENT : input < 0 ? errno : spawn(&mailer->pid, input, words);
    enum fg_status st = why ? fg_fail(err, FG_EIO, "cannot start '%.*s': %s",
                                      FG_ARG(command), strerror(why))
                            : FG_OK;
    if (why)
        mailer->pid = 0;
    if (input >= 0)
        close(input);
    fg_arena_clear(&arena);
    return st;
}

void fg_mailer_kill(struct fg_mailer *mailer)
{
    if (!mailer->pid)
        return;
    kill(-mailer->pid, SIGKILL);
    kill(mailer->pid, SIGKILL);
    waitpid(mailer->pid, NULL, 0);
    mailer->pid = 0;
}

enum fg_mailer_state fg_mailer_state(struct fg_mailer *mailer)
{
    int status = 0;
    pid_t ended = mailer->pid ? waitpid(mailer->pid, &status, WNOHANG) : -1;
    if (!ended && fg_time_monotonic() < mailer->until)
        return FG_MAILER_RUNS;
    if (!ended) {
        fg_mailer_kill(mailer);
        snprintf(mailer->why, sizeof mailer->why, "it took too long");
        return FG_MAILER_FAILED;
    }
    mailer->pid = 0;
    if (ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return FG_MAILER_SENT;
    if (ended > 0 && WIFEXITED(status))
        snprintf(mailer->why, sizeof mailer->why, "it ended with %d",
                 WEXITSTATUS(status));
    else
        snprintf(mailer->why, sizeof mailer->why, "it was ended by signal %d",
                 ended > 0 ? WTERMSIG(status) : 0);
    return FG_MAILER_FAILED;
}
