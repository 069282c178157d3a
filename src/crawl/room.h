/* room.h - what may be asked for in this tick, whoever chooses: which pages wait, which
 * of the documents are due, and what their sites have room for */
#ifndef FG_CRAWL_ROOM_H
#define FG_CRAWL_ROOM_H

#include "base/time.h"
#include "policy/mind.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fg_crawl;
struct site;

/* What a look must be worth, in hours of delay that it ends. */
double room_floor(const struct fg_crawl *crawl);
/* Asks of a site that may be on their way before no more of its stock are made. */
unsigned room_most_open(const struct fg_crawl *crawl);
/* A policy passes over pages of sites that rest or are full, and what is pushed to us. */
void room_block(struct fg_crawl *crawl, struct fg_mind *mind, fg_time now);
/* What each site and all together can take of documents in this tick. */
void room_limit_documents(struct fg_crawl *crawl);
/* `at` is its place in the world of the refresh policy. */
bool room_document_is_due(struct fg_crawl *crawl, size_t at, uint32_t row, fg_time now);
/* May the stock of this site be looked through? */
bool room_stock_waits(const struct fg_crawl *crawl, const struct site *site, fg_time now);

#endif
