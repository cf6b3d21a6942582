/* Values: files, read and replaced as a whole. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "atm_value_tree.h"

__attribute__((format(printf, 3, 4))) static atm_status
no_access(const char *path, atm_message *message, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    atm_message_set(message, path, "", format, arguments);
    va_end(arguments);
    return ATM_NO_ACCESS;
}

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
        return no_access(path, message, "cannot be read: %m");
    if (!S_ISREG(info.st_mode))
        return no_access(path, message, "is not a file");
    /* one byte more shows that it is too large, or still growing */
    size = info.st_size > ATM_MAX_BYTES ? (size_t) ATM_MAX_BYTES + 1 : (size_t) info.st_size + 1;
    text = malloc(size);
    if (!text)
        return ATM_NO_MEMORY;
    length = read_all(file, text, size);
    if (length < 0) {
        atm_status status = no_access(path, message, "cannot be read: %m");

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
        return no_access(path, message, "cannot be opened: %m");
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

static bool write_all(int file, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t put = write(file, text, length);

        if (put > 0) {
            text += put;
            length -= (size_t) put;
        } else if (put == 0 || errno != EINTR) {
            return false;
        }
    }
    return true;
}

/* Fills a new file next to path, then puts it in path's place. */
static atm_status replace(const char *path, char *new_path, const char *text, size_t length,
                          atm_message *message)
{
    atm_status status = ATM_OK;
    int file = mkstemp(new_path);

    if (file < 0)
        return no_access(path, message, "cannot be created: %m");
    if (!write_all(file, text, length) || fchmod(file, 0644) != 0 || fsync(file) != 0)
        status = no_access(path, message, "cannot be written: %m");
    if (close(file) != 0 && !status)
        status = no_access(path, message, "cannot be written: %m");
    if (!status && rename(new_path, path) != 0)
        status = no_access(path, message, "cannot be replaced: %m");
    if (status)
        unlink(new_path);
    return status;
}

atm_status atm_value_write(const atm_value *value, const char *path, atm_message *message)
{
    static const char suffix[] = ".XXXXXX";
    size_t path_length = strlen(path), length;
    atm_status status;
    char *text, *new_path;

    status = atm_value_print(value, &text, &length);
    if (status)
        return status;
    new_path = malloc(path_length + sizeof(suffix));
    if (!new_path) {
        free(text);
        return ATM_NO_MEMORY;
    }
    memcpy(new_path, path, path_length);
    memcpy(new_path + path_length, suffix, sizeof(suffix));
    status = replace(path, new_path, text, length, message);
    free(new_path);
    free(text);
    return status;
}
