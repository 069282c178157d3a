#include "net/text/price.h"

#include "test.h"

static void check_as(enum fg_price_reader reader, const char *text, const char *amount,
                     const char *currency)
{
    struct fg_price price;
    bool is_price = fg_price_parse(&price, fg_str_from(text), reader);
    if (is_price != (amount[0] != '\0') || strcmp(price.amount, amount) != 0 ||
        strcmp(price.currency, currency) != 0)
        fail_msg("'%s' is '%s' '%s', not '%s' '%s'", text, price.amount, price.currency,
                 amount, currency);
}

static void check(const char *text, const char *amount, const char *currency)
{
    check_as(FG_PRICE_FOR_PEOPLE, text, amount, currency);
}

static void grouping_and_decimals_are_told_apart(void **state)
{
    (void)state;
    check("1.299,00 €", "1299.00", "EUR");
    check("1,299.00", "1299.00", "");
    check("1299", "1299.00", "");
    check("1299.5", "1299.50", "");
    check("1299,5", "1299.50", "");
    check("12.3400", "12.34", "");
    check("12.345", "12345.00", "");
    check("12,345", "12345.00", "");
    check("0.345", "0.345", "");
    check("1234.567", "1234.567", "");
    check("1.234.567", "1234567.00", "");
    check("1.234.567,8", "1234567.80", "");
    check("1,234,567.891", "1234567.891", "");
    check("Rs. 1,29,900.00", "129900.00", "INR");
    check("₹1,29,900", "129900.00", "INR");
    check("CHF 1'299.00", "1299.00", "CHF");
    check("1\u2019299.50 CHF", "1299.50", "CHF");
    check("1\u00A0299,00\u00A0zł", "1299.00", "PLN");
    check("1\u202F299,00 €", "1299.00", "EUR");
    check("1 299 000 ₽", "1299000.00", "RUB");
    check("007", "7.00", "");
    check("0,00 €", "0.00", "EUR");
}

static void markup_has_the_decimal_point_of_schema_org(void **state)
{
    (void)state;
    check_as(FG_PRICE_FOR_MACHINES, "1.299", "1.299", "");
    check_as(FG_PRICE_FOR_MACHINES, "1,299", "1299.00", "");
    check_as(FG_PRICE_FOR_MACHINES, "1.299,00", "1299.00", "");
    check_as(FG_PRICE_FOR_MACHINES, "1299.990000", "1299.99", "");
}

static void currencies_stand_on_either_side(void **state)
{
    (void)state;
    check("USD 12", "12.00", "USD");
    check("12 USD", "12.00", "USD");
    check("$12", "12.00", "USD");
    check("CA$ 12.50", "12.50", "CAD");
    check("12.50 CA$", "12.50", "CAD");
    check("R$ 1.299,00", "1299.00", "BRL");
    check("￥1,299", "1299.00", "JPY");
    check("1299円", "1299.00", "JPY");
    check("12,50 Kč", "12.50", "CZK");
    check("12 kr", "12.00", "");
    check("KWD 1.250", "1.25", "KWD");
    check("CAR 12", "12.00", "");
    check("eur 12", "12.00", "");
    check("12 Eurovision", "12.00", "");
    check("12 euros", "12.00", "EUR");
}

static void forms_of_shops_are_read(void **state)
{
    (void)state;
    check("ab 12,- €", "12.00", "EUR");
    check("12.– €", "12.00", "EUR");
    check("1 299:-", "1299.00", "");
    check("12€50", "12.50", "EUR");
    check("12 €", "12.00", "EUR");
    check("99¢", "0.99", "USD");
    check("5 ¢", "0.05", "USD");
    check("99p", "0.99", "GBP");
    check("-20% now $80.00, was $100.00", "80.00", "USD");
    check("Save 20 %: 80.00", "80.00", "");
    check("iPhone15 128GB 799,00 €", "799.00", "EUR");
    check("$12.00 - $24.00", "12.00", "USD");
    check("2 for 12", "2.00", "");
    check("Set of 3 for €5", "5.00", "EUR");
}

static void what_is_no_price_is_refused(void **state)
{
    (void)state;
    check("", "", "");
    check("price on request", "", "");
    check("20%", "", "");
    check("€", "", "");
    check("1.2.3", "", "");
    check("1234567890123456", "", "");
    check("1.1.1.1.1.1.1.1.1.1.1.1", "", "");
    check("x9", "", "");
}

static void codes_of_currencies_are_checked(void **state)
{
    (void)state;
    char currency[4] = "";
    assert_true(fg_currency_parse(currency, FG_STR(" eur\u00A0")));
    assert_string_equal(currency, "EUR");
    assert_true(fg_currency_parse(currency, FG_STR("US$")));
    assert_string_equal(currency, "USD");
    assert_true(fg_currency_parse(currency, FG_STR("ZWL")));
    assert_false(fg_currency_parse(currency, FG_STR("XXX")));
    assert_false(fg_currency_parse(currency, FG_STR("")));
    assert_false(fg_currency_parse(currency, FG_STR("EURO!")));
    assert_false(fg_currency_parse(currency, FG_STR(" US")));
}

static void prices_compare_by_what_they_are_worth(void **state)
{
    (void)state;
    struct fg_price nine = {.amount = "9.00"}, ten = {.amount = "10.00"};
    assert_true(fg_price_cmp(&nine, &ten) < 0);
    assert_true(fg_price_cmp(&ten, &nine) > 0);
    assert_int_equal(fg_price_cmp(&ten, &ten), 0);
}

FG_TESTS(grouping_and_decimals_are_told_apart, markup_has_the_decimal_point_of_schema_org,
         currencies_stand_on_either_side, forms_of_shops_are_read,
         what_is_no_price_is_refused, codes_of_currencies_are_checked,
         prices_compare_by_what_they_are_worth)
