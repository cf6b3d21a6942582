/* The MPI calls behind one signature, so that a case can pick any of them. */

#include "random.h"

#include "../patient.h"

const char *const call_group_names[CALL_GROUPS] = {
    [INDEPENDENT] = "independent", [NONBLOCKING] = "nonblocking independent",
    [COLLECTIVE] = "collective",   [NONBLOCKING_COLLECTIVE] = "nonblocking collective",
    [SPLIT] = "split collective",  [SHARED] = "shared pointer",
};

/* The first failure of the two halves of a call */
static int first_error(int first, int second)
{
    return first != MPI_SUCCESS ? first : second;
}

#define WRITE_ARGUMENTS                                                                            \
    MPI_File file, MPI_Offset offset, const void *buffer, int count, MPI_Datatype type,            \
        MPI_Status *status
#define READ_ARGUMENTS                                                                             \
    MPI_File file, MPI_Offset offset, void *buffer, int count, MPI_Datatype type, MPI_Status *status

#define BLOCKING(verb, arguments)                                                                  \
    static int do_##verb(arguments)                                                                \
    {                                                                                              \
        (void) offset;                                                                             \
        return MPI_File_##verb(file, buffer, count, type, status);                                 \
    }

#define BLOCKING_AT(verb, arguments)                                                               \
    static int do_##verb(arguments)                                                                \
    {                                                                                              \
        return MPI_File_##verb(file, offset, buffer, count, type, status);                         \
    }

#define WAITED(verb, arguments)                                                                    \
    static int do_##verb(arguments)                                                                \
    {                                                                                              \
        MPI_Request request = MPI_REQUEST_NULL;                                                    \
        (void) offset;                                                                             \
        int error = MPI_File_##verb(file, buffer, count, type, &request);                          \
        return first_error(error, patient_wait(&request, status));                                 \
    }

#define WAITED_AT(verb, arguments)                                                                 \
    static int do_##verb(arguments)                                                                \
    {                                                                                              \
        MPI_Request request = MPI_REQUEST_NULL;                                                    \
        int error = MPI_File_##verb(file, offset, buffer, count, type, &request);                  \
        return first_error(error, patient_wait(&request, status));                                 \
    }

#define BEGUN(verb, arguments)                                                                     \
    static int do_##verb##_begin(arguments)                                                        \
    {                                                                                              \
        (void) offset;                                                                             \
        int error = MPI_File_##verb##_begin(file, buffer, count, type);                            \
        return first_error(error, MPI_File_##verb##_end(file, buffer, status));                    \
    }

#define BEGUN_AT(verb, arguments)                                                                  \
    static int do_##verb##_begin(arguments)                                                        \
    {                                                                                              \
        int error = MPI_File_##verb##_begin(file, offset, buffer, count, type);                    \
        return first_error(error, MPI_File_##verb##_end(file, buffer, status));                    \
    }

BLOCKING_AT(write_at, WRITE_ARGUMENTS)
BLOCKING_AT(read_at, READ_ARGUMENTS)
BLOCKING(write, WRITE_ARGUMENTS)
BLOCKING(read, READ_ARGUMENTS)
WAITED_AT(iwrite_at, WRITE_ARGUMENTS)
WAITED_AT(iread_at, READ_ARGUMENTS)
WAITED(iwrite, WRITE_ARGUMENTS)
WAITED(iread, READ_ARGUMENTS)
BLOCKING_AT(write_at_all, WRITE_ARGUMENTS)
BLOCKING_AT(read_at_all, READ_ARGUMENTS)
BLOCKING(write_all, WRITE_ARGUMENTS)
BLOCKING(read_all, READ_ARGUMENTS)
WAITED_AT(iwrite_at_all, WRITE_ARGUMENTS)
WAITED_AT(iread_at_all, READ_ARGUMENTS)
WAITED(iwrite_all, WRITE_ARGUMENTS)
WAITED(iread_all, READ_ARGUMENTS)
BEGUN_AT(write_at_all, WRITE_ARGUMENTS)
BEGUN_AT(read_at_all, READ_ARGUMENTS)
BEGUN(write_all, WRITE_ARGUMENTS)
BEGUN(read_all, READ_ARGUMENTS)
BLOCKING(write_shared, WRITE_ARGUMENTS)
BLOCKING(read_shared, READ_ARGUMENTS)
WAITED(iwrite_shared, WRITE_ARGUMENTS)
WAITED(iread_shared, READ_ARGUMENTS)
BLOCKING(write_ordered, WRITE_ARGUMENTS)
BLOCKING(read_ordered, READ_ARGUMENTS)
BEGUN(write_ordered, WRITE_ARGUMENTS)
BEGUN(read_ordered, READ_ARGUMENTS)

#define CALL(write, read, group, pointer, collective, unordered)                                   \
    {                                                                                              \
#write, #read, group, pointer, collective, unordered, do_##write, do_##read                \
    }

const struct call calls[] = {
    CALL(write_at, read_at, INDEPENDENT, EXPLICIT_OFFSET, 0, 0),
    CALL(write, read, INDEPENDENT, INDIVIDUAL_POINTER, 0, 0),
    CALL(iwrite_at, iread_at, NONBLOCKING, EXPLICIT_OFFSET, 0, 0),
    CALL(iwrite, iread, NONBLOCKING, INDIVIDUAL_POINTER, 0, 0),
    CALL(write_at_all, read_at_all, COLLECTIVE, EXPLICIT_OFFSET, 1, 0),
    CALL(write_all, read_all, COLLECTIVE, INDIVIDUAL_POINTER, 1, 0),
    CALL(iwrite_at_all, iread_at_all, NONBLOCKING_COLLECTIVE, EXPLICIT_OFFSET, 1, 0),
    CALL(iwrite_all, iread_all, NONBLOCKING_COLLECTIVE, INDIVIDUAL_POINTER, 1, 0),
    CALL(write_at_all_begin, read_at_all_begin, SPLIT, EXPLICIT_OFFSET, 1, 0),
    CALL(write_all_begin, read_all_begin, SPLIT, INDIVIDUAL_POINTER, 1, 0),
    CALL(write_shared, read_shared, SHARED, SHARED_POINTER, 0, 1),
    CALL(iwrite_shared, iread_shared, SHARED, SHARED_POINTER, 0, 1),
    CALL(write_ordered, read_ordered, SHARED, SHARED_POINTER, 1, 0),
    CALL(write_ordered_begin, read_ordered_begin, SHARED, SHARED_POINTER, 1, 0),
};

const int call_count = sizeof calls / sizeof calls[0];
