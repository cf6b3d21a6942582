/* What the targets share. */

#include "fuzz.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void require(bool condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "fuzz: %s\n", what);
    abort();
}

void require_message(const atm_message *message)
{
    require(message->text[0] != '\0', "a message says nothing");
    for (const char *at = message->text; *at != '\0'; at++)
        require((unsigned char) *at >= ' ' && *at != 127, "a message has a control character");
}

char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);

    require(text != NULL, "no memory");
    memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

static char path[64];

static void remove_file(void)
{
    unlink(path);
}

const char *fuzz_file(const uint8_t *data, size_t size)
{
    int file;

    if (path[0] == '\0') {
        strcpy(path, access("/dev/shm", W_OK) == 0 ? "/dev/shm/fuzz-XXXXXX" : "/tmp/fuzz-XXXXXX");
        file = mkstemp(path);
        atexit(remove_file);
    } else {
        file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    }
    require(file >= 0 && write(file, data, size) == (ssize_t) size, path);
    close(file);
    return path;
}
