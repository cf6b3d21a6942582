/* trace DIRECTORY DRIVER BLOCK SEED CASES: random accesses over that driver, in a
 * directory of it; BLOCK is its block size. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpitap.h"
#include "trace.h"

static void set_hint(MPI_Info info, const char *key, uint64_t value)
{
    char text[32];

    snprintf(text, sizeof text, "%llu", (unsigned long long) value);
    MPI_Info_set(info, key, text);
}

static MPI_Info hints(const trace_case *c)
{
    const atm_config *config = &c->config;
    const char *mode = config->automatic ? "automatic" : config->collective ? "enable" : "disable";
    MPI_Info info;

    MPI_Info_create(&info);
    MPI_Info_set(info, "cb_config_list", "*:*");
    MPI_Info_set(info, "romio_cb_write", mode);
    MPI_Info_set(info, "romio_cb_read", mode);
    set_hint(info, "cb_nodes", (uint64_t) c->cb_nodes);
    set_hint(info, "cb_buffer_size", config->buffer);
    if (config->stripe_size != 0)
        set_hint(info, "striping_unit", config->stripe_size);
    if (c->driver == ATM_LUSTRE) {
        set_hint(info, "striping_factor", (uint64_t) config->stripe_count);
        set_hint(info, "romio_lustre_co_ratio", (uint64_t) config->co_ratio);
    }
    return info;
}

static int hint_is(MPI_File file, const char *key, uint64_t value)
{
    char text[MPI_MAX_INFO_VAL + 1];
    MPI_Info info;
    int found;

    MPI_File_get_info(file, &info);
    MPI_Info_get(info, key, MPI_MAX_INFO_VAL, text, &found);
    MPI_Info_free(&info);
    return found && strtoull(text, NULL, 10) == value;
}

/* Reads never end early: the file has all of the range. */
static MPI_File open_file(const trace_case *c, MPI_Comm comm, const char *path, int *as_asked_p)
{
    MPI_Info info = hints(c);
    MPI_File file;
    int rank;

    MPI_Comm_rank(comm, &rank);
    if (rank == 0)
        remove(path);
    MPI_Barrier(comm);
    if (MPI_File_open(comm, path, MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file) != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Info_free(&info);
    MPI_File_set_size(file, (MPI_Offset) c->access.end + 1);
    *as_asked_p = hint_is(file, "cb_nodes", (uint64_t) c->config.aggregators) &&
                  hint_is(file, "cb_buffer_size", c->config.buffer);
    if (c->driver == ATM_LUSTRE)
        *as_asked_p = *as_asked_p &&
                      hint_is(file, "striping_factor", (uint64_t) c->config.stripe_count) &&
                      hint_is(file, "striping_unit", c->config.stripe_size);
    return file;
}

/* An offset for a rank without bytes that changes nothing.  At 0, GPFS and Lustre would take it for
 * a rank with a byte (ad_gpfs_wrcoll.c:197: its end, -1, is lost in an MPI_MAX with 0). */
static MPI_Offset idle_offset(const trace_case *c)
{
    return c->access.start == 0 ? 1 : (MPI_Offset) c->access.start;
}

/* This rank's pieces as a view, an offset if they are one piece or none.  Returns
 * its bytes. */
static int set_view(const trace_case *c, int rank, MPI_File file, MPI_Offset *offset_p)
{
    int lengths[TRACE_MAX_PIECES], count = 0, bytes = 0;
    MPI_Aint offsets[TRACE_MAX_PIECES];
    MPI_Datatype type = MPI_BYTE;

    for (size_t i = 0; i < c->access.piece_count; i++)
        if (c->pieces[i].rank == rank) {
            lengths[count] = (int) c->pieces[i].length;
            offsets[count++] = (MPI_Aint) c->pieces[i].offset;
            bytes += (int) c->pieces[i].length;
        }
    *offset_p = count == 0 ? idle_offset(c) : count == 1 ? offsets[0] : 0;
    if (count > 1) {
        MPI_Type_create_hindexed(count, lengths, offsets, MPI_BYTE, &type);
        MPI_Type_commit(&type);
    }
    if (c->access.strided)
        MPI_File_set_view(file, 0, MPI_BYTE, type, "native", MPI_INFO_NULL);
    if (count > 1)
        MPI_Type_free(&type);
    return bytes;
}

static trace_numbers run(const trace_case *c, MPI_Comm comm, MPI_File file)
{
    MPI_Offset offset;
    int rank;

    MPI_Comm_rank(comm, &rank);
    int bytes = set_view(c, rank, file, &offset);
    char *buffer = calloc(1, (size_t) bytes + 1);
    if (buffer == NULL)
        MPI_Abort(comm, 1);
    MPI_Barrier(comm);
    trace_begin();
    if (c->access.write)
        MPI_File_write_at_all(file, offset, buffer, bytes, MPI_BYTE, MPI_STATUS_IGNORE);
    else
        MPI_File_read_at_all(file, offset, buffer, bytes, MPI_BYTE, MPI_STATUS_IGNORE);
    trace_numbers numbers = trace_end();
    free(buffer);
    return numbers;
}

/* A new communicator each time: ROMIO remembers the names of an old one's nodes. */
static void check_case(const trace_case *c, const char *path, uint64_t seed)
{
    int as_asked;
    MPI_Comm comm;

    trace_set_nodes(c->nodes);
    MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &comm);
    MPI_File file = open_file(c, comm, path, &as_asked);
    trace_numbers numbers = run(c, comm, file);
    MPI_File_close(&file);
    MPI_Comm_free(&comm);

    int equal = trace_compare(c, &numbers);
    tap_ok(as_asked && equal, "%s %s, seed %llu, %d aggregators, buffer %llu%s", c->pattern,
           c->access.write ? "write" : "read", (unsigned long long) seed, c->config.aggregators,
           (unsigned long long) c->config.buffer,
           c->config.automatic    ? ", automatic"
           : c->config.collective ? ""
                                  : ", independent");
}

int main(int argc, char **argv)
{
    static trace_case c;
    char path[4096];
    int ranks, driver = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != 6)
        MPI_Abort(MPI_COMM_WORLD, 2);
    while (driver < ATM_DRIVER_COUNT && strcmp(atm_driver_name((atm_driver) driver), argv[2]) != 0)
        driver++;
    snprintf(path, sizeof path, "%s/file", argv[1]);

    uint64_t seed = strtoull(argv[4], NULL, 10), cases = strtoull(argv[5], NULL, 10);
    for (uint64_t i = 0; i < cases; i++) {
        trace_case_make(&c, (atm_driver) driver, ranks, strtoull(argv[3], NULL, 10), seed + i);
        check_case(&c, path, seed + i);
    }
    int failed = tap_done();
    MPI_Finalize();
    return failed;
}
