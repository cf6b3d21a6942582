/*
 * Errors of ROMIO.  A code is the class itself: MPI could give codes of their own to classes that
 * it knows already, but MPICH then tells another text.  What happened is told by MPI_Error_string
 * to the thread that it happened to, as long as it was its last error.
 */

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "atp.h"
#include "mpir_ext.h"

/* Called by slots only. */
int atp_Error_string(int code, char *text, int *length_p);

static _Thread_local struct {
    int code;
    char text[MPI_MAX_ERROR_STRING];
} last;

static int host_text(int code, char *text, int *length_p)
{
    int (*theirs)(int, char *, int *);

    return atp_find("PMPI_Error_string", &theirs) ? theirs(code, text, length_p) : MPI_ERR_OTHER;
}

int atp_Error_string(int code, char *text, int *length_p)
{
    if (code == MPI_SUCCESS || code != last.code)
        return host_text(code, text, length_p);
    *length_p = snprintf(text, MPI_MAX_ERROR_STRING, "%s", last.text);
    return MPI_SUCCESS;
}

void atp_error_forget(void)
{
    last.code = MPI_SUCCESS;
}

/* --- texts */

typedef struct message {
    const char *key, *text; /* "**io %s", "Other I/O error %s" */
} message;

static const message messages[] = {
#include "messages.inc"
};

enum { MESSAGES = sizeof(messages) / sizeof(messages[0]) };

/* Whether two formats take the same values. */
static bool are_alike(const char *one, const char *other)
{
    for (;;) {
        one += strcspn(one, "%");
        other += strcspn(other, "%");
        if (*one == '\0' || *other == '\0')
            return *one == *other;
        if (one[1] != other[1])
            return false;
        one += 2;
        other += 2;
    }
}

/* The format of a message by its key; or what follows the key; others as they are. */
static const char *format_of(const char *key)
{
    if (strncmp(key, "**", 2) != 0)
        return key;
    for (int i = 0; i < MESSAGES; i++)
        if (strcmp(messages[i].key, key) == 0 && are_alike(key, messages[i].text))
            return messages[i].text;
    key += strcspn(key, " ");
    return key + strspn(key, " ");
}

/* --- codes */

static void note(int class, const char *function, int line, const char *format, va_list values)
{
    char details[256];
    int length = 0;

    if (host_text(class, last.text, &length) != MPI_SUCCESS)
        length = 0;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    vsnprintf(details, sizeof(details), format, values);
#pragma GCC diagnostic pop
    snprintf(last.text + length, sizeof(last.text) - (size_t) length, "%s%s (%s, line %d)",
             details[0] != '\0' ? ": " : "", details, function, line);
    last.code = class;
}

int MPIR_Err_create_code_valist(int before, int fatal, const char function[], int line, int class,
                                const char generic[], const char specific[], va_list values)
{
    const char *key = specific != NULL ? specific : generic != NULL ? generic : "";

    (void) fatal;
    /* as MPICH: who adds a level to an error need not know what it was */
    if (class == MPI_ERR_OTHER && before != MPI_SUCCESS)
        PMPI_Error_class(before, &class);
    note(class, function, line, format_of(key), values);
    return class;
}

int MPIR_Err_is_fatal(int code)
{
    (void) code;
    return 0;
}

void MPIR_Err_get_string(int code, char *text, int length, MPIR_Err_get_class_string_func_t by)
{
    char whole[MPI_MAX_ERROR_STRING] = "";
    int found;

    (void) by;
    if (atp_Error_string(code, whole, &found) != MPI_SUCCESS)
        whole[0] = '\0';
    snprintf(text, (size_t) length, "%s", whole);
}

int MPIR_Abort(MPI_Comm comm, int error, int code, const char *message)
{
    (void) error;
    fprintf(stderr, "romio-autotune: %s\n", message);
    return PMPI_Abort(comm, code);
}
