#include "neighbours_file.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "value/value.h"
#include "formats/formats.h"

enum { MOST = 4096 }; /* bytes of a file */

static bool path_of(const char *dir, const char *before, const char *name, const char *after,
                    char path[PATH_MAX])
{
    return snprintf(path, PATH_MAX, "%s/%s%s%s", dir, before, name, after) < PATH_MAX;
}

/* --- writing */

/* Without waiting for a disk: after a crash it is written again.  The new file has the same name
 * each time, so that of writers that were killed one is left at most. */
static bool replace(const char *path, const char *new_path, const char *text, size_t length,
                    uid_t *owner_p)
{
    struct stat what;
    bool done;
    int fd;

    unlink(new_path); /* of one that was killed, or of somebody who may write there */
    fd = open(new_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (fd < 0)
        return false;
    done = write(fd, text, length) == (ssize_t) length && fstat(fd, &what) == 0;
    done = close(fd) == 0 && done && rename(new_path, path) == 0;
    if (done)
        *owner_p = what.st_uid;
    return done;
}

bool neighbours_file_write(const char *dir, const char *name, const neighbours_said *said,
                           uid_t *owner_p)
{
    atm_value *root = atm_value_object();
    char path[PATH_MAX], new_path[PATH_MAX], *text = NULL;
    size_t length = 0;
    bool done;

    atm_put_string(root, "format", HEALTH_FORMAT);
    atm_put_integer(root, "version", HEALTH_VERSION);
    atm_put_integer(root, "sequence", said->sequence);
    atm_put_integer(root, "time", said->time);
    atm_put_integer(root, "processes", said->processes);
    atm_put_integer(root, "slow", said->slow);
    atm_put_truth(root, "suspect", said->is_suspect);
    atm_put_truth(root, "raised", said->is_raised);
    done = atm_value_print_line(root, &text, &length) == ATM_OK &&
           path_of(dir, "", name, "", path) && path_of(dir, ".", name, ".new", new_path) &&
           replace(path, new_path, text, length, owner_p);
    free(text);
    atm_value_destroy(root);
    return done;
}

/* --- reading */

static ssize_t read_text(const char *path, uid_t owner, char text[MOST])
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    ssize_t length = -1;
    struct stat what;

    if (fd < 0)
        return -1;
    if (fstat(fd, &what) == 0 && S_ISREG(what.st_mode) && what.st_uid == owner)
        length = read(fd, text, MOST);
    close(fd);
    return length < MOST ? length : -1;
}

bool neighbours_file_read(const char *dir, const char *name, uid_t owner, neighbours_said *said_p)
{
    neighbours_said said = {.sequence = 0};
    char path[PATH_MAX], text[MOST];
    atm_value *root = NULL;
    ssize_t length = path_of(dir, "", name, "", path) ? read_text(path, owner, text) : -1;
    bool is_right;

    if (length <= 0 || atm_value_parse(text, (size_t) length, path, NULL, &root) != ATM_OK)
        return false;
    is_right = atm_check_format(root, HEALTH_FORMAT, HEALTH_VERSION, NULL, &(int){0}) == ATM_OK;
    atm_opt_integer(root, "sequence", 0, ATM_MAX_INTEGER, NULL, &said.sequence);
    atm_opt_integer(root, "time", 0, ATM_MAX_INTEGER, NULL, &said.time);
    atm_opt_integer(root, "processes", 0, INT32_MAX, NULL, &said.processes);
    atm_opt_integer(root, "slow", 0, INT32_MAX, NULL, &said.slow);
    atm_opt_truth(root, "suspect", NULL, &said.is_suspect);
    atm_opt_truth(root, "raised", NULL, &said.is_raised);
    atm_value_destroy(root);
    if (is_right)
        *said_p = said;
    return is_right;
}
