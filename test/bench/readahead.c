/*
 * Reads of 1 KiB at a stride, with a pause before each, and how long one takes.
 *
 *     readahead FILE STRIDE READS PAUSE [advise]
 *
 * PAUSE is in microseconds: the time in which a read could be made ready.  With "advise" the
 * program itself tells the kernel what it will read next.  Before the first read, what is cached of
 * the file is dropped as far as a user can.  Prints the mean of all reads in microseconds, without
 * pauses.
 */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BLOCK = 1024 };

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double) t.tv_sec * 1e6 + (double) t.tv_nsec * 1e-3;
}

/* Microseconds of seek, read and advice; below 0: it failed. */
static double read_at(int fd, off_t at, off_t stride, int advises)
{
    static char block[BLOCK];
    double start = now();

    if (lseek(fd, at, SEEK_SET) != at || read(fd, block, BLOCK) != BLOCK)
        return -1;
    if (advises)
        posix_fadvise(fd, at + stride, BLOCK, POSIX_FADV_WILLNEED);
    return now() - start;
}

int main(int argc, char **argv)
{
    int fd = argc >= 5 ? open(argv[1], O_RDONLY) : -1;
    long stride = argc >= 5 ? atol(argv[2]) : 0, reads = argc >= 5 ? atol(argv[3]) : 0;
    int advises = argc == 6 && strcmp(argv[5], "advise") == 0;
    double sum = 0;

    if (fd < 0 || stride < BLOCK || reads < 1) {
        fprintf(stderr, "usage: readahead FILE STRIDE READS PAUSE [advise]\n");
        return 2;
    }
    posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    for (long i = 0; i < reads; i++) {
        double took;

        usleep((useconds_t) atol(argv[4]));
        took = read_at(fd, i * stride, stride, advises);
        if (took < 0) {
            perror(argv[1]);
            return 1;
        }
        sum += took;
    }
    printf("%.2f\n", sum / (double) reads);
    return 0;
}
