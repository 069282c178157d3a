#include "crawl/intake/notices.h"
#include "crawl/sites/lot.h"
#include "crawl/state.h"

#include "base/log.h"
#include "base/memory.h"
#include "store/lots.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NOTICES = 10000 };
const char fg_notices_kind[] = "notices";
static const char *const state_name = "notices";
static const char *const kinds[] = {
    [FG_NOTICE_SEED] = "seed",
    [FG_NOTICE_PAGE] = "page",
    [FG_NOTICE_ROBOTS] = "robots",
    [FG_NOTICE_ANSWER] = "answer",
};

/* --- as text --- */

/* Percent and what would end a field or a line are escaped. */
static void add_text(struct fg_buf *out, const char *key, struct fg_str text)
{
    if (!text.len)
        return;
    fg_buf_printf(out, "\t%s=", key);
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.at[i];
        if (c < 0x20 || c == '%' || c == 0x7F)
            fg_buf_printf(out, "%%%02X", c);
        else
            fg_buf_add_char(out, (char)c);
    }
}

static void add_number(struct fg_buf *out, const char *key, int64_t number)
{
    if (number)
        fg_buf_printf(out, "\t%s=%lld", key, (long long)number);
}

void fg_notice_format(struct fg_buf *out, const struct fg_notice *notice)
{
    fg_buf_printf(out, "%s", kinds[notice->kind]);
    add_text(out, "url", notice->url);
    add_text(out, "host", notice->host);
    add_text(out, "words", notice->words);
    add_number(out, "flags", notice->flags);
    add_number(out, "depth", notice->depth);
    add_number(out, "from", notice->from);
    add_number(out, "status", notice->status);
    if (notice->dated != FG_NEVER)
        fg_buf_printf(out, "\tdated=%lld", (long long)notice->dated); /* 0 is a time */
    add_number(out, "since", notice->since);
    add_number(out, "reported", notice->is_reported);
    add_number(out, "feed", notice->is_in_feed);
    add_text(out, "body", notice->body);
    fg_buf_add_char(out, '\n');
}

static int digit_of(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool decode(struct fg_str *text, struct fg_arena *arena)
{
    char *made = fg_arena_alloc(arena, text->len + 1);
    size_t n = 0;
    for (size_t i = 0; i < text->len; i++) {
        char c = text->at[i];
        if (c == '%') {
            bool is_whole = i + 2 < text->len;
            int high = is_whole ? digit_of(text->at[i + 1]) : -1;
            int low = is_whole ? digit_of(text->at[i + 2]) : -1;
            if (high < 0 || low < 0)
                return false;
            c = (char)(high * 16 + low);
            i += 2;
        }
        made[n++] = c;
    }
    *text = (struct fg_str){made, n};
    return true;
}

static bool set_number(struct fg_notice *notice, struct fg_str key, int64_t number)
{
    static const int64_t most = 1000000;
    bool is_small = number >= 0 && number <= most;
    if (fg_str_eq(key, FG_STR("dated")))
        notice->dated = number;
    else if (fg_str_eq(key, FG_STR("since")))
        notice->since = number;
    else if (fg_str_eq(key, FG_STR("flags")) && number >= 0 && number <= UINT32_MAX)
        notice->flags = (uint32_t)number;
    else if (fg_str_eq(key, FG_STR("depth")) && is_small)
        notice->depth = (unsigned)number;
    else if (fg_str_eq(key, FG_STR("from")) && is_small)
        notice->from = (unsigned)number;
    else if (fg_str_eq(key, FG_STR("status")) && is_small)
        notice->status = (unsigned)number;
    else if (fg_str_eq(key, FG_STR("reported")))
        notice->is_reported = number == 1;
    else if (fg_str_eq(key, FG_STR("feed")))
        notice->is_in_feed = number == 1;
    else
        return false;
    return true;
}

static bool set_field(struct fg_notice *notice, struct fg_arena *arena, struct fg_str key,
                      struct fg_str value)
{
    const struct {
        struct fg_str key, *text;
    } texts[] = {
        {FG_STR("url"), &notice->url},
        {FG_STR("host"), &notice->host},
        {FG_STR("words"), &notice->words},
        {FG_STR("body"), &notice->body},
    };
    int64_t number;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (fg_str_eq(key, texts[i].key)) {
            *texts[i].text = value;
            return decode(texts[i].text, arena);
        }
    return fg_str_to_i64(value, &number) && set_number(notice, key, number);
}

bool fg_notice_parse(struct fg_notice *notice, struct fg_arena *arena, struct fg_str line)
{
    struct fg_str kind, key;
    bool is_sound = true;
    size_t at = 0;
    *notice = (struct fg_notice){.dated = FG_NEVER};
    fg_str_cut(&line, '\t', &kind);
    while (at < sizeof kinds / sizeof *kinds && !fg_str_eq(kind, fg_str_from(kinds[at])))
        at++;
    notice->kind = (enum fg_notice_kind)at;
    struct fg_str field;
    while (is_sound && line.len && fg_str_cut(&line, '\t', &field)) {
        size_t equals = fg_str_chr(field, '=');
        is_sound = equals != FG_NOT_FOUND;
        key = is_sound ? fg_str_sub(field, 0, equals) : field;
        is_sound =
            is_sound && set_field(notice, arena, key, fg_str_skip(field, equals + 1));
    }
    return is_sound && at < sizeof kinds / sizeof *kinds && notice->url.len;
}

/* --- written here --- */

static char *copy_text(struct fg_str text)
{
    char *copy = fg_zeroed(text.len + 1, 1);
    memcpy(copy, text.at, text.len);
    return copy;
}

void notices_write(struct fg_crawl *crawl, const struct fg_notice *notice)
{
    struct crawl_notices *notices = &crawl->intake.notices;
    bool is_answer = notice->kind == FG_NOTICE_ANSWER;
    bool is_kept = notice->kind == FG_NOTICE_SEED || notice->kind == FG_NOTICE_PAGE;
    unsigned lot =
        is_answer ? notice->from : fg_lot_whose(&crawl->options.lot, notice->url);
    struct fg_notice ours = *notice;
    struct fg_buf line;
    if (notices->written.len >= MOST_NOTICES) {
        fg_log_warn("crawl", "too much waits to be told to other lots", FG_F("lot", lot),
                    FG_F("left_out", notice->url));
        return;
    }
    ours.from = crawl->options.lot.lot;
    fg_buf_init(&line, SIZE_MAX);
    fg_notice_format(&line, &ours);
    struct notice_line made = {
        .text = copy_text(fg_buf_str(&line)), .lot = lot, .is_kept = is_kept};
    fg_buf_clear(&line);
    fg_vec_push(&notices->written, made);
    notices->is_unkept |= is_kept;
}

static void add_kept(struct fg_buf *text, const struct notice_line *lines, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (lines[i].is_kept)
            fg_buf_printf(text, "%u\t%s", lines[i].lot, lines[i].text);
}

void notices_keep(struct fg_crawl *crawl, struct fg_batch *batch)
{
    struct crawl_notices *notices = &crawl->intake.notices;
    struct fg_buf text;
    if (!notices->is_unkept)
        return;
    notices->is_unkept = false;
    fg_buf_init(&text, SIZE_MAX);
    add_kept(&text, notices->out.at, notices->out.len);
    add_kept(&text, notices->written.at, notices->written.len);
    fg_batch_state(batch, 0, state_name,
                   text.len ? fg_buf_str(&text) : (struct fg_str){0});
    fg_buf_clear(&text);
}

void notices_recall(struct fg_crawl *crawl)
{
    struct fg_arena arena = {0};
    struct fg_str text = {0}, line, lot;
    uint64_t number;
    if (crawl->options.lot.lots &&
        fg_store_state(crawl->store, &text, &arena, 0, state_name, NULL))
        text = (struct fg_str){0};
    while (text.len && fg_str_cut(&text, '\n', &line)) {
        bool is_sound = fg_str_cut(&line, '\t', &lot) && fg_str_to_u64(lot, &number) &&
                        number < crawl->options.lot.lots;
        if (!is_sound)
            continue;
        struct fg_str whole = fg_arena_printf(&arena, "%.*s\n", FG_ARG(line));
        struct notice_line kept = {
            .text = copy_text(whole), .lot = (unsigned)number, .is_kept = true};
        fg_vec_push(&crawl->intake.notices.written, kept);
    }
    fg_arena_clear(&arena);
}

/* --- on their way --- */

/* All for one lot at a time. What cannot be delivered is tried again in the next round.
 */
static void *deliver(void *context)
{
    struct fg_crawl *crawl = context;
    struct crawl_notices *notices = &crawl->intake.notices;
    const struct fg_lot_options *lot = &crawl->options.lot;
    struct fg_arena arena = {0};
    for (unsigned to = 0; to < lot->lots; to++) {
        struct fg_buf text;
        fg_buf_init(&text, SIZE_MAX);
        for (size_t i = 0; i < notices->out.len; i++)
            if (notices->out.at[i].lot == to)
                fg_buf_add(&text, fg_str_from(notices->out.at[i].text));
        bool is_there =
            text.len && !fg_store_post(fg_lots_place(&arena, lot->whole, to),
                                       fg_notices_kind, fg_buf_str(&text), NULL);
        for (size_t i = 0; is_there && i < notices->out.len; i++)
            notices->out.at[i].is_delivered |= notices->out.at[i].lot == to;
        fg_buf_clear(&text);
    }
    fg_arena_clear(&arena);
    notices->is_back = true;
    return NULL;
}

static void welcome_courier(struct crawl_notices *notices)
{
    size_t kept = 0;
    pthread_join(notices->courier, NULL);
    notices->has_courier = false;
    for (size_t i = 0; i < notices->out.len; i++) {
        struct notice_line line = notices->out.at[i];
        if (line.is_delivered) {
            notices->is_unkept |= line.is_kept;
            free(line.text);
        } else {
            notices->out.at[kept++] = line;
        }
    }
    notices->out.len = kept;
    notices->is_stuck = kept > 0;
}

/* Only what is on disk is told: nobody is to act on what a crash would undo. */
static void send_courier(struct fg_crawl *crawl)
{
    struct crawl_notices *notices = &crawl->intake.notices;
    for (size_t i = 0; i < notices->n_durable; i++)
        fg_vec_push(&notices->out, notices->written.at[i]);
    notices->written.len -= notices->n_durable;
    if (notices->written.len)
        memmove(notices->written.at, notices->written.at + notices->n_durable,
                notices->written.len * sizeof *notices->written.at);
    notices->n_durable = 0;
    notices->is_back = false;
    notices->has_courier =
        notices->out.len && pthread_create(&notices->courier, NULL, deliver, crawl) == 0;
}

void notices_review(struct fg_crawl *crawl, bool is_beat)
{
    struct crawl_notices *notices = &crawl->intake.notices;
    if (notices->has_courier && notices->is_back)
        welcome_courier(notices);
    notices->is_stuck &= !is_beat;
    if (notices->number && notices->number <= fg_store_durable(crawl->store) &&
        !notices->has_courier) {
        send_courier(crawl);
        notices->number = 0;
    }
    bool has_more = notices->written.len || notices->out.len || notices->is_unkept;
    if (!notices->number && !notices->has_courier && !notices->is_stuck && has_more) {
        struct fg_batch *batch = fg_batch_new(crawl->store);
        notices_keep(crawl, batch);
        notices->number = fg_store_submit(crawl->store, batch);
        notices->n_durable = notices->written.len;
    }
}

void notices_end(struct fg_crawl *crawl)
{
    struct crawl_notices *notices = &crawl->intake.notices;
    if (notices->has_courier)
        pthread_join(notices->courier, NULL);
    for (size_t i = 0; i < notices->out.len; i++)
        free(notices->out.at[i].text);
    for (size_t i = 0; i < notices->written.len; i++)
        free(notices->written.at[i].text);
    fg_vec_clear(&notices->out);
    fg_vec_clear(&notices->written);
}
