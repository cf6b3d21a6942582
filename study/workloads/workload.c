/* Begin, end and errors of a workload. */

#include "workload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *workload_add_hint(const char *value, void *variables)
{
    workload *w = variables;
    const char *equals = strchr(value, '=');

    if (equals == NULL || equals == value || equals[1] == '\0')
        return "is not KEY=VALUE";
    if (equals - value >= MPI_MAX_INFO_KEY || strlen(equals + 1) >= MPI_MAX_INFO_VAL)
        return "is too long for a hint";
    if (w->hint_count == WORKLOAD_MAX_HINTS)
        return "is one hint too many";
    w->hints[w->hint_count++] = value;
    return NULL;
}

static option_result parse(const option_table *table, int argc, char **argv, workload *w)
{
    int rest;
    option_result result = options_parse_until(table, argc, argv, w, &rest);

    if (result != OPTIONS_GO_ON)
        return result;
    if (rest != argc - 1) {
        options_complain(table, rest == argc ? "which FILE?" : "one FILE only, after the options");
        return OPTIONS_WRONG;
    }
    w->file = argv[rest];
    if (w->damage && !w->verify) {
        options_complain(table, "--damage needs --verify");
        return OPTIONS_WRONG;
    }
    return OPTIONS_GO_ON;
}

bool workload_start(int *argc, char ***argv, const option_table *table, workload *w, int *code_p)
{
    int result = OPTIONS_GO_ON;

    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &w->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &w->ranks);
    if (w->rank == 0)
        result = parse(table, *argc, *argv, w);
    MPI_Bcast(&result, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (result != OPTIONS_GO_ON) {
        MPI_Finalize();
        *code_p = result == OPTIONS_HELP ? 0 : 2;
        return false;
    }
    if (w->rank != 0)
        parse(table, *argc, *argv, w);
    return true;
}

int workload_refuse(const workload *w, const option_table *table, const char *problem)
{
    if (w->rank == 0)
        options_complain(table, "%s", problem);
    MPI_Finalize();
    return 2;
}

int workload_finish(const workload *w, bool verified)
{
    if (w->delete)
        workload_remove(w);
    MPI_Finalize();
    return verified ? 0 : 1;
}

void workload_check(const workload *w, int error, const char *what)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;

    if (error == MPI_SUCCESS)
        return;
    MPI_Error_string(error, text, &length);
    fprintf(stderr, "%s: rank %d: %s: %s\n", w->file, w->rank, what, text);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

MPI_File workload_open(const workload *w, int mode, MPI_Info info)
{
    char text[MPI_MAX_ERROR_STRING];
    int length, error;
    MPI_File fh;

    error = MPI_File_open(MPI_COMM_WORLD, w->file, mode, info, &fh);
    if (error == MPI_SUCCESS)
        return fh;
    MPI_Error_string(error, text, &length);
    if (w->rank == 0)
        fprintf(stderr, "%s: cannot open it: %s\n", w->file, text);
    MPI_Finalize();
    exit(1);
}

void *workload_memory(size_t bytes)
{
    void *memory = malloc(bytes + 1);

    if (memory == NULL) {
        fprintf(stderr, "no memory for %zu bytes\n", bytes);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return memory;
}

MPI_Info workload_info(const workload *w)
{
    MPI_Info info;

    MPI_Info_create(&info);
    for (int i = 0; i < w->hint_count; i++) {
        const char *equals = strchr(w->hints[i], '=');
        char key[MPI_MAX_INFO_KEY + 1];

        snprintf(key, sizeof(key), "%.*s", (int) (equals - w->hints[i]), w->hints[i]);
        MPI_Info_set(info, key, equals + 1);
    }
    return info;
}

void workload_remove(const workload *w)
{
    int error = MPI_SUCCESS, error_class = MPI_SUCCESS;

    MPI_Barrier(MPI_COMM_WORLD);
    if (w->rank == 0)
        error = MPI_File_delete(w->file, MPI_INFO_NULL);
    MPI_Error_class(error, &error_class);
    if (error_class != MPI_ERR_NO_SUCH_FILE)
        workload_check(w, error, "cannot delete it");
    MPI_Barrier(MPI_COMM_WORLD);
}

static void damage(const workload *w)
{
    unsigned char byte = 0;
    MPI_Offset size;
    MPI_File fh;

    workload_check(w, MPI_File_open(MPI_COMM_SELF, w->file, MPI_MODE_RDWR, MPI_INFO_NULL, &fh),
                   "cannot open it for --damage");
    MPI_File_get_size(fh, &size);
    workload_check(w, MPI_File_read_at(fh, size / 2, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE),
                   "cannot read the byte to damage");
    byte ^= 1;
    workload_check(w, MPI_File_write_at(fh, size / 2, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE),
                   "cannot damage it");
    workload_check(w, MPI_File_close(&fh), "cannot close it");
}

void workload_damage(const workload *w)
{
    if (w->rank == 0)
        damage(w);
    MPI_Barrier(MPI_COMM_WORLD);
}
