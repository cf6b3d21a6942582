/*
 * What the preload library does in place of MPICH's own code: errors and their handlers, handles,
 * datatypes that are not committed; and calls that need more of the host than others.
 *     calls [left] NAME
 * left: the host has this file, and its texts are its own.
 */

#include <stdlib.h>
#include <string.h>

#include "mpitap.h"

enum { BYTES = 5000 };

static int rank, ranks, left;
static const char *name;

static MPI_File open_file(int mode)
{
    MPI_File file = MPI_FILE_NULL;

    MPI_File_open(MPI_COMM_WORLD, name, mode, MPI_INFO_NULL, &file);
    return file;
}

static int class_of(int code)
{
    int class = -1;

    MPI_Error_class(code, &class);
    return class;
}

/* --- errors */

static void check_texts(void)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    MPI_File file;
    int length = 0, code;

    code = MPI_File_open(MPI_COMM_WORLD, "/nowhere/at/all", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    tap_ok(class_of(code) == MPI_ERR_NO_SUCH_FILE, "a file that is not there: its class");
    MPI_Error_string(code, text, &length);
    tap_ok((left || strstr(text, "/nowhere/at/all") != NULL) && length == (int) strlen(text),
           "a file that is not there: the text names it");
    MPI_Error_string(MPI_ERR_ARG, text, &length);
    tap_ok(strstr(text, "/nowhere") == NULL, "texts of other errors are as ever");
}

static int calls, last_code;
static MPI_File last_file;

static void note_error(MPI_File *file, int *code, ...)
{
    calls++;
    last_file = *file;
    last_code = *code;
}

static void check_handlers(void)
{
    MPI_Errhandler handler, found;
    MPI_File file = open_file(MPI_MODE_CREATE | MPI_MODE_WRONLY);
    char byte;
    int code;

    MPI_File_get_errhandler(file, &found);
    tap_ok(found == MPI_ERRORS_RETURN, "errors of files return");
    MPI_File_create_errhandler(note_error, &handler);
    MPI_File_set_errhandler(file, handler);
    MPI_File_get_errhandler(file, &found);
    tap_ok(found == handler, "a file tells its handler");
    MPI_Errhandler_free(&found);
    MPI_Errhandler_free(&handler);
    tap_ok(handler == MPI_ERRHANDLER_NULL, "a handler is freed while a file has it");
    code = MPI_File_read(file, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE);
    tap_ok(calls == 1 && last_file == file && last_code == code && class_of(code) == MPI_ERR_ACCESS,
           "and is called");
    MPI_File_call_errhandler(file, MPI_ERR_QUOTA);
    tap_ok(calls == 2 && last_code == MPI_ERR_QUOTA, "also on request");
    MPI_File_set_errhandler(file, MPI_ERRORS_RETURN);
    MPI_File_read(file, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE);
    tap_ok(calls == 2, "and no longer when there is another");
    MPI_File_close(&file);
}

/* Files that cannot be opened have the handler of MPI_FILE_NULL. */
static void check_default_handler(void)
{
    MPI_Errhandler handler;
    MPI_File file;

    calls = 0;
    MPI_File_create_errhandler(note_error, &handler);
    MPI_File_set_errhandler(MPI_FILE_NULL, handler);
    MPI_File_open(MPI_COMM_WORLD, "/nowhere/at/all", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    tap_ok(calls == 1 && last_file == MPI_FILE_NULL, "the handler of files that are not open");
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&handler);
}

/* Handlers of communicators are still the host's. */
static void check_other_handlers(void)
{
    MPI_Errhandler handler;

    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
    tap_ok(handler == MPI_ERRORS_ARE_FATAL, "the handler of a communicator");
    tap_ok(MPI_Errhandler_free(&handler) == MPI_SUCCESS, "and its end");
}

/* --- handles and datatypes */

static void check_handles(void)
{
    MPI_File one = open_file(MPI_MODE_CREATE | MPI_MODE_RDWR), other = open_file(MPI_MODE_RDWR);

    tap_ok(MPI_File_f2c(MPI_File_c2f(one)) == one && MPI_File_f2c(MPI_File_c2f(other)) == other &&
               MPI_File_c2f(one) != MPI_File_c2f(other),
           "handles for Fortran and back");
    tap_ok(MPI_File_f2c(MPI_File_c2f(MPI_FILE_NULL)) == MPI_FILE_NULL, "also that of no file");
    MPI_File_close(&one);
    MPI_File_close(&other);
}

static void check_uncommitted(void)
{
    MPI_File file = open_file(MPI_MODE_RDWR);
    MPI_Datatype type;
    char bytes[16] = "";

    MPI_Type_vector(4, 1, 2, MPI_BYTE, &type);
    tap_ok(class_of(MPI_File_write_at(file, 0, bytes, 1, type, MPI_STATUS_IGNORE)) == MPI_ERR_TYPE,
           "a datatype that is not committed is refused");
    MPI_Type_commit(&type);
    tap_ok(MPI_File_write_at(file, 0, bytes, 1, type, MPI_STATUS_IGNORE) == MPI_SUCCESS,
           "and not when it is");
    MPI_Type_free(&type);
    MPI_File_close(&file);
}

/* --- calls that end later, shared pointers, views */

static int is_right(MPI_File file, const char *bytes)
{
    char *all = malloc(BYTES);
    MPI_Status status;
    int right, count;

    MPI_File_read_at_all(file, (MPI_Offset) rank * BYTES, all, BYTES, MPI_BYTE, &status);
    MPI_Get_count(&status, MPI_BYTE, &count);
    right = count == BYTES && memcmp(all, bytes, BYTES) == 0;
    free(all);
    return right;
}

static void fill(char *bytes, int number)
{
    for (int i = 0; i < BYTES; i++)
        bytes[i] = (char) (rank * 31 + i * 7 + number * 13);
}

static void check_later(void)
{
    MPI_File file = open_file(MPI_MODE_RDWR);
    MPI_Offset at = (MPI_Offset) rank * BYTES;
    char bytes[BYTES];
    MPI_Request request;
    MPI_Status status;
    int count;

    fill(bytes, 1);
    MPI_File_iwrite_at(file, at, bytes, BYTES, MPI_BYTE, &request);
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_BYTE, &count);
    tap_ok(count == BYTES && is_right(file, bytes), "a write that ends later");
    fill(bytes, 2);
    MPI_File_iwrite_at_all(file, at, bytes, BYTES, MPI_BYTE, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    tap_ok(is_right(file, bytes), "a collective one");
    fill(bytes, 3);
    MPI_File_write_at_all_begin(file, at, bytes, BYTES, MPI_BYTE);
    MPI_File_write_at_all_end(file, bytes, &status);
    MPI_Get_count(&status, MPI_BYTE, &count);
    tap_ok(count == BYTES && is_right(file, bytes), "one in two parts");
    fill(bytes, 4);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_write_ordered(file, bytes, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
    tap_ok(is_right(file, bytes), "one in order");
    MPI_File_close(&file);
}

static void check_view(void)
{
    MPI_File file = open_file(MPI_MODE_RDWR);
    MPI_Datatype type, found;
    MPI_Offset displacement;
    char bytes[BYTES], representation[MPI_MAX_DATAREP_STRING];
    MPI_Datatype element;
    MPI_Info info;

    fill(bytes, 5);
    MPI_Type_vector(BYTES / 10, 10, 10 * ranks, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_File_set_view(file, 10 * rank, MPI_BYTE, type, "native", MPI_INFO_NULL);
    MPI_File_write_at_all(file, 0, bytes, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
    memset(bytes, 0, BYTES);
    MPI_File_read_at_all(file, 0, bytes, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_get_view(file, &displacement, &element, &found, representation);
    tap_ok(displacement == 10 * rank && strcmp(representation, "native") == 0 &&
               bytes[BYTES - 1] == (char) (rank * 31 + (BYTES - 1) * 7 + 5 * 13),
           "a view, written and read");
    MPI_File_get_info(file, &info);
    tap_ok(info != MPI_INFO_NULL, "hints");
    MPI_Info_free(&info);
    MPI_Type_free(&found);
    MPI_Type_free(&type);
    MPI_File_close(&file);
}

int main(int argc, char **argv)
{
    int code;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    name = argv[argc - 1];
    left = argc > 2 && strcmp(argv[1], "left") == 0;
    check_texts();
    check_handlers();
    check_default_handler();
    check_other_handlers();
    check_handles();
    check_uncommitted();
    check_later();
    check_view();
    if (rank == 0)
        MPI_File_delete(name, MPI_INFO_NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    code = tap_done();
    MPI_Finalize();
    return code;
}
