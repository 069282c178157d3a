/* The questions about advertisements. What may be reserved is computed from the displays
 * that may still be clicked, and what is spent is kept by day: there is no counter that a
 * crash or midnight could leave wrong. */
#include "store/ads.h"

#include "store/direct.h"

static const char *const questions[FG_ADS_QUESTIONS] = {
    [FG_ADS_PUT_ADVERTISER] =
        "INSERT INTO ads_advertisers(name, budget, state, added) VALUES(?1, ?2, 0, ?3)"
        " ON CONFLICT(name) DO UPDATE SET budget = excluded.budget,"
        " state = CASE ads_advertisers.state WHEN 2 THEN 0 ELSE"
        " ads_advertisers.state END",
    [FG_ADS_ADVERTISER] =
        "SELECT number, budget, state FROM ads_advertisers WHERE name = ?1",
    [FG_ADS_STATE_OF_ADVERTISER] =
        "UPDATE ads_advertisers SET state = ?2 WHERE number = ?1",
    [FG_ADS_PUT_AD] = "INSERT INTO ads(advertiser, phrase, words, anchor, broad, bid,"
                      " title, url, text, cluster, alpha, beta, added, state)"
                      " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, 0)"
                      " RETURNING number",
    [FG_ADS_STATE_OF_AD] = "UPDATE ads SET state = ?2 WHERE number = ?1 AND state <> 2"
                           " RETURNING number",
    [FG_ADS_STATE_OF_ADS] =
        "UPDATE ads SET state = ?2 WHERE advertiser = ?1 AND state <> 2",
    [FG_ADS_ALL] = "SELECT a.number, w.name, a.phrase, a.broad, a.bid, a.title, a.url,"
                   " a.text, a.state, w.state, w.budget, a.added, a.shown, a.clicked,"
                   " a.spent FROM ads a JOIN ads_advertisers w ON w.number = a.advertiser"
                   " ORDER BY w.name, a.number",
    [FG_ADS_SAME] = "SELECT number FROM ads WHERE advertiser = ?1 AND words = ?2"
                    " AND broad = ?3 AND url = ?4 AND state <> 2",
    [FG_ADS_DAYS] =
        "SELECT w.name, d.day, w.budget, d.shown, d.clicked, d.charged,"
        " d.spent FROM ads_days d JOIN ads_advertisers w"
        " ON w.number = d.advertiser WHERE d.day >= ?1 ORDER BY d.day, w.name",
    [FG_ADS_CANDIDATES] =
        "SELECT a.number, a.advertiser, a.words, a.broad, a.bid, a.title, a.url, a.text,"
        " a.cluster, a.alpha, a.beta, w.budget, w.price, w.learned FROM ads a"
        " JOIN ads_advertisers w ON w.number = a.advertiser"
        " WHERE a.anchor = ?1 AND a.state = 0 AND w.state = 0 ORDER BY a.number",
    [FG_ADS_ARM] = "SELECT shown, clicked, learned FROM ads_arms"
                   " WHERE ad = ?1 AND phrase = ?2",
    [FG_ADS_PUT_ARM] = "INSERT INTO ads_arms VALUES(?1, ?2, ?3, ?4, ?5) ON CONFLICT(ad,"
                       " phrase) DO UPDATE SET shown = excluded.shown, clicked ="
                       " excluded.clicked, learned = excluded.learned",
    [FG_ADS_ARMS] = "SELECT count(*) FROM ads_arms WHERE ad = ?1",
    [FG_ADS_PHRASE] = "SELECT queries, learned FROM ads_phrases WHERE phrase = ?1",
    [FG_ADS_PUT_PHRASE] =
        "INSERT INTO ads_phrases VALUES(?1, ?2, ?3) ON CONFLICT(phrase) DO"
        " UPDATE SET queries = excluded.queries, learned ="
        " excluded.learned",
    [FG_ADS_SPENT] = "SELECT spent FROM ads_days WHERE advertiser = ?1 AND day = ?2",
    [FG_ADS_RESERVED] = "SELECT CAST(coalesce(sum(bid), 0) AS BIGINT) FROM ads_displays"
                        " WHERE advertiser = ?1 AND held_until > ?2",
    [FG_ADS_SHOW] = "INSERT INTO ads_displays(ad, advertiser, phrase, bid, held_until,"
                    " expires, shown_before, clicked_before)"
                    " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) RETURNING number",
    [FG_ADS_COUNT_SHOWN_AD] = "UPDATE ads SET shown = shown + 1 WHERE number = ?1",
    [FG_ADS_RENEW] = "UPDATE ads SET bid = ?2, title = ?3, text = ?4, alpha = ?5,"
                     " beta = ?6, state = CASE state WHEN 2 THEN 0 ELSE state END"
                     " WHERE number = ?1",
    [FG_ADS_COUNT_SHOWN] =
        "INSERT INTO ads_days(advertiser, day, shown) VALUES(?1, ?2, 1)"
        " ON CONFLICT(advertiser, day) DO UPDATE SET shown = ads_days.shown + 1",
    [FG_ADS_LEARNED] =
        "UPDATE ads_advertisers SET price = ?2, learned = ?3 WHERE number = ?1",
    [FG_ADS_PACED] = "SELECT number, budget, price, learned FROM ads_advertisers"
                     " WHERE budget >= 0 AND (learned IS NOT NULL OR price > 0)",
    [FG_ADS_DISPLAY] =
        "SELECT d.ad, d.advertiser, d.phrase, d.bid, d.shown_before, d.clicked_before,"
        " w.budget, w.price, w.learned FROM ads_displays d JOIN ads_advertisers w"
        " ON w.number = d.advertiser WHERE d.number = ?1",
    [FG_ADS_DROP_DISPLAY] = "DELETE FROM ads_displays WHERE number = ?1",
    [FG_ADS_DROP_OLD] = "DELETE FROM ads_displays WHERE expires < ?1",
    [FG_ADS_CHARGE] = "INSERT INTO ads_days(advertiser, day, clicked, charged, spent)"
                      " VALUES(?1, ?2, 1, ?3, ?4) ON CONFLICT(advertiser, day) DO UPDATE"
                      " SET clicked = ads_days.clicked + 1, charged ="
                      " ads_days.charged + excluded.charged, spent = ads_days.spent +"
                      " excluded.spent",
    [FG_ADS_CHARGE_AD] =
        "UPDATE ads SET clicked = clicked + 1, spent = spent + ?2 WHERE number = ?1",
    [FG_ADS_URL] = "SELECT url FROM ads WHERE number = ?1",
    [FG_ADS_CLICKER] = "SELECT clicks FROM ads_clickers WHERE day = ?1 AND client = ?2"
                       " AND advertiser = ?3",
    [FG_ADS_COUNT_CLICK] = "INSERT INTO ads_clickers VALUES(?1, ?2, ?3, 1)"
                           " ON CONFLICT(day, client, advertiser) DO UPDATE SET clicks ="
                           " ads_clickers.clicks + 1",
    [FG_ADS_DROP_CLICKERS] = "DELETE FROM ads_clickers WHERE day < ?1",
    [FG_ADS_STATE] = "SELECT bytes FROM ads_state WHERE name = ?1",
    [FG_ADS_PUT_STATE] =
        "INSERT INTO ads_state VALUES(?1, ?2) ON CONFLICT(name) DO UPDATE"
        " SET bytes = excluded.bytes",
    [FG_ADS_FORGET] = "UPDATE ads_advertisers SET price = 0, learned = NULL",
};

struct fg_ads_db {
    struct fg_direct direct;
};

static struct fg_direct *of(struct fg_ads_db *db)
{
    return (struct fg_direct *)db;
}

enum fg_status fg_ads_db_open(struct fg_ads_db **made, const char *place,
                              struct fg_err *err)
{
    struct fg_direct *direct;
    enum fg_status st = fg_direct_open(&direct, place, questions, FG_ADS_QUESTIONS, err);
    *made = (struct fg_ads_db *)direct;
    return st;
}

void fg_ads_db_close(struct fg_ads_db *db)
{
    fg_direct_close(of(db));
}

enum fg_status fg_ads_db_begin(struct fg_ads_db *db, struct fg_err *err)
{
    return fg_direct_begin(of(db), false, err);
}

enum fg_status fg_ads_db_begin_light(struct fg_ads_db *db, struct fg_err *err)
{
    return fg_direct_begin(of(db), true, err);
}

enum fg_status fg_ads_db_end(struct fg_ads_db *db, enum fg_status st, struct fg_err *err)
{
    return fg_direct_end(of(db), st, err);
}

enum fg_status fg_ads_db_ask(struct fg_ads_db *db, enum fg_ads_question question,
                             const struct fg_ads_cell *arguments, fg_ads_take *take,
                             void *context, struct fg_err *err)
{
    return fg_direct_ask(of(db), question, arguments, take, context, err);
}
