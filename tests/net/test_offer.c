/* Pages in the shapes that shop software writes. */
#include "net/facts/offer.h"

#include "base/buf.h"

#include "test.h"

#define PAGE  FG_PAGE_HEAD | FG_PAGE_JSON_LD | FG_PAGE_TEXT
#define LD(x) "<script type='application/ld+json'>" x "</script>"

/* What a page offers: "price high currency availability condition|name|brand|category|
 * seller|country|language". */
static void check(const char *html, const char *expected)
{
    struct fg_arena arena = {0};
    struct fg_page page;
    struct fg_offer o;
    struct fg_buf said;
    fg_buf_init(&said, 4000);
    fg_page_read(&page, &arena, fg_str_from(html), PAGE);
    bool is_offer = fg_offer_read(&o, &arena, &page, fg_str_from(html));
    fg_buf_printf(&said, "%s %s %s %s %s|%.*s|%.*s|%.*s|%.*s|%.*s|%.*s", o.price.amount,
                  o.high, o.price.currency, fg_availability_name(o.availability),
                  fg_condition_name(o.condition), FG_ARG(o.name), FG_ARG(o.brand),
                  FG_ARG(o.category), FG_ARG(o.seller), FG_ARG(o.country),
                  FG_ARG(o.language));
    assert_str(fg_buf_str(&said), expected);
    assert_int_equal(is_offer, o.price.amount[0] || o.availability);
    fg_buf_clear(&said);
    fg_arena_clear(&arena);
}

static const char nothing[] = "    ||||||";

static void json_ld_of_a_product_is_read(void **state)
{
    (void)state;
    check("<html lang=en-GB>" LD(
              "{\"@context\":\"https://schema.org/\",\"@type\":\"Product\","
              "\"name\":\"Kettle &amp; Co\",\"sku\":\"K-1\",\"category\":\"Kitchen\","
              "\"brand\":{\"@type\":\"Brand\",\"name\":\"Acme\"},"
              "\"offers\":{\"@type\":\"Offer\",\"price\":\"29.90\","
              "\"priceCurrency\":\"GBP\",\"availability\":\"https://schema.org/InStock\","
              "\"itemCondition\":\"https://schema.org/NewCondition\","
              "\"seller\":{\"@type\":\"Organization\",\"name\":\"Acme  Shop\"}}}"),
          "29.90  GBP InStock new|Kettle & Co|Acme|Kitchen|Acme Shop|GB|en");
    check(LD("{\"@type\":\"Product\",\"name\":\"N\",\"brand\":\"B\","
             "\"offers\":[{\"price\":12,\"priceCurrency\":\"usd\","
             "\"availability\":\"http://schema.org/OutOfStock\"}]}"),
          "12.00  USD OutOfStock |N|B||||");
    check(LD("{\"@type\":[\"Product\",\"Thing\"],\"name\":\"N\","
             "\"offers\":{\"price\":\"1.299,00 €\"}}"),
          "1299.00  EUR  |N|||||");
    check(LD("{\"@type\":\"Product\",\"name\":\"N\","
             "\"offers\":{\"price\":12.99,\"priceCurrency\":\"EUR\"}}"),
          "12.99  EUR  |N|||||");
}

/* As the plug-ins of WordPress write it: many things in one graph, tied by their ids. */
static void graph_is_searched_and_references_followed(void **state)
{
    (void)state;
    check(LD("{\"@graph\":[{\"@type\":\"WebSite\",\"@id\":\"#site\",\"name\":\"Shop\"},"
             "{\"@type\":\"BreadcrumbList\",\"itemListElement\":[{\"@type\":\"ListItem\"}"
             "]},"
             "{\"@type\":\"Product\",\"@id\":\"#p\",\"name\":\"Lamp\","
             "\"offers\":[{\"@id\":\"#o\"}]},"
             "{\"@type\":\"Offer\",\"@id\":\"#o\",\"price\":\"10\","
             "\"priceCurrency\":\"EUR\",\"availability\":{\"@id\":\"schema:InStock\"},"
             "\"seller\":{\"@id\":\"#site\"}}]}"),
          "10.00  EUR InStock |Lamp|||Shop||");
    check(LD("{\"@type\":\"ItemPage\",\"mainEntity\":{\"@type\":\"Product\","
             "\"name\":\"Main\",\"offers\":{\"price\":\"5\",\"priceCurrency\":\"EUR\"}}}")
              LD("[{\"@type\":\"Product\",\"name\":\"Other\",\"offers\":{\"price\":\"6\"}"
                 "}]"),
          "5.00  EUR  |Main|||||");
    /* ids that go round in a circle */
    check(LD("{\"@graph\":[{\"@type\":\"Product\",\"@id\":\"#a\",\"name\":\"A\","
             "\"offers\":{\"@id\":\"#a\"}}]}"),
          "    |A|||||");
}

static void several_offers_are_summed_up(void **state)
{
    (void)state;
    check(
        LD("{\"@type\":\"Product\",\"name\":\"N\",\"offers\":{"
           "\"@type\":\"AggregateOffer\",\"lowPrice\":\"199.00\",\"highPrice\":\"249.5\","
           "\"priceCurrency\":\"EUR\",\"offerCount\":\"12\"}}"),
        "199.00 249.50 EUR  |N|||||");
    check(
        LD("{\"@type\":\"Product\",\"name\":\"Shirt\",\"offers\":["
           "{\"price\":\"9\",\"priceCurrency\":\"EUR\",\"availability\":\"SoldOut\"},"
           "{\"price\":\"15\",\"priceCurrency\":\"EUR\",\"availability\":\"InStock\"},"
           "{\"price\":\"1\",\"priceCurrency\":\"USD\",\"availability\":\"InStock\"},"
           "{\"price\":\"12\",\"priceCurrency\":\"EUR\",\"availability\":\"InStock\"}]}"),
        "12.00 15.00 EUR InStock |Shirt|||||");
    check(LD("{\"@type\":\"ProductGroup\",\"name\":\"Coat\",\"hasVariant\":["
             "{\"@type\":\"Product\",\"offers\":{\"price\":80,\"priceCurrency\":\"EUR\","
             "\"availability\":\"https://schema.org/OutOfStock\"}},"
             "{\"@type\":\"Product\",\"offers\":{\"price\":90,\"priceCurrency\":\"EUR\","
             "\"availability\":\"https://schema.org/BackOrder\"}}]}"),
          "90.00  EUR BackOrder |Coat|||||");
    check(LD("{\"@type\":\"Product\",\"name\":\"N\",\"offers\":{\"@type\":\"Offer\","
             "\"priceSpecification\":[{\"priceType\":\"https://schema.org/ListPrice\","
             "\"price\":\"20\",\"priceCurrency\":\"EUR\"},"
             "{\"price\":\"15\",\"priceCurrency\":\"EUR\"}]}}"),
          "15.00  EUR  |N|||||");
}

static void listing_of_products_offers_none(void **state)
{
    (void)state;
    check(LD("{\"@type\":\"ItemList\",\"itemListElement\":[{\"@type\":\"Product\","
             "\"name\":\"A\",\"offers\":{\"price\":\"1\"}}]}"),
          nothing);
    check(LD("[{\"@type\":\"Product\",\"name\":\"A\",\"offers\":{\"price\":\"1\"}},"
             "{\"@type\":\"Product\",\"name\":\"B\",\"offers\":{\"price\":\"2\"}}]"),
          nothing);
    check("<div itemscope itemtype=http://schema.org/Product><b itemprop=name>A</b>"
          "<p itemprop=offers itemscope><meta itemprop=price content=1></p></div>"
          "<div itemscope itemtype=http://schema.org/Product><b itemprop=name>B</b>"
          "<p itemprop=offers itemscope><meta itemprop=price content=2></p></div>",
          nothing);
    check(LD("{\"@type\":\"NewsArticle\",\"headline\":\"Prices rise\"}"), nothing);
}

static void page_says_which_of_several_it_is_about(void **state)
{
    (void)state;
    static const char both[] =
        LD("[{\"@type\":\"Product\",\"name\":\"A\",\"url\":\"https://s.example/a\","
           "\"offers\":{\"price\":\"1\"}},"
           "{\"@type\":\"Product\",\"name\":\"B 2\",\"url\":\"https://s.example/b\","
           "\"offers\":{\"price\":\"2\"}}]");
    char html[2000];
    snprintf(html, sizeof html, "<title>B 2 - buy it here</title>%s", both);
    check(html, "2.00    |B 2|||||");
    snprintf(html, sizeof html, "<link rel=canonical href=https://s.example/a>%s", both);
    check(html, "1.00    |A|||||");
    /* the same thing told twice */
    check(LD("{\"@type\":\"Product\",\"name\":\"A\",\"brand\":\"X\",\"sku\":\"1\"}")
              LD("{\"@type\":\"Product\",\"name\":\"A!\",\"sku\":\"1\","
                 "\"offers\":{\"price\":\"3\"}}"),
          "3.00    |A!|||||");
    check(LD("{\"@type\":\"Product\",\"sku\":\"1\",\"brand\":\"X\",\"offers\":{}}")
              LD("{\"@type\":\"Product\",\"name\":\"A\",\"sku\":\"1\","
                 "\"offers\":{\"price\":\"3\"}}"),
          "3.00    |A|X||||");
    /* a product beats the event on the same page */
    check(LD("[{\"@type\":\"Event\",\"name\":\"E\",\"offers\":{\"price\":\"1\"}},"
             "{\"@type\":\"Product\",\"name\":\"P\",\"offers\":{\"price\":\"2\"}}]"),
          "2.00    |P|||||");
    check(LD("{\"@type\":\"Event\",\"name\":\"E\",\"offers\":{\"price\":\"1\"}}"),
          "1.00    |E|||||");
}

/* As Magento, Shopware and their themes write it. */
static void microdata_is_read(void **state)
{
    (void)state;
    check("<html lang=de><body itemscope itemtype='https://schema.org/WebPage'>"
          "<div itemprop=mainEntity itemscope itemtype='https://schema.org/Product'>"
          "<h1 itemprop=name>Ein <b>Tisch</b></h1>"
          "<span itemprop=brand itemscope itemtype='https://schema.org/Brand'>"
          "<meta itemprop=name content=Holz></span>"
          "<div itemprop=offers itemscope itemtype='https://schema.org/Offer'>"
          "<span itemprop=price content='349.00'>349,00&nbsp;&euro;</span>"
          "<meta itemprop=priceCurrency content=EUR>"
          "<link itemprop=availability href='https://schema.org/LimitedAvailability'>"
          "<link itemprop=itemCondition href='https://schema.org/UsedCondition'>"
          "</div></div>",
          "349.00  EUR LimitedAvailability used|Ein Tisch|Holz||||de");
    check("<div itemscope itemtype='http://schema.org/Product'>"
          "<span itemprop='name'>N</span><div itemprop='offers' itemscope "
          "itemtype='http://schema.org/Offer'><span itemprop='price'>1.299,00 &euro;"
          "</span></div></div>",
          "1299.00  EUR  |N|||||");
    check("<div itemscope itemtype='http://schema.org/Offer'><span itemprop=name>O</span>"
          "<data itemprop=price value=7>seven</data></div>",
          "7.00    |O|||||");
}

static void open_graph_is_read(void **state)
{
    (void)state;
    check("<meta property=og:title content='A thing'>"
          "<meta property=og:site_name content='A shop'>"
          "<meta property=og:locale content=fr_CA>"
          "<meta property=product:price:amount content='1299.99'>"
          "<meta property=product:price:currency content=CAD>"
          "<meta property=product:availability content='in stock'>"
          "<meta property=product:condition content=new>"
          "<meta property=product:brand content=Acme>",
          "1299.99  CAD InStock new|A thing|Acme||A shop|CA|fr");
    check("<meta property=og:title content='An article'>", nothing);
    check("<meta property=og:availability content=oos>", "   OutOfStock ||||||");
}

static void what_one_leaves_open_the_next_completes(void **state)
{
    (void)state;
    check(LD("{\"@type\":\"Product\",\"name\":\"From "
             "JSON\",\"offers\":{\"price\":\"5\"}}") "<meta "
                                                     "property=product:price:amount "
                                                     "content=6>"
                                                     "<meta "
                                                     "property=product:price:currency "
                                                     "content=EUR>"
                                                     "<meta property=og:availability "
                                                     "content=instock>"
                                                     "<div itemscope "
                                                     "itemtype=http://schema.org/Product>"
                                                     "<span itemprop=name>From "
                                                     "microdata</span><span "
                                                     "itemprop=brand>B</span>"
                                                     "<div itemprop=offers "
                                                     "itemscope><meta itemprop=price "
                                                     "content=7></div></div>",
          "5.00  EUR InStock |From JSON|B||||");
}

static void places_are_found(void **state)
{
    (void)state;
    check(LD("{\"@type\":\"Product\",\"name\":\"N\",\"offers\":{\"price\":\"5\","
             "\"eligibleRegion\":{\"@type\":\"Country\",\"name\":\"AT\"}}}"),
          "5.00    |N||||AT|");
    check(LD("{\"@type\":\"Product\",\"name\":\"N\",\"offers\":{\"price\":\"5\","
             "\"shippingDetails\":[{\"shippingDestination\":{\"addressCountry\":\"CH\"}}]"
             "}}"),
          "5.00    |N||||CH|");
    check(LD("{\"@type\":\"Product\",\"name\":\"N\",\"offers\":{\"price\":\"5\","
             "\"seller\":{\"name\":\"S\",\"address\":{\"addressCountry\":{\"name\":"
             "\"IT\"}}}}}"),
          "5.00    |N|||S|IT|");
}

static void hostile_markup_ends(void **state)
{
    (void)state;
    check(LD("{\"@type\":\"Product\",\"offers\":{\"price\":-5}}"), nothing);
    check(LD("{\"@type\":\"Product\",\"offers\":{\"price\":1e300}}"), nothing);
    check(LD("{\"@type\":\"Product\",\"offers\":\"none\"}"), nothing);
    check(LD("{\"@type\":{},\"offers\":[[[[[[[[[[[[[[[[[{\"price\":1}]]]]]]]]]]]]]]]]]}"),
          nothing);
    check(LD("{\"@type\":\"Product\",\"name\":[[]],\"offers\":{\"offers\":{\"offers\":{"
             "\"price\":\"4\"}}}}"),
          "4.00    ||||||");
    check(LD("{\"offers\": {\"price\": \"3\",}, // cheap\n}"), "3.00    ||||||");
    check(LD("{broken") LD("{\"offers\":{\"price\":\"3\"}}"), "3.00    ||||||");
}

static void words_of_schema_org_are_normalised(void **state)
{
    (void)state;
    assert_int_equal(fg_availability_parse(FG_STR("http://schema.org/PreOrder")),
                     FG_PRE_ORDER);
    assert_int_equal(fg_availability_parse(FG_STR(" In Stock ")), FG_IN_STOCK);
    assert_int_equal(fg_availability_parse(FG_STR("OUT_OF_STOCK")), FG_OUT_OF_STOCK);
    assert_int_equal(fg_availability_parse(FG_STR("back-order")), FG_BACK_ORDER);
    assert_int_equal(fg_availability_parse(FG_STR("perhaps")), 0);
    assert_int_equal(fg_availability_parse(FG_STR("")), 0);
    assert_int_equal(fg_condition_parse(FG_STR("https://schema.org/UsedCondition")),
                     FG_CONDITION_USED);
    assert_true(fg_availability_is_open(FG_BACK_ORDER));
    assert_false(fg_availability_is_open(FG_SOLD_OUT));
}

FG_TESTS(json_ld_of_a_product_is_read, graph_is_searched_and_references_followed,
         several_offers_are_summed_up, listing_of_products_offers_none,
         page_says_which_of_several_it_is_about, microdata_is_read, open_graph_is_read,
         what_one_leaves_open_the_next_completes, places_are_found, hostile_markup_ends,
         words_of_schema_org_are_normalised)
