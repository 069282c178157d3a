#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum fg_status fg_fail(struct fg_err *err, enum fg_status status, const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        vsnprintf(err->text, sizeof err->text, format, args);
        va_end(args);
        err->status = status;
    }
    return status;
}

enum fg_status fg_err_within(struct fg_err *err, enum fg_status status,
                             const char *format, ...)
{
    if (err && status) {
        struct fg_err inner = *err;
        va_list args;
        va_start(args, format);
        int n = vsnprintf(err->text, sizeof err->text, format, args);
        va_end(args);
        if (n >= 0 && (size_t)n < sizeof err->text)
            snprintf(err->text + n, sizeof err->text - (size_t)n, ": %s", inner.text);
        err->status = status;
    }
    return status;
}

static void (*_Atomic last_words)(void);

void fg_on_out_of_memory(void (*hook)(void))
{
    last_words = hook;
}

_Noreturn void fg_out_of_memory(void)
{
    void (*hook)(void) = last_words;
    if (hook)
        hook();
    static const char words[] = "forage: out of memory\n";
    ssize_t ignored = write(STDERR_FILENO, words, sizeof words - 1);
    (void)ignored;
    _exit(1); /* "something failed; the message says what" */
}
