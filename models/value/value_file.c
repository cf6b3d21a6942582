/* Values: files, read and written as a whole. */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "value/text_output.h"
#include "value.h"
#include "value_text.h"

/* As many bytes as there are, size at most; -1 and errno */
static ssize_t read_all(int file, char *buffer, size_t size)
{
    size_t length = 0;

    while (length < size) {
        ssize_t got = read(file, buffer + length, size - length);

        if (got == 0)
            break;
        if (got > 0)
            length += (size_t) got;
        else if (errno != EINTR)
            return -1;
    }
    return (ssize_t) length;
}

static atm_status read_text(int file, const char *path, atm_message *message, char **text_p,
                            size_t *length_p)
{
    struct stat info;
    ssize_t length;
    size_t size;
    char *text;

    if (fstat(file, &info) != 0)
        return atm_no_access(path, message, "cannot be read: %m");
    if (!S_ISREG(info.st_mode))
        return atm_no_access(path, message, "is not a file");
    /* one byte more shows that it is too large, or still growing */
    size = info.st_size > ATM_MAX_BYTES ? (size_t) ATM_MAX_BYTES + 1 : (size_t) info.st_size + 1;
    text = malloc(size);
    if (!text)
        return ATM_NO_MEMORY;
    length = read_all(file, text, size);
    if (length < 0) {
        atm_status status = atm_no_access(path, message, "cannot be read: %m");

        free(text);
        return status;
    }
    *text_p = text;
    *length_p = (size_t) length;
    return ATM_OK;
}

atm_status atm_text_read(const char *path, atm_message *message, char **text_p, size_t *length_p)
{
    /* does not wait for the other end of a pipe */
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    atm_status status;

    if (file < 0)
        return atm_no_access(path, message, "cannot be opened: %m");
    status = read_text(file, path, message, text_p, length_p);
    close(file);
    return status;
}

atm_status atm_value_read(const char *path, atm_message *message, atm_value **root_p)
{
    char *text;
    size_t length;
    atm_status status = atm_text_read(path, message, &text, &length);

    if (status != ATM_OK)
        return status;
    status = atm_value_parse(text, length, path, message, root_p);
    free(text);
    return status;
}

atm_status atm_document_parse(const atm_document *document, const char *text, size_t length,
                              const char *name, atm_message *message, void *made_p)
{
    atm_value *root;
    atm_status status = atm_value_parse(text, length, name, message, &root);
    char *made, *source;

    if (status != ATM_OK)
        return status;
    status = ATM_NO_MEMORY;
    made = calloc(1, document->size);
    if (made != NULL && (source = strdup(name)) != NULL) {
        memcpy(made + document->source, &source, sizeof(source));
        status = document->read(root, message, made);
    }
    atm_value_destroy(root);
    if (status == ATM_OK)
        memcpy(made_p, &made, sizeof(made));
    else
        document->destroy(made);
    return status;
}

atm_status atm_document_load(const atm_document *document, const char *path, atm_message *message,
                             void *made_p)
{
    char *text;
    size_t length;
    atm_status status = atm_text_read(path, message, &text, &length);

    if (status != ATM_OK)
        return status;
    status = atm_document_parse(document, text, length, path, message, made_p);
    free(text);
    return status;
}

atm_status atm_value_write(const atm_value *value, const char *path, atm_message *message)
{
    size_t length;
    char *text;
    atm_status status = atm_value_print(value, &text, &length);

    if (status)
        return status;
    status = atm_text_write(path, text, length, message);
    free(text);
    return status;
}
