/*
 * Writes a byte COUNT times, with a pause after every thousand, for a collector to hear of.
 *
 *     collect_writer FILE COUNT MICROSECONDS
 */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int fd = argc == 4 ? open(argv[1], O_RDWR | O_CREAT, 0600) : -1;
    long count = argc == 4 ? atol(argv[2]) : 0;

    if (fd < 0)
        return 2;
    for (long i = 0; i < count; i++) {
        if (pwrite(fd, "x", 1, i) != 1)
            return 1;
        if (i % 1000 == 999)
            usleep((useconds_t) atol(argv[3]));
    }
    printf("done\n");
    return 0;
}
