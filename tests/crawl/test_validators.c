#include "crawl/reading/validators.h"
#include "test.h"

/* How many of n looks are whole at a site that says 304 to all that ask on condition. */
static unsigned whole_looks(struct fg_validators *validators, unsigned n)
{
    unsigned whole = 0;
    for (unsigned i = 0; i < n; i++)
        if (fg_validators_doubted(validators))
            whole++;
        else
            fg_validators_unmodified(validators);
    return whole;
}

static void trust_grows_to_seven_answers(void **state)
{
    (void)state;
    struct fg_validators validators = {0};
    /* 1 + 2 + ... + 7 answers that are believed, each run followed by a whole look */
    assert_int_equal(whole_looks(&validators, 28 + 7), 7);
    assert_int_equal(whole_looks(&validators, 80), 10);
}

static void caught_under_the_same_tag_it_is_never_believed_again(void **state)
{
    (void)state;
    struct fg_validators validators = {0};
    assert_int_equal(whole_looks(&validators, 2), 1);
    assert_true(fg_validators_catch(&validators, true));
    assert_int_equal(whole_looks(&validators, 20), 20);
    assert_false(fg_validators_catch(&validators, true)); /* told once */
}

static void one_change_may_be_chance(void **state)
{
    (void)state;
    struct fg_validators validators = {0};
    assert_false(fg_validators_catch(&validators, false));
    assert_int_equal(whole_looks(&validators, 1), 0);
    assert_true(fg_validators_catch(&validators, false));
    assert_int_equal(whole_looks(&validators, 5), 5);
}

FG_TESTS(trust_grows_to_seven_answers,
         caught_under_the_same_tag_it_is_never_believed_again, one_change_may_be_chance)
