#include "crawl/reading/validators.h"

enum { MOST_TRUST = 6, CAUGHT = 2 };

bool fg_validators_doubted(struct fg_validators *validators)
{
    if (validators->caught >= CAUGHT)
        return true;
    if (validators->unmodified <= validators->trust)
        return false;
    validators->unmodified = 0; /* one is enough to know */
    if (validators->trust < MOST_TRUST)
        validators->trust++;
    return true;
}

void fg_validators_unmodified(struct fg_validators *validators)
{
    if (validators->unmodified <= MOST_TRUST)
        validators->unmodified++;
}

bool fg_validators_catch(struct fg_validators *validators, bool is_certain)
{
    if (validators->caught >= CAUGHT)
        return false;
    validators->caught = is_certain ? CAUGHT : (uint8_t)(validators->caught + 1);
    return validators->caught >= CAUGHT;
}
