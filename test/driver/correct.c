/*
 * A profile that is wrong by orders of magnitude is corrected for the file, up to
 * a bound.  Called as PROGRAM DIRECTORY PART, where PART (storage or
 * communication) is the one that CORRECT_PROFILE is wrong about, and
 * CORRECT_SCALE the factor that must come out.
 */

#include "common.h"

enum { BLOCK = 65536, BLOCKS = 8, CALLS = 9 };

/* Interleaved, so that two-phase I/O takes place whatever is decided. */
static void write_often(MPI_File fh)
{
    char *out = malloc(BLOCK * BLOCKS);
    MPI_Datatype type;

    memset(out, rank, BLOCK * BLOCKS);
    MPI_Type_vector(BLOCKS, BLOCK, BLOCK * ranks, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_File_set_view(fh, (MPI_Offset) rank * BLOCK, MPI_BYTE, type, "native", MPI_INFO_NULL);
    for (int i = 0; i < CALLS; i++)
        MPI_File_write_at_all(fh, 0, out, BLOCK * BLOCKS, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
    free(out);
}

/* The factor of fs ("storage" or "communication") in the record's last decision;
 * 0: there is none. */
static double last_scale(const char *record)
{
    static char line[65536];
    FILE *file = fopen(record, "r");
    char key[64], *found = NULL;

    snprintf(key, sizeof(key), "\"%s\":", fs);
    if (file == NULL || fgets(line, sizeof(line), file) == NULL)
        return 0;
    fclose(file);
    for (char *at = strstr(line, "\"scale\":"); at != NULL; at = strstr(at + 1, "\"scale\":"))
        found = strstr(at, key);
    return found != NULL ? atof(found + strlen(key)) : 0;
}

int main(int argc, char **argv)
{
    MPI_Info info;
    MPI_File fh;

    start(&argc, &argv);
    info = one_hint("romio_autotune", "enable");
    MPI_Info_set(info, "romio_autotune_profile", getenv("CORRECT_PROFILE"));
    MPI_Info_set(info, "romio_autotune_record", path("", "record"));
    MPI_Info_set(info, "romio_cb_write", "enable");
    MPI_File_open(MPI_COMM_WORLD, path("autotune:ufs:", "file"), RDWR_CREATE, info, &fh);
    MPI_Info_free(&info);
    write_often(fh);
    MPI_File_close(&fh);
    if (rank == 0) {
        double scale = last_scale(path("", "record")), wanted = atof(getenv("CORRECT_SCALE"));

        tap_ok(scale == wanted, "%s scaled by %g, not by more than %g", fs, scale, wanted);
    } else {
        tap_ok(1, "%s scaled", fs);
    }
    return finish();
}
