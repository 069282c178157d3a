#include "net/url/domain.h"

#include "net/url/host.h"

#include <libpsl.h>
#include <pthread.h>

/* struct fg_domain_list is a psl_ctx_t by another name. */

enum { LONGEST_NAME = 253 }; /* of DNS */

static const psl_ctx_t *shared;
static pthread_once_t loaded = PTHREAD_ONCE_INIT;

static void load_shared(void)
{
    shared = psl_latest(NULL);
}

static struct fg_str registrable(const psl_ctx_t *list, struct fg_str host)
{
    static const struct fg_str none = {"", 0};
    char name[LONGEST_NAME + 1];
    struct fg_str bare = host;
    if (bare.len && bare.at[bare.len - 1] == '.')
        bare.len--;
    if (!list || bare.len == 0 || bare.len > LONGEST_NAME || bare.at[0] == '.' ||
        fg_str_find(bare, FG_STR("..")) != FG_NOT_FOUND || fg_host_is_address(bare))
        return none;
    memcpy(name, bare.at, bare.len);
    name[bare.len] = '\0';
    const char *found = psl_registrable_domain(list, name);
    return found ? fg_str_skip(bare, (size_t)(found - name)) : none;
}

struct fg_str fg_domain_registrable(struct fg_str host)
{
    pthread_once(&loaded, load_shared);
    return registrable(shared, host);
}

enum fg_status fg_domain_list_load(struct fg_domain_list **list, const char *path,
                                   struct fg_err *err)
{
    *list = (struct fg_domain_list *)psl_load_file(path);
    return *list ? FG_OK : fg_fail(err, FG_EIO, "cannot read suffix list '%s'", path);
}

struct fg_str fg_domain_registrable_in(const struct fg_domain_list *list,
                                       struct fg_str host)
{
    return registrable((const psl_ctx_t *)list, host);
}

void fg_domain_list_free(struct fg_domain_list *list)
{
    psl_free((psl_ctx_t *)list);
}
