/* The address that a host is at, and whose turn it is there: in this process by a row of
 * turns (shared_pace.h), among all that ask it by store/addresses.h. */
#include "crawl/host/polite_parts.h"

#include <math.h>

static struct fg_str hostname_in(struct fg_str key)
{
    size_t colon = fg_str_find(key, FG_STR("://"));
    struct fg_str host = colon == FG_NOT_FOUND ? key : fg_str_skip(key, colon + 3);
    size_t port = fg_str_chr(host, ':'); /* an address has no domain anyway */
    return port == FG_NOT_FOUND ? host : fg_str_sub(host, 0, port);
}

void polite_name_address(struct host *host)
{
    host->has_address =
        fg_shared_group_of_name(host->group, hostname_in(fg_str_from(host->key)),
                                host->polite->options.rules.shares_loopback);
    host->is_looked_up = host->has_address;
}

void polite_note_address(struct host *host, const struct fg_response *response)
{
    if (fg_shared_group(host->group, response,
                        host->polite->options.rules.shares_loopback))
        host->has_address = true;
}

fg_time polite_turn_of(struct host *host, fg_time now)
{
    return fg_shared_turn(&host->polite->turns, host->group,
                          host->polite->options.rules.address_delay, now);
}

bool polite_enter(struct host *host)
{
    const struct fg_polite_options *options = &host->polite->options;
    if (!options->addresses || !host->has_address || !*host->group ||
        options->rules.address_delay <= 0)
        return true;
    host->entered = fg_addresses_enter(options->addresses, host->group);
    return host->entered != NULL;
}

void polite_tell_delay(struct fg_polite *polite)
{
    double delay = (double)polite->options.rules.address_delay / polite->clock->speed;
    if (polite->options.addresses)
        fg_addresses_set_delay(polite->options.addresses, (fg_time)ceil(delay));
}
