/* schedule.c - a crawl of a pretended web, scheduled by libforage
 *
 *     cc schedule.c $(pkg-config --cflags --libs forage) -o schedule && ./schedule
 *
 * Twenty lists get new articles, the first ones often and the last ones hardly ever, and
 * each shows its ten newest. Four fetches are made each quarter of an hour, for two days:
 * once as libforage says, once by turns. */
#include <forage.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LISTS = 20, SHOWN = 10, FETCHES = 4, TURNS = 2 * 24 * 4 };
static const int64_t quarter = 15 * 60 * INT64_C(1000000);

/* Articles that a list has had by then: the first one gets four in a quarter. */
static int articles(int list, int turn)
{
    return SHOWN + turn * 60 / (20 * (list + 1) * (list + 1) / 4 + 15);
}

static void name_article(char *out, size_t size, int list, int article)
{
    snprintf(out, size, "https://news.example/%d/article-%d", list, article);
}

/* What the list shows; returns how many of it nobody has reported before. */
static size_t fetch(struct forage_scheduler *s, const struct forage_lease *lease,
                    int turn)
{
    char names[SHOWN][80];
    const char *links[SHOWN];
    int list = atoi(strrchr(lease->page, '/') + 1);
    for (int i = 0; i < SHOWN; i++) {
        name_article(names[i], sizeof names[i], list, articles(list, turn) - i);
        links[i] = names[i];
    }
    struct forage_visit visit = {.links = links, .n_links = SHOWN};
    int fate = forage_report(s, turn * quarter, lease->number, &visit);
    return fate == FORAGE_COUNTED && turn > 0 ? visit.n_new : 0;
}

static size_t crawl(const char *policy)
{
    struct forage_error error;
    struct forage_lease leases[LISTS];
    size_t found = 0;
    struct forage_scheduler *s = forage_new(policy, NULL, 1, &error);
    if (!s) {
        fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
    forage_set(s, "delay", 0, &error);
    forage_set(s, "only-added", 1, &error); /* articles are only counted here */
    for (int i = 0; i < LISTS; i++) {
        char name[80];
        snprintf(name, sizeof name, "https://news.example/%d", i);
        forage_add(s, name, NULL, 0, &error);
    }
    for (int turn = 0; turn < TURNS; turn++) {
        /* The first time, each list is seen once: that is its stock. */
        size_t n = forage_next(s, turn * quarter, turn ? FETCHES : LISTS, 0, leases);
        char names[LISTS][80]; /* a report may move the names of leases */
        for (size_t i = 0; i < n; i++) {
            snprintf(names[i], sizeof names[i], "%s", leases[i].page);
            leases[i].page = names[i];
        }
        for (size_t i = 0; i < n; i++)
            found += fetch(s, &leases[i], turn);
    }
    forage_free(s);
    return found;
}

int main(void)
{
    size_t published = 0;
    for (int i = 0; i < LISTS; i++)
        published += (size_t)(articles(i, TURNS - 1) - articles(i, 0));
    size_t learnt = crawl("link-types"), by_turns = crawl("round-robin");
    printf("libforage %s: of %zu articles, %zu found as learnt, %zu by turns\n",
           forage_version(), published, learnt, by_turns);
    return learnt > by_turns ? 0 : 1;
}
