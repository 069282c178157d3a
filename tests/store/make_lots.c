/* make_lots PLACE N: a crawl in N lots. */
#include "store/lots.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    struct fg_err err = {0};
    if (argc != 3)
        return 2;
    if (!fg_lots_make(argv[1], (unsigned)strtoul(argv[2], NULL, 10), &err))
        return 0;
    fprintf(stderr, "%s\n", err.text);
    return 1;
}
