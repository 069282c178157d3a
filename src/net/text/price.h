/* price.h - a price as shops write it, as a decimal and a currency
 *
 *     struct fg_price price;
 *     if (fg_price_parse(&price, FG_STR("ab 1.299,00 €"), FG_PRICE_FOR_PEOPLE))
 *         price.amount is "1299.00", price.currency is "EUR"
 *
 * Two texts that mean the same price give the same letters, so that they can be compared
 * and hashed: no grouping, a point, at least two decimals, no zeros behind those. Read
 * are points, commas, apostrophes and blanks of any kind as grouping or decimal mark,
 * Indian grouping, "12,-", "12€50", "99¢", some forty marks of currencies and the codes
 * of ISO 4217. "$" alone is the US dollar, "kr" says nothing.
 *
 * Of several numbers the first with a currency beside it counts, else the first that is
 * no percentage. "1.299" and "1,299" are ambiguous: for people they are thousands, and so
 * is the comma in markup, where the point is decimal as schema.org asks. */
#ifndef FG_NET_PRICE_H
#define FG_NET_PRICE_H

#include "base/str.h"

enum { FG_PRICE_AMOUNT = 24 };

struct fg_price {
    char amount[FG_PRICE_AMOUNT]; /* "1299.00"; empty: none */
    char currency[4];             /* "EUR"; empty: not known */
};

enum fg_price_reader { FG_PRICE_FOR_PEOPLE, FG_PRICE_FOR_MACHINES };

/* False if there is no price in it. At most 15 digits before the point and 6 behind. */
bool fg_price_parse(struct fg_price *price, struct fg_str text,
                    enum fg_price_reader reader);

/* A code of ISO 4217, in any case, or a mark such as "€"; false if it is none. */
bool fg_currency_parse(char currency[4], struct fg_str text);

/* As strcmp does, by what they are worth; the currency is not looked at. */
int fg_price_cmp(const struct fg_price *a, const struct fg_price *b);

#endif
