/* What shops call availability and condition, and texts of offers as they are kept. */
#include "net/facts/offer_parts.h"

#include "net/text/prose.h"

/* Without blanks, dashes and underscores, in lower case. */
static const struct word {
    const char *text;
    int meaning;
} availabilities[] =
    {
        {"instock", FG_IN_STOCK},
        {"available", FG_IN_STOCK},
        {"limitedavailability", FG_LIMITED_AVAILABILITY},
        {"onlineonly", FG_ONLINE_ONLY},
        {"instoreonly", FG_IN_STORE_ONLY},
        {"preorder", FG_PRE_ORDER},
        {"presale", FG_PRE_SALE},
        {"backorder", FG_BACK_ORDER},
        {"availablefororder", FG_BACK_ORDER},
        {"pending", FG_BACK_ORDER},
        {"madetoorder", FG_MADE_TO_ORDER},
        {"reserved", FG_RESERVED},
        {"soldout", FG_SOLD_OUT},
        {"outofstock", FG_OUT_OF_STOCK},
        {"oos", FG_OUT_OF_STOCK},
        {"unavailable", FG_OUT_OF_STOCK},
        {"discontinued", FG_DISCONTINUED},
        {0},
},
  conditions[] = {
      {"newcondition", FG_CONDITION_NEW},
      {"new", FG_CONDITION_NEW},
      {"refurbishedcondition", FG_CONDITION_REFURBISHED},
      {"refurbished", FG_CONDITION_REFURBISHED},
      {"usedcondition", FG_CONDITION_USED},
      {"used", FG_CONDITION_USED},
      {"damagedcondition", FG_CONDITION_DAMAGED},
      {"damaged", FG_CONDITION_DAMAGED},
      {0},
};

static bool is_filler(char c)
{
    return fg_is_space(c) || c == '-' || c == '_';
}

static bool is_word(struct fg_str text, const char *word)
{
    size_t n = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (is_filler(text.at[i]))
            continue;
        if (fg_lower(text.at[i]) != word[n])
            return false;
        n++;
    }
    return !word[n];
}

/* Of an address only what is behind the last slash or hash counts. */
static int meaning_of(struct fg_str text, const struct word *words)
{
    text = fg_str_trim(text);
    for (size_t i = text.len; i-- > 0;)
        if (text.at[i] == '/' || text.at[i] == '#' || text.at[i] == ':') {
            text = fg_str_skip(text, i + 1);
            break;
        }
    for (; words->text; words++)
        if (is_word(text, words->text))
            return words->meaning;
    return 0;
}

enum fg_availability fg_availability_parse(struct fg_str text)
{
    return (enum fg_availability)meaning_of(text, availabilities);
}

enum fg_condition fg_condition_parse(struct fg_str text)
{
    return (enum fg_condition)meaning_of(text, conditions);
}

const char *fg_availability_name(enum fg_availability availability)
{
    static const char *const names[] = {
        "",         "InStock",    "LimitedAvailability", "OnlineOnly",  "InStoreOnly",
        "PreOrder", "PreSale",    "BackOrder",           "MadeToOrder", "Reserved",
        "SoldOut",  "OutOfStock", "Discontinued"};
    return names[availability];
}

const char *fg_condition_name(enum fg_condition condition)
{
    static const char *const names[] = {"", "new", "refurbished", "used", "damaged"};
    return names[condition];
}

bool fg_availability_is_open(enum fg_availability availability)
{
    return availability < FG_RESERVED;
}

struct fg_str fg_offer_text(struct fg_arena *arena, struct fg_str text)
{
    struct fg_prose prose;
    fg_prose_init(&prose, FG_OFFER_TEXT_MAX);
    fg_prose_add(&prose, text);
    struct fg_str kept = fg_arena_dup(arena, fg_prose_str(&prose));
    fg_prose_clear(&prose);
    return kept;
}
