/* ads.h - advertisers, their ads and what was shown, in the store
 *
 *     struct fg_ads_db *db;
 *     fg_ads_db_open(&db, place, err);
 *     fg_ads_db_begin(db, err);
 *     fg_ads_db_ask(db, FG_ADS_SPENT, FG_CELLS(FG_CELL_INT(who), FG_CELL_INT(day)),
 *                   take, context, err);
 *     fg_ads_db_end(db, st, err);          commits, or takes all back if st is a failure
 *     fg_ads_db_close(db);
 *
 * Many processes show ads and take clicks at the same time, beside the one that crawls,
 * so this is a door of its own to the same store: each use is one short transaction.
 * Questions are named; what their arguments and columns are is said with each. Money is
 * whole hundredths. Nothing here decides anything; search/ads does. One thread at a time.
 */
#ifndef FG_STORE_ADS_H
#define FG_STORE_ADS_H

#include "base/err.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fg_ads_db;

/* The store must be there, of this schema or an older one, which is brought up to date
 * unless a crawl runs. Cheap enough for one command. */
enum fg_status fg_ads_db_open(struct fg_ads_db **db, const char *place,
                              struct fg_err *err);
void fg_ads_db_close(struct fg_ads_db *db);

/* Waits for others up to ten seconds. */
enum fg_status fg_ads_db_begin(struct fg_ads_db *db, struct fg_err *err);
/* The same for what a power cut may take back: displays, which nobody has paid for yet.
 * It is safe from a kill, and does not wait for the disk. */
enum fg_status fg_ads_db_begin_light(struct fg_ads_db *db, struct fg_err *err);
/* Gives `st` back, or why it cannot be committed. */
enum fg_status fg_ads_db_end(struct fg_ads_db *db, enum fg_status st, struct fg_err *err);

/* --- questions --- */

struct fg_ads_cell {
    enum { FG_ADS_INT, FG_ADS_REAL, FG_ADS_TEXT, FG_ADS_BLOB } type;
    int64_t number;
    double real;
    struct fg_str text; /* of a row that is taken, until the next one */
};
#define FG_CELL_INT(n)  ((struct fg_ads_cell){.type = FG_ADS_INT, .number = (n)})
#define FG_CELL_REAL(x) ((struct fg_ads_cell){.type = FG_ADS_REAL, .real = (x)})
#define FG_CELL_TEXT(s) ((struct fg_ads_cell){.type = FG_ADS_TEXT, .text = (s)})
#define FG_CELL_BLOB(s) ((struct fg_ads_cell){.type = FG_ADS_BLOB, .text = (s)})
#define FG_CELLS(...)   ((const struct fg_ads_cell[]){__VA_ARGS__, {.type = (unsigned)-1}})

enum { FG_ADS_CELLS = 20 }; /* of a row, at most */

enum fg_ads_question {
    /* --- advertisers and ads; state: 0 shown, 1 paused, 2 revoked --- */
    FG_ADS_PUT_ADVERTISER,      /* name, budget (-1: none), added */
    FG_ADS_ADVERTISER,          /* name -> number, budget, state */
    FG_ADS_STATE_OF_ADVERTISER, /* number, state */
    FG_ADS_PUT_AD, /* advertiser, phrase, words, anchor, broad, bid, title, url, text,
                      cluster, alpha, beta, added -> number */
    FG_ADS_STATE_OF_AD,  /* number, state */
    FG_ADS_STATE_OF_ADS, /* advertiser, state: of all but those revoked */
    FG_ADS_ALL,  /* -> ad, advertiser's name, phrase, broad, bid, title, url, text, state,
                    advertiser's state, budget, added, shown, clicked, spent */
    FG_ADS_SAME, /* advertiser, words, broad, url -> ad */
    FG_ADS_RENEW, /* ad, bid, title, text, alpha, beta: and it is shown again */
    FG_ADS_DAYS,  /* first day -> name, day, budget, shown, clicked, charged, spent */

    /* --- a query --- */
    FG_ADS_CANDIDATES, /* anchor -> ad, advertiser, words, broad, bid, title, url,
                          text, cluster, alpha, beta, budget, price, learned */
    FG_ADS_ARM,        /* ad, phrase -> shown, clicked, learned */
    FG_ADS_PUT_ARM,    /* ad, phrase, shown, clicked, learned */
    FG_ADS_ARMS,       /* ad -> how many phrases it has been shown for */
    FG_ADS_PHRASE,     /* phrase -> queries, learned */
    FG_ADS_PUT_PHRASE, /* phrase, queries, learned */
    FG_ADS_SPENT,      /* advertiser, day -> spent */
    FG_ADS_RESERVED,   /* advertiser, now -> bids of displays that may still be clicked */
    FG_ADS_SHOW,       /* ad, advertiser, phrase, bid, held until, expires, shown before,
                          clicked before -> number of the display */
    FG_ADS_COUNT_SHOWN_AD, /* ad */
    FG_ADS_COUNT_SHOWN,    /* advertiser, day */
    FG_ADS_LEARNED,        /* advertiser, price, learned */
    FG_ADS_PACED, /* -> advertiser, budget, price, learned: those that may have a price */

    /* --- a click --- */
    FG_ADS_DISPLAY,       /* number -> ad, advertiser, phrase, bid, shown before, clicked
                             before, budget, price, learned */
    FG_ADS_DROP_DISPLAY,  /* number */
    FG_ADS_DROP_OLD,      /* now: displays that can not be clicked any more */
    FG_ADS_CHARGE,        /* advertiser, day, charged clicks, hundredths */
    FG_ADS_CHARGE_AD,     /* ad, hundredths */
    FG_ADS_URL,           /* ad -> url */
    FG_ADS_CLICKER,       /* day, client, advertiser -> clicks */
    FG_ADS_COUNT_CLICK,   /* day, client, advertiser */
    FG_ADS_DROP_CLICKERS, /* before this day */

    /* --- of all --- */
    FG_ADS_STATE,     /* name -> bytes */
    FG_ADS_PUT_STATE, /* name, bytes */
    FG_ADS_FORGET,    /* what the policy learned, not what was counted */
    FG_ADS_QUESTIONS
};

/* False ends the walk. */
typedef bool fg_ads_take(void *context, const struct fg_ads_cell *row, size_t n);

/* Arguments are ended as FG_CELLS does. `take` may be NULL. */
enum fg_status fg_ads_db_ask(struct fg_ads_db *db, enum fg_ads_question question,
                             const struct fg_ads_cell *arguments, fg_ads_take *take,
                             void *context, struct fg_err *err);

#endif
