/* postgres_server.h - a PostgreSQL for tests
 *
 *     const char *address = postgres_address();
 *     if (!address) skip();
 *     ...a store at "<address>#name"...
 *     postgres_drop(place);
 *
 * tests/run starts one server for all tests and names it in FORAGE_POSTGRES; a test that
 * runs alone starts its own, and stops it when it ends. */
#ifndef FG_TESTS_SUPPORT_POSTGRES_SERVER_H
#define FG_TESTS_SUPPORT_POSTGRES_SERVER_H

/* NULL: it is not installed here. */
const char *postgres_address(void);
/* A server of the test's own, to be killed and started again. */
const char *postgres_own_address(void);
void postgres_kill(void);
void postgres_start_again(void);
/* Statements on that server, whatever comes of them. */
void postgres_run(const char *address, const char *sql);
/* The schema of a place and all that is in it. */
void postgres_drop(const char *place);

#endif
