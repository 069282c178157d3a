/* Dates that pages write for people, beside the heading and elsewhere. */
#include "net/facts/facts.h"

#include "net/facts/facts_parts.h"

#include "test.h"

#define PROSE                                                                          \
    "<p>Once upon a time somebody wrote a text of some length about a thing that had " \
    "happened in the town, and other people read it with interest, as they always "    \
    "do.</p>"

static struct fg_arena arena;

static fg_time day(int year, int month, int of_month)
{
    return fg_days_from_date(year, month, of_month) * FG_DAY;
}

/* Noon of 18 November 2026. */
static fg_time now(void)
{
    return day(2026, 11, 18) + 12 * FG_HOUR;
}

static struct fg_facts facts_of(struct fg_str html)
{
    struct fg_page page;
    struct fg_facts facts;
    struct fg_facts_visit visit = {.now = now()};
    fg_page_read(&page, &arena, html, FG_PAGE_ALL);
    fg_facts_read(&facts, &arena, &page, html, &visit);
    return facts;
}

static struct fg_facts facts_of_page(const char *language, const char *body)
{
    fg_arena_reset(&arena);
    struct fg_str html = fg_arena_printf(
        &arena, "<html lang='%s'><title>Flood closes the ring road</title><body>%s",
        language, body);
    return facts_of(html);
}

static struct fg_facts facts_of_line(const char *language, const char *line)
{
    fg_arena_reset(&arena);
    struct fg_str html = fg_arena_printf(
        &arena,
        "<html lang='%s'><title>Flood closes the ring road</title><header><a "
        "href=/>Home</a></header><main><h1>Flood closes the ring road</h1><p>%s</p>" PROSE
            PROSE "</main>",
        language, line);
    return facts_of(html);
}

static void check_line(const char *language, const char *line, fg_time expected)
{
    struct fg_facts facts = facts_of_line(language, line);
    if (facts.published != expected || facts.published_is_day != (expected != FG_NEVER))
        fail_msg("%s: %lld, not %lld", line, (long long)(facts.published / FG_DAY),
                 (long long)(expected / FG_DAY));
}

static void days_are_read_in_many_forms(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "Submitted by webmaster on Tue, 07/23/2024 - 08:12",
        "07/23/2024",
        "23/07/2024",
        "23.07.2024, 08:12 Uhr",
        "Von Redaktion, 23.07.2024",
        "July 23, 2024",
        "Jul. 23, 2024 8:12 am ET",
        "23 July 2024",
        "23rd of July 2024",
        "2024-07-23",
        "2024/07/23 08:12",
        "23 juillet 2024",
        "Publié le 23 juil. 2024 à 08h12",
        "23 de julio de 2024",
        "Pubblicato il 23 luglio 2024",
        "2024年7月23日",
        "2024년 7월 23일",
        "23 июля 2024",
        "23 июля 2024 г.",
        "Geschreven op 23 juli 2024",
        "den 23 juli 2024",
        "23. července 2024",
        "23. 7. 2024",
        "23 lipca 2024",
        "23-Jul-2024",
        "Published: Tue Jul 23 08:12:01 2024",
        "Tuesday, July 23rd, 2024",
        "mardi 23 juillet 2024",
        "By Ann Smith | July 23, 2024",
        "By Ann van der Berg and Bob Jones July 23, 2024",
        "Ann Smith, 23 July 2024",
        "Sports · 23 July 2024 · 5 min read",
        "July 23, 2024 in <a href=/politics>Politics</a>",
        "July 23, 2024 | Updated July 25, 2024",
        "<a href=/ann>Ann Smith</a> – 23.07.2024",
        "<span class=date>23 July 2024</span> <span>3 comments</span>",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        check_line("en", lines[i], day(2024, 7, 23));
}

static void what_counts_back_is_counted_from_the_visit(void **state)
{
    (void)state;
    check_line("en", "Posted 1 year ago", day(2025, 11, 18));
    check_line("en", "3 weeks ago", day(2026, 10, 28));
    check_line("de", "vor 2 Tagen", day(2026, 11, 16));
    check_line("fr", "il y a 2 jours", day(2026, 11, 16));
    check_line("it", "2 giorni fa", day(2026, 11, 16));
    struct fg_facts facts = facts_of_line("en", "By Ann | 3 hours ago");
    assert_int_equal(facts.published, now() - 3 * FG_HOUR);
    assert_int_equal(facts.published_from, now() - 4 * FG_HOUR);
    assert_int_equal(facts.published_until, now() - 3 * FG_HOUR + 30 * FG_MINUTE);
}

static void other_dates_are_left_alone(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "Updated 3 weeks ago",
        "Last updated: July 23, 2024",
        "Stand: 23.07.2024",
        "Mis à jour le 23 juillet 2024",
        "The council met on 23 July 2024",
        "The bridge was opened on 23 July 2024.",
        "Opened 23 July 2024",
        "Released 23 July 2024",
        "Deadline: 23.07.2024",
        "Apply by 23 July 2024",
        "23 July 2024 to 25 July 2024",
        "23.07.2024 - 25.07.2024",
        "From 23 July 2024",
        "Valid until 23.07.2024",
        "© 23 July 2024 The Daily",
        "23 July 1889",
        "23 July 2027",
        "2024",
        "July 2024",
        "31/31/2024",
        "Version 2.10.2024 is out and brings many things",
        "Call 23-07-20245",
        "3 hours",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        check_line("en", lines[i], FG_NEVER);
}

static void the_language_says_which_is_the_month(void **state)
{
    (void)state;
    check_line("en-US", "03/04/2024", day(2024, 3, 4));
    check_line("en-GB", "03/04/2024", day(2024, 4, 3));
    check_line("fr", "03/04/2024", day(2024, 4, 3));
    check_line("en", "03.04.2024", day(2024, 4, 3));
    check_line("en", "04/04/2024", day(2024, 4, 4));
    /* The other reading would be to come. */
    check_line("en", "11/12/2026", day(2026, 11, 12));
    /* Both are left. */
    struct fg_facts facts = facts_of_line("en", "03/04/2024");
    assert_int_equal(facts.published, FG_NEVER);
    assert_int_equal(facts.published_from, day(2024, 3, 4));
    assert_int_equal(facts.published_until, day(2024, 4, 4) + 12 * FG_HOUR);
}

static void check_page(const char *body, fg_time expected)
{
    struct fg_facts facts = facts_of_page("en", body);
    if (facts.published != expected)
        fail_msg("%s: %lld", body, (long long)(facts.published / FG_DAY));
}

static void only_dates_beside_the_heading_count(void **state)
{
    (void)state;
    fg_time then = day(2024, 7, 23);
    check_page("<main><p>July 23, 2024</p><h1>Flood</h1>" PROSE "</main>", then);
    check_page(
        "<article><div class=meta><span>July 23, 2024</span></div><h1>Flood</h1>" PROSE
        "</article>",
        then);
    check_page(
        "<main><h1>Flood</h1><div><div>By Ann</div><div>July 23, 2024</div></div>" PROSE
        "</main>",
        then);
    /* The clock of the site. */
    check_page("<main><p>Wednesday, November 18, 2026</p><h1>Flood</h1>" PROSE "</main>",
               FG_NEVER);
    check_page("<div>July 23, 2024</div><h1>Flood</h1>" PROSE, FG_NEVER);
    check_page("<main><h1>Flood</h1>" PROSE "<p>July 23, 2024</p></main>", FG_NEVER);
    check_page("<h1>Flood</h1><aside>July 23, 2024</aside>" PROSE, FG_NEVER);
    check_page("<h1>Flood</h1>" PROSE "<footer>July 23, 2024</footer>", FG_NEVER);
    check_page("<h1>News</h1><ul><li>July 23, 2024 <a href=/a>Bridge open</a></ul>" PROSE,
               FG_NEVER);
    /* Two of them, as in a list. */
    check_page("<main><h1>News</h1><p>July 23, 2024</p><p>July 22, 2024</p>" PROSE
               "</main>",
               FG_NEVER);
    /* Something that happens then. */
    check_page("<main><h1>Concert</h1><p>July 23, 2024</p><p>Venue: Town hall</p>" PROSE
               "</main>",
               FG_NEVER);
    check_page("<main><h1>Flood</h1><time datetime=2024-07-20>x</time><p>July 23, "
               "2024</p>" PROSE "</main>",
               day(2024, 7, 20));
    fg_arena_clear(&arena);
}

FG_TESTS(days_are_read_in_many_forms, what_counts_back_is_counted_from_the_visit,
         other_dates_are_left_alone, the_language_says_which_is_the_month,
         only_dates_beside_the_heading_count)
