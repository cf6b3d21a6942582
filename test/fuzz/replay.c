/* Without libFuzzer: the files of folders, one after the other. */

#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 20 };

static void replay(const char *folder, const char *name)
{
    static uint8_t buffer[MOST];
    char path[4096];
    uint8_t *exact;
    size_t size;
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    fprintf(stderr, "%s\n", path); /* the last one is to blame */
    file = fopen(path, "rb");
    require(file != NULL, "cannot be opened");
    size = fread(buffer, 1, sizeof(buffer), file);
    fclose(file);
    exact = malloc(size > 0 ? size : 1); /* so that reading past the end is seen */
    require(exact != NULL, "no memory");
    memcpy(exact, buffer, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

int main(int argc, char **argv)
{
    int count = 0;

    for (int i = 1; i < argc; i++) {
        DIR *folder = opendir(argv[i]);

        require(folder != NULL, argv[i]);
        for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
            if (entry->d_name[0] != '.') {
                replay(argv[i], entry->d_name);
                count++;
            }
        closedir(folder);
    }
    printf("%d inputs\n", count);
    return count > 0 ? 0 : 1;
}
