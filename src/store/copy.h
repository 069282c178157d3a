/* copy.h - a whole store from one place to another, whatever back ends they have
 *
 *     struct fg_store_copied copied;
 *     fg_store_copy("workspace", "postgresql://host/db", &copied, err);
 *
 * Rows come as they are, byte for byte, in one transaction: the new place has all of them
 * or nothing. It must be empty, and nobody may write to either. The index is made anew
 * from the texts. Advertisements are no rows of the crawl, and stay. */
#ifndef FG_STORE_COPY_H
#define FG_STORE_COPY_H

#include "store/store.h"

struct fg_store_copied {
    uint64_t rows, pages, visits, events;
};

enum fg_status fg_store_copy(const char *from, const char *to,
                             struct fg_store_copied *copied, struct fg_err *err);

#endif
