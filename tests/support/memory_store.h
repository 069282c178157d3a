/* memory_store.h - a store in memory, to run the store's tests a second time
 *
 *     fg_store_open_on(&store, &memory_store_ops, "any name", NULL, err);
 *
 * It proves that what the store means is not said in SQL. A closed store is kept under
 * its name until memory_store_forget, so that it can be opened again. */
#ifndef FG_TESTS_SUPPORT_MEMORY_STORE_H
#define FG_TESTS_SUPPORT_MEMORY_STORE_H

#include "store/queue.h"

extern const struct fg_backend_ops memory_store_ops;

void memory_store_forget(const char *place);

#endif
