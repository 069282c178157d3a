/* domain.h - to whom a host belongs: the registrable domain, by the Public Suffix List
 *
 *     fg_domain_registrable(FG_STR("news.bbc.co.uk"))      "bbc.co.uk"
 *     fg_domain_registrable(FG_STR("co.uk"))               ""
 *
 * Budgets and quotas are per registrable domain, so that a farm of subdomains counts as
 * one. The newer of the system's list and the one compiled into libpsl is loaded at first
 * use and kept, read-only, for all threads. */
#ifndef FG_NET_DOMAIN_H
#define FG_NET_DOMAIN_H

#include "base/err.h"
#include "base/str.h"

/* The part of `host` one level below its public suffix, as a view of it. Empty if there
 * is none: the host is itself a suffix, an address, has an empty label, or is no host of
 * the internet. Hosts are as fg_url_hostname gives them; a dot at the end is ignored. */
struct fg_str fg_domain_registrable(struct fg_str host);

/* The same with a list from a file in the format of publicsuffix.org. */
struct fg_domain_list;
enum fg_status fg_domain_list_load(struct fg_domain_list **list, const char *path,
                                   struct fg_err *err);
struct fg_str fg_domain_registrable_in(const struct fg_domain_list *list,
                                       struct fg_str host);
void fg_domain_list_free(struct fg_domain_list *list);

#endif
