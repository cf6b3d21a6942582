/*
 * Random calls, and a log of them as the spool should have them: what each was of, where, how much,
 * and its error.  Positions are asked from the system itself.
 *
 *     calls FOLDER SEED THREADS CALLS
 *
 * Files of thread T are FOLDER/T-0, FOLDER/T-1, ...; the log of each thread is FOLDER/T.log.
 */

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { FILES = 4, ROOM = 1 << 14, MOST_THREADS = 32 };

typedef struct context {
    const char *folder;
    int number, calls;
    uint64_t random;
    FILE *log;
    int fd[FILES];       /* -1: closed */
    FILE *stream[FILES]; /* NULL: closed */
    char path[FILES][4200];
    char room[ROOM];
} context;

static unsigned draw(context *c, unsigned below)
{
    c->random = c->random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned) (c->random >> 33) % below;
}

/* Written with vfprintf and at the end: no call that is seen. */
static void tell(context *c, const char *layer, const char *call, int file, long long offset,
                 long long bytes, int error)
{
    fprintf(c->log, "%s %s %s %lld %lld %d -\n", layer, call, c->path[file], offset, bytes, error);
}

static void tell_posix(context *c, const char *call, int file, long long offset, long long result)
{
    int error = result < 0 ? errno : 0;

    tell(c, "posix", call, file, offset, result > 0 ? result : 0, error);
}

static off_t position(int fd)
{
    return syscall(SYS_lseek, fd, (off_t) 0, SEEK_CUR);
}

/* --- open and close */

static void call_open(context *c, int file)
{
    static const int flags[] = {O_RDONLY, O_RDWR | O_CREAT, O_WRONLY | O_CREAT | O_APPEND,
                                O_RDWR | O_CREAT | O_TRUNC, O_RDONLY | O_DIRECTORY};
    int how = flags[draw(c, 5)];

    switch (draw(c, 4)) {
        case 0:
            c->fd[file] = openat(AT_FDCWD, c->path[file], how, 0600);
            tell(c, "posix", "openat", file, -1, 0, c->fd[file] < 0 ? errno : 0);
            break;
        case 1:
            c->fd[file] = creat(c->path[file], 0600);
            tell(c, "posix", "creat", file, -1, 0, c->fd[file] < 0 ? errno : 0);
            break;
        case 2:
            c->fd[file] = open64(c->path[file], how, 0600);
            tell(c, "posix", "open", file, -1, 0, c->fd[file] < 0 ? errno : 0);
            break;
        default:
            c->fd[file] = open(c->path[file], how, 0600);
            tell(c, "posix", "open", file, -1, 0, c->fd[file] < 0 ? errno : 0);
    }
}

static void call_close(context *c, int file)
{
    tell_posix(c, "close", file, -1, close(c->fd[file]));
    c->fd[file] = -1;
}

static void call_fopen(context *c, int file)
{
    static const char *const modes[] = {"r", "r+", "w+", "a", "w"};

    c->stream[file] = fopen(c->path[file], modes[draw(c, 5)]);
    tell(c, "stdio", "fopen", file, -1, 0, c->stream[file] == NULL ? errno : 0);
}

static void call_fclose(context *c, int file)
{
    int code = fclose(c->stream[file]);

    tell(c, "stdio", "fclose", file, -1, 0, code != 0 ? errno : 0);
    c->stream[file] = NULL;
}

/* --- on descriptors */

static void call_plain(context *c, int file)
{
    int fd = c->fd[file], count = 1 + (int) draw(c, 3);
    size_t bytes = draw(c, ROOM / 4);
    off_t before = position(fd), after;
    struct iovec pieces[3] = {{c->room, bytes}, {c->room + bytes, bytes}, {c->room, 1}};
    ssize_t result;
    const char *name;

    switch (draw(c, 4)) {
        case 0:
            result = read(fd, c->room, bytes);
            name = "read";
            break;
        case 1:
            result = write(fd, c->room, bytes);
            name = "write";
            break;
        case 2:
            result = readv(fd, pieces, count);
            name = "readv";
            break;
        default:
            result = writev(fd, pieces, count);
            name = "writev";
    }
    if (result < 0) {
        tell_posix(c, name, file, before, result);
        return;
    }
    after = position(fd); /* files that are appended to are written at their ends */
    tell_posix(c, name, file, after - result, result);
}

static void call_at(context *c, int file)
{
    off_t offset = (off_t) draw(c, 1 << 20);
    size_t bytes = draw(c, ROOM / 4);
    struct iovec pieces[2] = {{c->room, bytes}, {c->room + bytes, bytes}};
    int fd = c->fd[file];

    if (draw(c, 50) == 0)
        offset -= 1 << 20;
    switch (draw(c, 5)) {
        case 0:
            tell_posix(c, "pread", file, offset, pread(fd, c->room, bytes, offset));
            break;
        case 1:
            tell_posix(c, "pwrite", file, offset, pwrite(fd, c->room, bytes, offset));
            break;
        case 2:
            tell_posix(c, "preadv", file, offset, preadv(fd, pieces, 2, offset));
            break;
        case 3:
            tell_posix(c, "pwritev", file, offset, pwritev64(fd, pieces, 2, offset));
            break;
        default:
            tell_posix(c, "pwrite", file, offset, pwrite64(fd, c->room, bytes, offset));
    }
}

static void call_lock(context *c, int file)
{
    struct flock lock = {
        .l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = draw(c, 1000), .l_len = 10};
    int code = fcntl(c->fd[file], F_SETLK, &lock);

    tell(c, "posix", "fcntl", file, lock.l_start, code == 0 ? 10 : 0, code != 0 ? errno : 0);
    fcntl(c->fd[file], F_GETFL); /* not a lock */
}

static void call_map(context *c, int file)
{
    void *at = mmap(NULL, 8192, PROT_READ, MAP_SHARED, c->fd[file], 4096);
    int error = at == MAP_FAILED ? errno : 0;

    tell(c, "posix", "mmap", file, 4096, error == 0 ? 8192 : 0, error);
    if (error == 0)
        munmap(at, 8192);
    at = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); /* of no file */
    munmap(at, 4096);
}

static void call_other(context *c, int file)
{
    int fd = c->fd[file], code;
    off_t offset = draw(c, 100000), place;

    switch (draw(c, 6)) {
        case 0:
            place = lseek(fd, offset, (int) draw(c, 3));
            tell(c, "posix", "lseek", file, place, 0, place < 0 ? errno : 0);
            break;
        case 1:
            tell_posix(c, "fsync", file, -1, fsync(fd));
            break;
        case 2:
            tell_posix(c, "fdatasync", file, -1, fdatasync(fd));
            break;
        case 3:
            code = ftruncate(fd, offset);
            tell_posix(c, "ftruncate", file, offset, code);
            break;
        case 4:
            call_lock(c, file);
            break;
        default:
            call_map(c, file);
    }
}

static void call_descriptor(context *c, int file)
{
    unsigned which = draw(c, 10);

    if (c->fd[file] < 0)
        call_open(c, file);
    else if (which == 0)
        call_close(c, file);
    else if (which < 5)
        call_plain(c, file);
    else if (which < 8)
        call_at(c, file);
    else
        call_other(c, file);
}

/* --- on streams */

static void call_stream(context *c, int file)
{
    FILE *stream = c->stream[file];
    size_t size = 1 + draw(c, 16), count = draw(c, 200), done;
    long offset = (long) draw(c, 10000);
    int code;

    if (stream == NULL) {
        call_fopen(c, file);
        return;
    }
    clearerr(stream);
    switch (draw(c, 6)) {
        case 0:
            call_fclose(c, file);
            break;
        case 1:
            done = fread(c->room, size, count, stream);
            tell(c, "stdio", "fread", file, -1, (long long) (size * done),
                 done < count && ferror(stream) ? errno : 0);
            break;
        case 2:
            done = fwrite(c->room, size, count, stream);
            tell(c, "stdio", "fwrite", file, -1, (long long) (size * done),
                 done < count && ferror(stream) ? errno : 0);
            break;
        case 3:
            code = fseek(stream, offset, SEEK_SET);
            tell(c, "stdio", "fseek", file, offset, 0, code != 0 ? errno : 0);
            break;
        case 4:
            code = fseeko(stream, 0, SEEK_END);
            tell(c, "stdio", "fseeko", file, -1, 0, code != 0 ? errno : 0);
            break;
        default:
            code = fflush(stream);
            tell(c, "stdio", "fflush", file, -1, 0, code != 0 ? errno : 0);
    }
}

/* --- pipes, which nothing is kept of; and errno, which stays */

static void call_unseen(context *c)
{
    int ends[2];
    char letter = 'x';

    if (pipe(ends) != 0)
        exit(2);
    errno = 12345;
    if (write(ends[1], &letter, 1) != 1 || read(ends[0], &letter, 1) != 1 || errno != 12345)
        exit(3);
    close(ends[0]);
    close(ends[1]);
    (void) c;
}

static void keeps_errno(context *c, int file)
{
    if (c->fd[file] < 0)
        return;
    errno = 12345;
    if (lseek(c->fd[file], 0, SEEK_SET) != 0 || errno != 12345)
        exit(3);
    tell(c, "posix", "lseek", file, 0, 0, 0);
}

static void *run(void *context_)
{
    context *c = context_;

    for (int i = 0; i < c->calls; i++) {
        int file = (int) draw(c, FILES);

        if (draw(c, 20) == 0)
            call_unseen(c);
        else if (draw(c, 20) == 0)
            keeps_errno(c, file);
        else if (file % 2 == 0)
            call_descriptor(c, file);
        else
            call_stream(c, file);
    }
    return NULL;
}

static context *make(const char *folder, int number, uint64_t seed, int calls)
{
    context *c = calloc(1, sizeof(*c));
    char path[4200];

    c->folder = folder;
    c->number = number;
    c->calls = calls;
    c->random = seed * 1000003 + (uint64_t) number;
    for (int i = 0; i < FILES; i++) {
        c->fd[i] = -1;
        snprintf(c->path[i], sizeof(c->path[i]), "%s/%d-%d", folder, number, i);
    }
    snprintf(path, sizeof(path), "%s/%d.log", folder, number);
    c->log = fopen(path, "w");
    if (c->log == NULL)
        exit(2);
    return c;
}

int main(int argc, char **argv)
{
    pthread_t ids[MOST_THREADS];
    int threads = argc == 5 ? atoi(argv[3]) : 0;

    if (threads < 1 || threads > MOST_THREADS)
        return 2;
    for (int i = 0; i < threads; i++)
        if (pthread_create(&ids[i], NULL, run,
                           make(argv[1], i, strtoull(argv[2], NULL, 10), atoi(argv[4]))) != 0)
            return 2;
    for (int i = 0; i < threads; i++)
        pthread_join(ids[i], NULL);
    return 0;
}
