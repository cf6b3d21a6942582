/*
 * Files that are used and closed inside MPI_Finalize, as HDF5 does: in a callback
 * of an attribute of MPI_COMM_SELF that was set before the first open, so that it is
 * called after all that the driver may have set.  "autotune:" does what the wrapped
 * driver does, to the last byte.
 */

#include "common.h"

#include <unistd.h>

enum { BYTES = 8192, CALLS = 5 };

static char data[BYTES];

static int write_at(MPI_File file)
{
    return MPI_File_write_at(file, (MPI_Offset) rank * BYTES, data, BYTES, MPI_BYTE,
                             MPI_STATUS_IGNORE);
}

static int write_at_all(MPI_File file)
{
    int rc = MPI_SUCCESS;

    /* decisions are due before some of them */
    for (int i = 0; i < CALLS && rc == MPI_SUCCESS; i++)
        rc = MPI_File_write_at_all(file, ((MPI_Offset) i * ranks + rank) * BYTES, data, BYTES,
                                   MPI_BYTE, MPI_STATUS_IGNORE);
    return rc;
}

static int read_at_all(MPI_File file)
{
    char got[BYTES];

    return MPI_File_read_at_all(file, 0, got, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
}

static int write_split(MPI_File file)
{
    int rc = MPI_File_write_at_all_begin(file, (MPI_Offset) rank * BYTES, data, BYTES, MPI_BYTE);

    return rc != MPI_SUCCESS ? rc : MPI_File_write_at_all_end(file, data, MPI_STATUS_IGNORE);
}

static int iwrite_at(MPI_File file)
{
    MPI_Request request;
    int rc = MPI_File_iwrite_at(file, (MPI_Offset) rank * BYTES, data, BYTES, MPI_BYTE, &request);

    return rc != MPI_SUCCESS ? rc : MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static int iwrite_at_all(MPI_File file)
{
    MPI_Request request;
    int rc =
        MPI_File_iwrite_at_all(file, (MPI_Offset) rank * BYTES, data, BYTES, MPI_BYTE, &request);

    return rc != MPI_SUCCESS ? rc : MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static int set_view(MPI_File file)
{
    MPI_Info info;
    int rc;

    MPI_File_get_info(file, &info);
    rc = MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", info);
    MPI_Info_free(&info);
    return rc != MPI_SUCCESS ? rc : write_at_all(file);
}

static int set_size(MPI_File file)
{
    return MPI_File_set_size(file, 12345);
}

static int preallocate(MPI_File file)
{
    return MPI_File_preallocate(file, 12345);
}

static int write_shared(MPI_File file)
{
    memset(data, 's', sizeof(data)); /* ranks come in any order */
    return MPI_File_write_shared(file, data, 100, MPI_BYTE, MPI_STATUS_IGNORE);
}

static int only_close(MPI_File file)
{
    return MPI_File_sync(file);
}

static const struct {
    const char *name;
    int (*run)(MPI_File file);
} operations[] = {
    {"write_at", write_at},       {"write_at_all", write_at_all},
    {"read_at_all", read_at_all}, {"write_at_all_begin", write_split},
    {"iwrite_at", iwrite_at},     {"iwrite_at_all", iwrite_at_all},
    {"set_view", set_view},       {"set_size", set_size},
    {"preallocate", preallocate}, {"write_shared", write_shared},
    {"sync, close", only_close},
};

enum { OPERATIONS = sizeof(operations) / sizeof(operations[0]) };

/* By the wrapped driver and by ours, each also after a first collective write. */
enum { DIRECT, DIRECT_BEGUN, OURS, OURS_BEGUN, WAYS };
static const char *const ways[WAYS] = {"direct", "direct, later access", "first access",
                                       "later access"};

static MPI_File files[OPERATIONS][WAYS];

static const char *name_of(int operation, int way)
{
    char name[32];

    snprintf(name, sizeof(name), "%d.%d", operation, way);
    return path(way < OURS ? direct() : "autotune:", name);
}

static int same_bytes(int operation, int way)
{
    char command[3 * NAME_MAX_LENGTH];

    snprintf(command, sizeof(command), "cmp -s '%s/%d.%d' '%s/%d.%d'", directory, operation,
             way - OURS, directory, operation, way);
    return system(command) == 0;
}

static int code_of(MPI_File file, int operation)
{
    int rc = operations[operation].run(file), class = MPI_SUCCESS;

    if (rc != MPI_SUCCESS)
        MPI_Error_class(rc, &class);
    memset(data, 'a' + rank, sizeof(data));
    return class;
}

static int use_files(MPI_Comm self, int keyval, void *value, void *extra)
{
    (void) self, (void) keyval, (void) value, (void) extra;
    for (int i = 0; i < OPERATIONS; i++) {
        int wanted[OURS];

        for (int way = DIRECT; way < OURS; way++) {
            wanted[way] = code_of(files[i][way], i);
            MPI_File_close(&files[i][way]);
        }
        for (int way = OURS; way < WAYS; way++) {
            tap_ok(code_of(files[i][way], i) == wanted[way - OURS], "%s in MPI_Finalize, %s",
                   operations[i].name, ways[way]);
            tap_ok(MPI_File_close(&files[i][way]) == MPI_SUCCESS, "and it is closed");
            MPI_Barrier(MPI_COMM_WORLD);
            tap_ok(rank != 0 || same_bytes(i, way), "and has the same bytes");
        }
    }
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int keyval;

    start(&argc, &argv);
    memset(data, 'a' + rank, sizeof(data));
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, use_files, &keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL);
    MPI_Comm_free_keyval(&keyval);
    for (int i = 0; i < OPERATIONS; i++)
        for (int way = 0; way < WAYS; way++) {
            if (MPI_File_open(MPI_COMM_WORLD, name_of(i, way), RDWR_CREATE, MPI_INFO_NULL,
                              &files[i][way]) != MPI_SUCCESS)
                MPI_Abort(MPI_COMM_WORLD, 3);
            if (way == DIRECT_BEGUN || way == OURS_BEGUN)
                write_at_all(files[i][way]);
        }
    MPI_Finalize();
    if (rank == 0)
        printf("1..%d\n", tap_count);
    return tap_failed != 0;
}
