/* Feed each file of the folder named on the command line to the fuzz target that this is
 * linked with: what libFuzzer does with a corpus, for compilers that do not have it. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int feed(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "rb");
    if (!f) {
        perror(path);
        return 1;
    }
    enum { MOST = 1 << 20 };
    uint8_t *data = malloc(MOST);
    size_t n = data ? fread(data, 1, MOST, f) : 0;
    fclose(f);
    /* Exactly as large as the input, so that one byte too far is seen. */
    uint8_t *exact = n ? realloc(data, n) : data;
    LLVMFuzzerTestOneInput(exact, n);
    free(exact);
    return 0;
}

int main(int argc, char **argv)
{
    DIR *dir = argc == 2 ? opendir(argv[1]) : NULL;
    if (!dir) {
        fprintf(stderr, "usage: %s FOLDER-OF-SEEDS\n", argv[0]);
        return 1;
    }
    int bad = 0, n = 0;
    for (struct dirent *entry; (entry = readdir(dir)); n++)
        if (entry->d_name[0] != '.')
            bad |= feed(argv[1], entry->d_name);
    closedir(dir);
    printf("%d seeds\n", n);
    return bad;
}
