/* A program without MPI that loads a part with it later, as Python does. */

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    void *part = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL, *found;
    int (*run)(int, char **) = NULL;

    found = part != NULL ? dlsym(part, "run") : NULL;
    if (found == NULL) {
        fprintf(stderr, "loader: %s\n", dlerror());
        return 2;
    }
    memcpy(&run, &found, sizeof(run));
    return run(argc - 1, argv + 1);
}
