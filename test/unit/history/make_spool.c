/* A spool of many activities.
 * usage: make_spool FILE UNIQUE PAIRS     two activities a pair, of four threads in turn */

#include "unit/history/spool_help.h"

enum { BLOCK = 5000 };

int main(int argc, char **argv)
{
    FILE *file;
    long pairs;

    if (argc != 4) {
        fputs("usage: make_spool FILE UNIQUE PAIRS\n", stderr);
        return 2;
    }
    file = spool_usual(argv[1], strtoull(argv[2], NULL, 0));
    pairs = atol(argv[3]);
    for (long done = 0, block = 0; done < pairs; done += BLOCK, block++)
        spool_activities(file, (uint32_t) (block % 4), 1 + 2 * BLOCK * (uint64_t) (block / 4),
                         (int) (pairs - done < BLOCK ? pairs - done : BLOCK));
    spool_end(file);
    return 0;
}
