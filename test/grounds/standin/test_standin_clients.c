/*
 * Clients of Lustre.  Each is a process of this program, started with another
 * STANDIN_CLIENT.
 */

#include "test_standin.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the process that open_elsewhere starts does. */
static int open_and_tell(const char *path, int flags)
{
    int fd = open(path, flags);
    struct lum lum = {{0}};
    int stripes = fd >= 0 && ioctl(fd, GETSTRIPE, &lum) == 0 ? get16(&lum, 28) : 0;

    if (fd < 0)
        return 100;
    return stripes + (write(fd, "x", 1) == 1 ? 0 : 50);
}

/* Before and after COMMAND has another client set the layout.  0: the layout is there after the
 * first access, and not before. */
static int open_and_wait(const char *path, const char *command)
{
    int fd = open(path, O_RDWR | DELAY_CREATE);
    struct lum lum = {{0}};
    char byte;

    if (fd < 0 || ioctl(fd, GETSTRIPE, &lum) == 0 || system(command) != 0)
        return 1;
    if (ioctl(fd, GETSTRIPE, &lum) == 0 || errno != ENODATA || pread(fd, &byte, 1, 0) < 0)
        return 2;
    return ioctl(fd, GETSTRIPE, &lum) == 0 && get16(&lum, 28) == 3 && write(fd, "x", 1) == 1 ? 0
                                                                                             : 3;
}

/* What the other client does meanwhile. */
static int set_three(const char *path)
{
    int fd = open(path, O_RDWR | DELAY_CREATE);
    struct lum *lum = request(V1, 0, MiB, 3, 0xffff);

    if (fd < 0 || ioctl(fd, SETSTRIPE, lum) != 0)
        return 1;
    return ioctl(fd, GETSTRIPE, lum) == 0 && get16(lum, 28) == 3 ? 0 : 2;
}

/* Item 3 of "A layout can be chosen late" */
void late_layout_reaches_other_clients_late(void **state)
{
    char command[3 * PATH_MAX];

    (void) state;
    close(open("lustre/seen-late", O_CREAT | O_EXCL | O_RDWR | DELAY_CREATE, 0600));
    snprintf(command, sizeof command,
             "STANDIN_CLIENT=a '%s' --wait lustre/seen-late"
             " \"STANDIN_CLIENT=b '%s' --set lustre/seen-late\"",
             program, program);
    assert_int_equal(system(command), 0);
}

/* Runs this program as a process of another client (NULL: of the same one): it
 * opens NAME with FLAGS.  The stripes that it sees then, 0 for none, 100 if it
 * could not open, 50 more if it could not write. */
static int open_elsewhere(const char *client, const char *name, int flags)
{
    char number[16];
    int status;
    pid_t child;

    snprintf(number, sizeof number, "%d", flags);
    child = fork();
    if (child == 0) {
        if (client)
            setenv("STANDIN_CLIENT", client, 1);
        execl(program, program, "--open", name, number, (char *) NULL);
        _exit(101);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

bool is_for_client(const char *what)
{
    return strcmp(what, "--open") == 0 || strcmp(what, "--wait") == 0 || strcmp(what, "--set") == 0;
}

int act_as_client(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[0], "--open") == 0)
        return open_and_tell(argv[1], atoi(argv[2]));
    if (argc == 3 && strcmp(argv[0], "--wait") == 0)
        return open_and_wait(argv[1], argv[2]);
    return argc == 2 ? set_three(argv[1]) : 99;
}

/* "also from another client while A still holds its descriptor" */
void late_plain_open_of_another_client_does(void **state)
{
    int late = open("lustre/other", O_CREAT | O_EXCL | O_RDWR | DELAY_CREATE | O_CLOEXEC, 0600);

    (void) state;
    assert_int_equal(open_elsewhere("other", "lustre/other", O_RDONLY), 50);
    assert_int_equal(open_elsewhere("other", "lustre/other", O_RDWR | DELAY_CREATE), 50);
    check_no_layout(late);
    assert_int_equal(open_elsewhere("other", "lustre/other", O_RDWR), 1);
    check_layout(late, 0x1, 4 * MiB, 1, NULL);
    FAILS(ioctl(late, SETSTRIPE, request(V1, 0, MiB, 3, 0xffff)), EEXIST);
    close(late);
}

void late_open_of_every_process_its_own_client_does(void **state)
{
    int late = open("lustre/own", O_CREAT | O_EXCL | O_RDWR | DELAY_CREATE | O_CLOEXEC, 0600);

    (void) state;
    assert_int_equal(open_elsewhere(NULL, "lustre/own", O_RDWR), 50);
    assert_int_equal(open_elsewhere("own", "lustre/own", O_RDWR), 1);
    close(late);
}
