#include "ad_autotune.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int open_record(const char *path)
{
    return open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

int ADIOI_AUTOTUNE_record_check(const char *path)
{
    int fd = open_record(path);

    if (fd < 0)
        return errno;
    close(fd);
    return 0;
}

/* text as a JSON string; at most six bytes for one, and the quotes */
static char *quote(char *to, const char *text)
{
    *to++ = '"';
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char) *text;

        if (c == '"' || c == '\\')
            *to++ = '\\';
        if (c < 0x20)
            to += sprintf(to, "\\u%04x", c);
        else
            *to++ = (char) c;
    }
    *to++ = '"';
    return to;
}

/* Numbers have no fraction, so the program's locale cannot change them. */
static char *put_counters(char *to, const char *name, const ADIOI_AUTOTUNE_counters *c)
{
    return to + sprintf(to,
                        ",\"%s\":{\"calls\":%.0f,\"microseconds\":%.0f,\"accesses\":%.0f,"
                        "\"bytes\":%.0f,\"storage_microseconds\":%.0f}",
                        name, c->calls, c->seconds * 1e6, c->accesses, c->bytes,
                        c->storage_seconds * 1e6);
}

/* One line in one write, so that records of several jobs do not mix. */
static void append(const ADIOI_AUTOTUNE_state *state, int ranks,
                   const ADIOI_AUTOTUNE_counters *read, const ADIOI_AUTOTUNE_counters *write_)
{
    size_t room = 1024 + 6 * (strlen(state->filename) + strlen(state->status));
    char *line = ADIOI_Malloc(room), *to = line;
    int fd = open_record(state->record);

    to += sprintf(to, "{\"format\":\"romio-autotune-record\",\"version\":1,\"file\":");
    to = quote(to, state->filename);
    to += sprintf(to, ",\"wrapped\":\"%s\",\"status\":", state->wrapped->name);
    to = quote(to, state->status);
    to += sprintf(to, ",\"ranks\":%d", ranks);
    to = put_counters(to, "read", read);
    to = put_counters(to, "write", write_);
    to += sprintf(to, "}\n");
    if (fd >= 0) {
        if (write(fd, line, (size_t) (to - line)) < 0)
            errno = 0; /* best effort */
        close(fd);
    }
    ADIOI_Free(line);
}

/* Both directions of all ranks, on rank 0. */
static int combine(MPI_Comm comm, const ADIOI_AUTOTUNE_counters mine[2],
                   ADIOI_AUTOTUNE_counters all[2])
{
    const int n = 2 * sizeof(*mine) / sizeof(double);
    ADIOI_AUTOTUNE_counters sum[2];

    if (MPI_Reduce(mine, all, n, MPI_DOUBLE, MPI_MAX, 0, comm) != MPI_SUCCESS ||
        MPI_Reduce(mine, sum, n, MPI_DOUBLE, MPI_SUM, 0, comm) != MPI_SUCCESS)
        return -1;
    for (int i = 0; i < 2; i++) {
#define MAX(name)
#define SUM(name) all[i].name = sum[i].name;
#define X(name, combine) combine(name)
        ADIOI_AUTOTUNE_COUNTERS(X)
#undef X
#undef SUM
#undef MAX
    }
    return 0;
}

void ADIOI_AUTOTUNE_record_write(MPI_Comm comm, const ADIOI_AUTOTUNE_state *state)
{
    const ADIOI_AUTOTUNE_counters mine[2] = {state->read, state->write};
    ADIOI_AUTOTUNE_counters all[2];
    int rank, ranks, opened;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    if (MPI_Reduce(&state->opened, &opened, 1, MPI_INT, MPI_MIN, 0, comm) != MPI_SUCCESS ||
        combine(comm, mine, all) != 0)
        return;
    if (rank == 0 && opened)
        append(state, ranks, &all[0], &all[1]);
}
