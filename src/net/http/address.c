/* The ranges are those of IANA's special-purpose address registries (RFC 6890 and its
 * successors) that are not globally reachable, and multicast. */
#include "net/http/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>

static const struct range4 {
    uint32_t first;
    int bits;
} special4[] = {
    {0x00000000, 8},  /* this network */
    {0x0A000000, 8},  /* private */
    {0x64400000, 10}, /* carrier-grade NAT */
    {0x7F000000, 8},  /* loopback */
    {0xA9FE0000, 16}, /* link-local, cloud metadata */
    {0xAC100000, 12}, /* private */
    {0xC0000000, 24}, /* protocol assignments */
    {0xC0000200, 24}, /* documentation */
    {0xC0586300, 24}, /* 6to4 relays, deprecated */
    {0xC0A80000, 16}, /* private */
    {0xC6120000, 15}, /* benchmarking */
    {0xC6336400, 24}, /* documentation */
    {0xCB007100, 24}, /* documentation */
    {0xE0000000, 3},  /* multicast, reserved, broadcast */
};

/* Within 2000::/3, which is all that has been given out; whatever lies beyond (unique
 * local, link-local, multicast, discard, IPv4-translated, segment routing) is not public.
 */
static const struct range6 {
    uint8_t first[4]; /* enough for the longest prefix here */
    int bits;
} special6[] = {
    {{0x20, 0x01, 0x00}, 23},       /* protocol assignments, Teredo */
    {{0x20, 0x01, 0x0d, 0xb8}, 32}, /* documentation */
    {{0x3f, 0xff, 0x00}, 20},       /* documentation */
};

static bool is_public4(uint32_t address)
{
    for (size_t i = 0; i < sizeof special4 / sizeof *special4; i++)
        if ((address ^ special4[i].first) >> (32 - special4[i].bits) == 0)
            return false;
    return true;
}

static bool has_prefix(const uint8_t *address, const struct range6 *range)
{
    int whole = range->bits / 8, rest = range->bits % 8;
    if (memcmp(address, range->first, (size_t)whole) != 0)
        return false;
    return !rest || (address[whole] ^ range->first[whole]) >> (8 - rest) == 0;
}

static uint32_t read4(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static bool is_mapped(const uint8_t *a)
{
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
    return memcmp(a, mapped, 12) == 0;
}

/* The IPv4 address an IPv6 address stands for, if it does. */
static bool embedded4(const uint8_t *a, uint32_t *address)
{
    static const uint8_t nat64[12] = {0x00, 0x64, 0xff, 0x9b};
    if (is_mapped(a) || memcmp(a, nat64, 12) == 0) {
        *address = read4(a + 12);
        return true;
    }
    if (a[0] == 0x20 && a[1] == 0x02) { /* 6to4 */
        *address = read4(a + 2);
        return true;
    }
    return false;
}

static bool is_public6(const uint8_t *a)
{
    uint32_t inner;
    if (embedded4(a, &inner))
        return is_public4(inner);
    if (a[0] >> 5 != 1)
        return false;
    for (size_t i = 0; i < sizeof special6 / sizeof *special6; i++)
        if (has_prefix(a, &special6[i]))
            return false;
    return true;
}

bool fg_address_is_public(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET)
        return is_public4(
            ntohl(((const struct sockaddr_in *)(const void *)address)->sin_addr.s_addr));
    if (address->sa_family == AF_INET6)
        return is_public6(
            ((const struct sockaddr_in6 *)(const void *)address)->sin6_addr.s6_addr);
    return false;
}

bool fg_address_is_loopback(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET)
        return ntohl(((const struct sockaddr_in *)(const void *)address)
                         ->sin_addr.s_addr) >>
                   24 ==
               127;
    if (address->sa_family != AF_INET6)
        return false;
    const uint8_t *a =
        ((const struct sockaddr_in6 *)(const void *)address)->sin6_addr.s6_addr;
    static const uint8_t one[16] = {[15] = 1};
    /* Tunnels to 127.0.0.0/8 (NAT64, 6to4) do not end on this machine. */
    return memcmp(a, one, 16) == 0 || (is_mapped(a) && a[12] == 127);
}

bool fg_address_allowed(const struct sockaddr *address, enum fg_reach reach)
{
    bool is_ip = address->sa_family == AF_INET || address->sa_family == AF_INET6;
    return fg_address_is_public(address) || (is_ip && reach == FG_REACH_ANY) ||
           (reach == FG_REACH_LOOPBACK && fg_address_is_loopback(address));
}
