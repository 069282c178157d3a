#include "net/http/fetch_parts.h"

#include "net/url/host.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

/* How long a name's address is remembered: for some requests, and no longer. */
enum { NAMES_SECONDS = 30 };

static const char page_accept[] =
    "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

static const char nobody_answers[] =
    "nobody answers for this crawl, so it may not leave this machine";

const char *fetch_refusal(const struct fg_fetch_options *options,
                          const struct sockaddr *address)
{
    if (options->is_anonymous && !fg_address_is_loopback(address))
        return nobody_answers;
    return fg_address_allowed(address, options->reach) ? NULL
                                                       : "the address is not public";
}

static void add_header(struct transfer *transfer, const char *name, struct fg_str value)
{
    /* A validator is what a server once said: it must not carry a line break back. */
    for (size_t i = 0; i < value.len; i++)
        if ((unsigned char)value.at[i] < 0x20 || value.at[i] == 0x7F)
            return;
    struct fg_buf line;
    fg_buf_init(&line, 4096);
    if (fg_buf_printf(&line, "%s: %.*s", name, FG_ARG(value)))
        transfer->header_list = curl_slist_append(transfer->header_list, line.at);
    fg_buf_clear(&line);
}

static void set_headers(struct transfer *transfer, const struct fg_request *request)
{
    bool is_plain = !request->accept && !request->etag.len &&
                    !request->last_modified.len && !request->headers && !request->body.at;
    if (is_plain && transfer->asks_plainly)
        return;
    transfer->asks_plainly = is_plain;
    curl_slist_free_all(transfer->header_list);
    transfer->header_list = NULL;
    if (request->accept)
        add_header(transfer, "Accept", fg_str_from(request->accept));
    else
        transfer->header_list = curl_slist_append(transfer->header_list, page_accept);
    if (transfer->fetcher->from_line)
        transfer->header_list =
            curl_slist_append(transfer->header_list, transfer->fetcher->from_line);
    if (request->etag.len)
        add_header(transfer, "If-None-Match", request->etag);
    if (request->last_modified.len)
        add_header(transfer, "If-Modified-Since", request->last_modified);
    for (const char *const *line = request->headers; line && *line; line++)
        transfer->header_list = curl_slist_append(transfer->header_list, *line);
    curl_easy_setopt(transfer->easy, CURLOPT_HTTPHEADER, transfer->header_list);
}

static void set_method(struct transfer *transfer, const struct fg_request *request)
{
    if (request->body.at) {
        curl_easy_setopt(transfer->easy, CURLOPT_POST, 1L);
        curl_easy_setopt(transfer->easy, CURLOPT_POSTFIELDS, request->body.at);
        curl_easy_setopt(transfer->easy, CURLOPT_POSTFIELDSIZE_LARGE,
                         (curl_off_t)request->body.len);
    } else if (transfer->has_posted) {
        curl_easy_setopt(transfer->easy, CURLOPT_HTTPGET, 1L);
    }
    transfer->has_posted = request->body.at != NULL;
}

/* Scheme and host of a URL in its standard form. */
static bool split_url(struct fg_str url, struct fg_str *scheme, struct fg_str *host)
{
    size_t colon = fg_str_find(url, FG_STR("://"));
    if (colon == FG_NOT_FOUND)
        return false;
    *scheme = fg_str_sub(url, 0, colon);
    struct fg_str rest = fg_str_skip(url, colon + 3), port;
    size_t end = 0;
    while (end < rest.len && rest.at[end] != '/' && rest.at[end] != '?' &&
           rest.at[end] != '#')
        end++;
    rest = fg_str_sub(rest, 0, end);
    size_t at = fg_str_chr(rest, '@');
    *host = at == FG_NOT_FOUND ? rest : fg_str_skip(rest, at + 1);
    port =
        fg_str_skip(*host, host->len && host->at[0] == '[' ? fg_str_chr(*host, ']') : 0);
    size_t digits = fg_str_chr(port, ':');
    if (digits != FG_NOT_FOUND)
        *host = fg_str_sub(*host, 0, host->len - (port.len - digits));
    return host->len &&
           (fg_str_eq(*scheme, FG_STR("http")) || fg_str_eq(*scheme, FG_STR("https")));
}

/* A proxy connects to what we name, so an address that we would refuse is not named. Nor
 * is a name looked up for a crawl that may not leave this machine: a look-up leaves it.
 */
static const char *refusal_of_literal(const struct fg_fetch_options *options,
                                      struct fg_str host)
{
    char text[INET6_ADDRSTRLEN];
    struct sockaddr_in four = {.sin_family = AF_INET};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6};
    if (host.len && host.at[0] == '[')
        host = fg_str_sub(host, 1, host.len - 1);
    if (host.len >= sizeof text)
        return NULL;
    memcpy(text, host.at, host.len);
    text[host.len] = '\0';
    if (inet_pton(AF_INET, text, &four.sin_addr) == 1)
        return fetch_refusal(options, (const struct sockaddr *)&four);
    if (inet_pton(AF_INET6, text, &six.sin6_addr) == 1)
        return fetch_refusal(options, (const struct sockaddr *)&six);
    return NULL;
}

static void set_address(struct transfer *transfer, struct fg_str url)
{
    struct fg_fetcher *fetcher = transfer->fetcher;
    struct fg_str scheme, host;
    const char *proxy = "";
    bool was_proxied = transfer->is_proxied;
    fg_buf_reset(&transfer->url);
    fg_buf_add(&transfer->url, url);
    fg_buf_add_char(&transfer->url, '\0');
    transfer->is_bad_url = transfer->url.full || strlen(transfer->url.at) != url.len ||
                           !split_url(url, &scheme, &host);
    if (!transfer->is_bad_url && !fetcher->options.is_anonymous)
        proxy = fg_proxy_for(&fetcher->proxies, scheme, host);
    transfer->is_proxied = *proxy;
    transfer->address.refusal =
        transfer->is_proxied ? refusal_of_literal(&fetcher->options, host) : NULL;
    if (!transfer->is_bad_url && fetcher->options.is_anonymous && !fg_host_is_local(host))
        transfer->address.refusal = nobody_answers;
    transfer->is_bad_url |= transfer->address.refusal != NULL;
    transfer->request.url = (struct fg_str){transfer->url.at, url.len};
    if (was_proxied || transfer->is_proxied)
        curl_easy_setopt(transfer->easy, CURLOPT_PROXY, proxy);
    /* curl walks over all names that it remembers whenever a transfer ends: with
     * thousands of hosts that was a third of all work. An address is not worth it. */
    bool is_name = !transfer->is_bad_url && !fg_host_is_address(host);
    curl_easy_setopt(transfer->easy, CURLOPT_DNS_CACHE_TIMEOUT,
                     is_name ? (long)NAMES_SECONDS : 0L);
    /* What must not be asked leaves curl with something it will refuse. */
    curl_easy_setopt(transfer->easy, CURLOPT_URL,
                     transfer->is_bad_url ? "" : transfer->url.at);
}

void fetch_prepare(struct transfer *transfer, const struct fg_request *request)
{
    set_headers(transfer, request);
    set_method(transfer, request);
    set_address(transfer, request->url);
}
