/* Words, noise and dates, as all synthetic sites have them. */
#include "base/rng.h"
#include "sim/web_model.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const words[] = {
    "harbour", "budget",  "council", "river",   "season", "market",  "library", "bridge",
    "storm",   "garden",  "railway", "museum",  "school", "winter",  "summer",  "valley",
    "forest",  "signal",  "harvest", "theatre", "crew",   "summit",  "island",  "coast",
    "record",  "bakery",  "orchard", "comet",   "glass",  "engine",  "lantern", "quarry",
    "meadow",  "pilot",   "violin",  "ferry",   "tunnel", "archive", "canal",   "village",
    "patent",  "census",  "tariff",  "union",   "debate", "ballot",  "verdict", "treaty",
    "goal",    "relay",   "stadium", "league",  "novel",  "poem",    "gallery", "film",
    "clinic",  "vaccine", "protein", "galaxy",  "lens",   "fossil",  "glacier", "reef",
};
enum { WORDS = sizeof words / sizeof *words };

static const char *word(struct fg_rng *rng)
{
    return words[fg_rng_below(rng, WORDS)];
}

static void add_words(struct fg_rng *rng, unsigned n, const char *between,
                      struct fg_buf *out)
{
    for (unsigned i = 0; i < n; i++)
        fg_buf_printf(out, "%s%s", i ? between : "", word(rng));
}

void web_add_slug(uint64_t seed, struct fg_buf *out)
{
    struct fg_rng rng = fg_rng_from_seed(seed);
    add_words(&rng, 4, "-", out);
}

void web_add_title(uint64_t seed, struct fg_buf *out)
{
    struct fg_rng rng = fg_rng_from_seed(seed);
    add_words(&rng, 4, " ", out);
}

void web_add_prose(uint64_t seed, size_t bytes, struct fg_buf *out)
{
    struct fg_rng rng = fg_rng_from_seed(seed ^ 0x5eed);
    size_t end = out->len + bytes;
    while (out->len < end && !out->full) {
        fg_buf_add(out, FG_STR("<p>The "));
        add_words(&rng, 40, " ", out);
        fg_buf_add(out, FG_STR(".</p>\n"));
    }
}

void web_add_noise(fg_time now, const char *who, struct fg_buf *out)
{
    char text[FG_TIME_TEXT];
    struct fg_rng rng = fg_rng_from_seed((uint64_t)now);
    fg_buf_printf(out,
                  "<div class=\"status\">It is %s. %" PRIu64 " %s online.</div>\n"
                  "<div class=\"ad\"><img src=\"/ads/%" PRIu64 ".png\" alt=\"\"></div>\n",
                  fg_time_format(text, now), 100 + fg_rng_below(&rng, 900), who,
                  fg_rng_below(&rng, 50));
}

char *web_date_format(char out[static WEB_DATE_TEXT], fg_time time)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    static const char days[] = "ThuFriSatSunMonTueWed";
    int64_t day = time / FG_DAY - (time % FG_DAY < 0), year;
    int month, date;
    fg_date_from_days(day, &year, &month, &date);
    int64_t rest = (time - day * FG_DAY) / FG_SECOND;
    snprintf(out, WEB_DATE_TEXT, "%.3s, %02d %.3s %04d %02d:%02d:%02d GMT",
             days + 3 * ((day % 7 + 7) % 7), date, months + 3 * (month - 1), (int)year,
             (int)(rest / 3600), (int)(rest / 60 % 60), (int)(rest % 60));
    return out;
}

struct fg_web_page web_not_found(struct fg_buf *out)
{
    fg_buf_add(out, FG_STR("<!DOCTYPE html><title>not found</title><p>No such page.\n"));
    return (struct fg_web_page){.status = 404,
                                .content_type = "text/html; charset=utf-8",
                                .last_modified = FG_NEVER};
}
