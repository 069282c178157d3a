#include "base/glob.h"

#include <stdint.h>

bool fg_glob_matches(struct fg_str pattern, struct fg_str text)
{
    size_t p = 0, t = 0, star = SIZE_MAX, retry = 0;
    while (t < text.len) {
        if (p < pattern.len && pattern.at[p] == '*') {
            star = p++;
            retry = t;
        } else if (p < pattern.len &&
                   (pattern.at[p] == '?' || pattern.at[p] == text.at[t])) {
            p++;
            t++;
        } else if (star != SIZE_MAX) {
            p = star + 1;
            t = ++retry;
        } else {
            return false;
        }
    }
    while (p < pattern.len && pattern.at[p] == '*')
        p++;
    return p == pattern.len;
}
