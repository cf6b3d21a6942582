/* atm_output: files that are replaced or grow, and what is no plain file. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "value/text_output.h"
#include "value/value.h"

static char folder[] = "/tmp/test_output.XXXXXX";

static const char *path(const char *name)
{
    static char paths[4][PATH_MAX];
    static int next;
    char *path = paths[next++ % 4];

    snprintf(path, PATH_MAX, "%s/%s", folder, name);
    return path;
}

static void put(const char *name, const char *text, mode_t mode)
{
    int file = open(path(name), O_WRONLY | O_CREAT | O_TRUNC, 0600);

    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    assert_int_equal(fchmod(file, mode), 0);
    close(file);
}

static void holds(const char *name, const char *text)
{
    char found[256] = "";
    int file = open(path(name), O_RDONLY);

    assert_true(file >= 0);
    assert_int_equal(read(file, found, sizeof(found) - 1), strlen(text));
    assert_string_equal(found, text);
    close(file);
}

static mode_t mode_of(const char *name)
{
    struct stat info;

    assert_int_equal(lstat(path(name), &info), 0);
    return info.st_mode;
}

static void writes(const char *name, const char *text)
{
    atm_message message = {""};

    if (atm_text_write(name[0] == '/' ? name : path(name), text, strlen(text), &message) != ATM_OK)
        fail_msg("%s", message.text);
}

static void appends(const char *name, const char *text)
{
    atm_message message = {""};

    if (atm_line_append(name[0] == '/' ? name : path(name), text, strlen(text), &message) != ATM_OK)
        fail_msg("%s", message.text);
}

typedef atm_status writer(const char *path, const char *text, size_t length, atm_message *message);

/* No access, and the message is the path and this. */
static void refuses(writer *writer, const char *name, const char *text, const char *expected)
{
    atm_message message = {""};
    char whole[PATH_MAX + 100];

    snprintf(whole, sizeof(whole), "%s: %s", path(name), expected);
    assert_int_equal(writer(path(name), text, strlen(text), &message), ATM_NO_ACCESS);
    assert_string_equal(message.text, whole);
}

/* Files of the folder. */
static int entries(void)
{
    char command[PATH_MAX + 32], count[16] = "";
    FILE *pipe;

    snprintf(command, sizeof(command), "ls -A %s | wc -l", folder);
    pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_non_null(fgets(count, sizeof(count), pipe));
    pclose(pipe);
    return atoi(count);
}

/* --- plain files and links */

static void a_new_file_can_be_read_by_all(void **state)
{
    (void) state;
    writes("new", "one\n");
    holds("new", "one\n");
    assert_int_equal(mode_of("new"), S_IFREG | 0644);
}

static void a_file_is_replaced_and_keeps_its_mode(void **state)
{
    struct stat before, after;
    int count;

    (void) state;
    put("old", "something longer\n", 0640);
    count = entries();
    assert_int_equal(stat(path("old"), &before), 0);
    writes("old", "two\n");
    holds("old", "two\n");
    assert_int_equal(mode_of("old"), S_IFREG | 0640);
    assert_int_equal(stat(path("old"), &after), 0);
    assert_int_not_equal(before.st_ino, after.st_ino); /* readers of the old one keep it */
    assert_int_equal(entries(), count);
}

static void a_link_stays_a_link(void **state)
{
    (void) state;
    assert_int_equal(mkdir(path("elsewhere"), 0700), 0);
    put("elsewhere/file", "before\n", 0600);
    assert_int_equal(symlink("elsewhere/file", path("link")), 0);
    assert_int_equal(symlink("link", path("link-to-link")), 0);
    writes("link-to-link", "after\n");
    assert_true(S_ISLNK(mode_of("link")) && S_ISLNK(mode_of("link-to-link")));
    holds("elsewhere/file", "after\n");
    assert_int_equal(mode_of("elsewhere/file"), S_IFREG | 0600);
    appends("link", "more\n");
    holds("elsewhere/file", "after\nmore\n");

    assert_int_equal(symlink("elsewhere/none", path("dangling")), 0);
    writes("dangling", "made\n");
    assert_true(S_ISLNK(mode_of("dangling")));
    holds("elsewhere/none", "made\n");

    assert_int_equal(symlink("circle", path("circle")), 0);
    refuses(atm_text_write, "circle", "x", "cannot be written: Too many levels of symbolic links");
    refuses(atm_line_append, "circle", "x", "cannot be written: Too many levels of symbolic links");
}

static void a_staged_file_replaces_a_link(void **state)
{
    atm_message message = {""};
    char *new_path = NULL;
    int count;

    (void) state;
    put("behind", "before\n", 0600);
    assert_int_equal(symlink("behind", path("staged")), 0);
    count = entries();
    assert_int_equal(atm_text_stage(path("staged"), "after\n", 6, &message, &new_path), ATM_OK);
    assert_int_equal(entries(), count + 1);
    holds("staged", "before\n");
    assert_int_equal(rename(new_path, path("staged")), 0);
    free(new_path);
    holds("staged", "after\n");
    assert_int_equal(mode_of("staged"), S_IFREG | 0644);
    holds("behind", "before\n");
    assert_int_equal(atm_text_stage(path("no/where"), "x", 1, &message, &new_path), ATM_NO_ACCESS);
    assert_non_null(strstr(message.text, "cannot be created: No such file or directory"));
}

static void what_cannot_be_is_told(void **state)
{
    char *name = malloc(5000);

    (void) state;
    refuses(atm_text_write, "no/where", "x", "cannot be created: No such file or directory");
    refuses(atm_line_append, "no/where", "x", "cannot be opened: No such file or directory");
    refuses(atm_text_write, "elsewhere", "x", "cannot be opened: Is a directory");
    refuses(atm_line_append, "elsewhere", "x", "cannot be opened: Is a directory");
    memset(name, 'n', 4999);
    name[4999] = '\0';
    assert_int_equal(atm_text_write(name, "x", 1, NULL), ATM_NO_ACCESS);
    assert_int_equal(atm_line_append(name, "x", 1, NULL), ATM_NO_ACCESS);
    free(name);
}

static void values_are_written_so_too(void **state)
{
    atm_value *root = atm_value_object();
    char text[64];

    (void) state;
    atm_put_integer(root, "a", 1);
    put("value", "x", 0600);
    assert_int_equal(symlink("value", path("value-link")), 0);
    assert_int_equal(atm_value_write(root, path("value-link"), NULL), ATM_OK);
    assert_true(S_ISLNK(mode_of("value-link")));
    snprintf(text, sizeof(text), "{\n  \"a\": 1\n}\n");
    holds("value", text);
    assert_int_equal(atm_value_write(root, "/dev/null", NULL), ATM_OK);
    atm_value_destroy(root);
}

/* --- other users */

enum { OTHER = 65534 };

static bool is_root(void)
{
    if (geteuid() != 0)
        print_message("only root can make files of another user\n");
    return geteuid() == 0;
}

/* A directory of root that all may write to, as /tmp is. */
static void make_shared(const char *name)
{
    assert_int_equal(mkdir(path(name), 0700), 0);
    assert_int_equal(chmod(path(name), 01777), 0);
}

static void give_away(const char *name)
{
    assert_int_equal(lchown(path(name), OTHER, OTHER), 0);
}

static void what_others_planted_is_not_written_to(void **state)
{
    int count;

    (void) state;
    if (!is_root())
        skip();
    make_shared("shared");
    put("victim", "precious\n", 0600);
    assert_int_equal(symlink("../victim", path("shared/link")), 0);
    assert_int_equal(symlink("none", path("shared/dangling")), 0);
    put("shared/file", "", 0666);
    assert_int_equal(mkfifo(path("shared/pipe"), 0666), 0);
    give_away("shared/link");
    give_away("shared/dangling");
    give_away("shared/file");
    give_away("shared/pipe");
    count = entries();
    refuses(atm_line_append, "shared/link", "x", "cannot be written: Permission denied");
    refuses(atm_text_write, "shared/link", "x", "cannot be written: Permission denied");
    refuses(atm_line_append, "shared/dangling", "x", "cannot be written: Permission denied");
    refuses(atm_line_append, "shared/file", "x", "cannot be opened: Permission denied");
    refuses(atm_text_write, "shared/file", "x", "cannot be replaced: it is another user's");
    refuses(atm_line_append, "shared/pipe", "x", "cannot be opened: nobody reads from it");
    holds("victim", "precious\n");
    holds("shared/file", "");
    assert_int_equal(access(path("shared/none"), F_OK), -1);
    assert_int_equal(entries(), count);
}

/* Nor do they get what is written where they only prepared a reader. */
static void a_planted_pipe_gets_nothing(void **state)
{
    char text[8];
    int reader;

    (void) state;
    if (!is_root())
        skip();
    reader = open(path("shared/pipe"), O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    refuses(atm_line_append, "shared/pipe", "x", "cannot be opened: Permission denied");
    refuses(atm_text_write, "shared/pipe", "x", "cannot be opened: Permission denied");
    assert_int_equal(read(reader, text, sizeof(text)), 0);
    close(reader);
}

/* One's own files and root's are as good there as elsewhere. */
static void own_files_are_written_in_a_shared_directory(void **state)
{
    (void) state;
    if (!is_root())
        skip();
    put("shared/own", "", 0600);
    assert_int_equal(symlink("own", path("shared/own-link")), 0);
    appends("shared/own-link", "appended\n");
    holds("shared/own", "appended\n");
    writes("shared/own-link", "replaced\n");
    holds("shared/own", "replaced\n");
}

static void nothing_is_replaced_through_a_link_of_others(void **state)
{
    (void) state;
    if (!is_root())
        skip();
    assert_int_equal(mkdir(path("home"), 0755), 0);
    assert_int_equal(symlink("../victim", path("home/link")), 0);
    assert_int_equal(symlink("home/link", path("to-home")), 0);
    give_away("home/link");
    refuses(atm_text_write, "home/link", "x", "cannot be replaced: the link is another user's");
    refuses(atm_text_write, "to-home", "x", "cannot be replaced: the link is another user's");
    holds("victim", "precious\n");
}

/* --- devices, pipes, descriptors */

static void a_device_stays_a_device(void **state)
{
    int count = entries();

    (void) state;
    writes("/dev/null", "gone\n");
    appends("/dev/null", "gone\n");
    refuses(atm_text_write, "../../dev/full", "x", "cannot be written: No space left on device");
    refuses(atm_line_append, "../../dev/full", "x", "cannot be written: No space left on device");
    if (mknod(path("null"), S_IFCHR | 0666, makedev(1, 3)) != 0) { /* root's to do */
        assert_int_equal(entries(), count);
        return;
    }
    assert_int_equal(symlink("null", path("null-link")), 0);
    writes("null", "gone\n");
    writes("null-link", "gone\n");
    appends("null", "gone\n");
    assert_int_equal(mode_of("null"), S_IFCHR | (mode_of("null") & 07777));
    assert_true(S_ISLNK(mode_of("null-link")));
    assert_int_equal(entries(), count + 2);
}

static void a_pipe_without_a_reader_is_not_waited_for(void **state)
{
    (void) state;
    assert_int_equal(mkfifo(path("pipe"), 0600), 0);
    refuses(atm_text_write, "pipe", "x", "cannot be opened: nobody reads from it");
    refuses(atm_line_append, "pipe", "x", "cannot be opened: nobody reads from it");
    refuses(atm_line_append, "pipe", "", "cannot be opened: nobody reads from it");
    assert_true(S_ISFIFO(mode_of("pipe")));
}

static void a_pipe_gets_all_of_it(void **state)
{
    enum { LENGTH = 300000 }; /* more than a pipe has room for */
    char *text = malloc(LENGTH);
    pid_t reader;
    int status;

    (void) state;
    memset(text, 'p', LENGTH);
    for (int i = 0; i < 2; i++) {
        int ready[2];
        char token;

        assert_int_equal(pipe(ready), 0);
        reader = fork();
        if (reader == 0) {
            static char room[4096];
            int file = open(path("pipe"), O_RDONLY | O_NONBLOCK);
            size_t length = 0;
            ssize_t got;

            if (write(ready[1], "r", 1) != 1)
                _exit(2);
            while (length < LENGTH) {
                got = read(file, room, sizeof(room));
                if (got > 0)
                    length += (size_t) got;
                else
                    usleep(100);
            }
            _exit(0);
        }
        assert_int_equal(read(ready[0], &token, 1), 1);
        assert_int_equal(
            (i == 0 ? atm_text_write : atm_line_append)(path("pipe"), text, LENGTH, NULL), ATM_OK);
        assert_int_equal(waitpid(reader, &status, 0), reader);
        assert_int_equal(status, 0);
        close(ready[0]);
        close(ready[1]);
    }
    free(text);
}

/* A reader that stopped to read, and one that goes away. */
static void a_full_pipe_is_not_waited_for(void **state)
{
    int reader = open(path("pipe"), O_RDONLY | O_NONBLOCK);
    char *text = malloc(300000);
    atm_message message = {""};

    (void) state;
    memset(text, 'p', 300000);
    assert_int_equal(atm_line_append(path("pipe"), text, 300000, &message), ATM_NO_ACCESS);
    assert_non_null(strstr(message.text, "cannot be written: nobody reads from it"));
    free(text);
    close(reader);
}

static void a_descriptor_is_used_as_it_is(void **state)
{
    int file = open(path("redirected"), O_RDWR | O_CREAT, 0600), reader[2];
    char name[64], text[16] = "";
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int pair[2];

    (void) state;
    snprintf(name, sizeof(name), "/dev/fd/%d", file);
    assert_int_equal(write(file, "a\n", 2), 2);
    writes(name, "b\n");
    appends(name, "c\n");
    assert_int_equal(write(file, "d\n", 2), 2);
    holds("redirected", "a\nb\nc\nd\n");
    close(file);
    assert_int_equal(atm_text_write(name, "x", 1, NULL), ATM_NO_ACCESS);

    assert_int_equal(pipe(reader), 0);
    snprintf(name, sizeof(name), "/proc/self/fd/%d", reader[1]);
    appends(name, "through\n");
    assert_int_equal(read(reader[0], text, sizeof(text)), 8);
    assert_int_equal(fcntl(reader[1], F_GETFL) & O_NONBLOCK, 0);
    close(reader[0]);
    /* nobody reads any more: no signal ends this program */
    assert_int_equal(atm_line_append(name, "x\n", 2, NULL), ATM_NO_ACCESS);
    close(reader[1]);

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    snprintf(name, sizeof(name), "/dev/fd/%d", pair[1]);
    appends(name, "socket\n");
    assert_int_equal(read(pair[0], text, sizeof(text)), 7);
    close(pair[0]);
    close(pair[1]);

    pair[0] = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(address.sun_path, sizeof(address.sun_path), "%s", path("socket"));
    assert_int_equal(bind(pair[0], (struct sockaddr *) &address, sizeof(address)), 0);
    refuses(atm_text_write, "socket", "x", "cannot be opened: No such device or address");
    assert_true(S_ISSOCK(mode_of("socket")));
    close(pair[0]);
}

/* A pipe of this process that is full and waits: not for long. */
static void a_full_descriptor_is_not_waited_for(void **state)
{
    static char text[70000];
    int ends[2];
    char name[64];

    (void) state;
    assert_int_equal(pipe(ends), 0);
    snprintf(name, sizeof(name), "/dev/fd/%d", ends[1]);
    memset(text, 'p', sizeof(text));
    assert_int_equal(atm_line_append(name, text, sizeof(text), NULL), ATM_NO_ACCESS);
    close(ends[0]);
    close(ends[1]);
}

/* --- lines */

static void lines_follow_each_other(void **state)
{
    (void) state;
    umask(027);
    appends("lines", "first\n");
    umask(022);
    appends("lines", "");
    appends("lines", "second\n");
    holds("lines", "first\nsecond\n");
    assert_int_equal(mode_of("lines"), S_IFREG | 0640);
}

/* Each line is as many letters as are written at once, and all the same. */
static void lines_of_many_do_not_mix(void **state)
{
    enum { WRITERS = 6, LINES = 200, LONGEST = 20000 };
    int counts[WRITERS] = {0}, status;
    static char line[LONGEST + 2];
    FILE *file;

    (void) state;
    for (int i = 0; i < WRITERS; i++)
        if (fork() == 0) {
            for (int j = 0; j < LINES; j++) {
                size_t length = 1 + (size_t) (j * 7919 + i * 104729) % LONGEST;

                memset(line, 'a' + i, length);
                line[length] = '\n';
                if (atm_line_append(path("many"), line, length + 1, NULL) != ATM_OK)
                    _exit(1);
            }
            _exit(0);
        }
    for (int i = 0; i < WRITERS; i++) {
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    file = fopen(path("many"), "r");
    assert_non_null(file);
    while (fgets(line, sizeof(line), file) != NULL) {
        int writer = line[0] - 'a';
        size_t length = strlen(line) - 1;

        assert_in_range(writer, 0, WRITERS - 1);
        assert_int_equal(length, 1 + (size_t) (counts[writer] * 7919 + writer * 104729) % LONGEST);
        assert_int_equal(strspn(line, (char[]){line[0], '\0'}), length);
        counts[writer]++;
    }
    fclose(file);
    for (int i = 0; i < WRITERS; i++)
        assert_int_equal(counts[i], LINES);
}

static void a_line_that_does_not_fit_is_taken_back(void **state)
{
    struct rlimit before, limit;

    (void) state;
    appends("full", "fits\n");
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 10;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    refuses(atm_line_append, "full", "does not\n", "cannot be written: File too large");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    holds("full", "fits\n");
}

/* Whoever locks the file and keeps it stops nobody. */
static void a_lock_is_not_waited_for_long(void **state)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int file;

    (void) state;
    put("locked", "", 0600);
    file = open(path("locked"), O_RDWR);
    assert_int_equal(fcntl(file, F_OFD_SETLK, &whole), 0);
    appends("locked", "all the same\n");
    holds("locked", "all the same\n");
    close(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_file_can_be_read_by_all),
        cmocka_unit_test(a_file_is_replaced_and_keeps_its_mode),
        cmocka_unit_test(a_link_stays_a_link),
        cmocka_unit_test(a_staged_file_replaces_a_link),
        cmocka_unit_test(what_cannot_be_is_told),
        cmocka_unit_test(values_are_written_so_too),
        cmocka_unit_test(what_others_planted_is_not_written_to),
        cmocka_unit_test(a_planted_pipe_gets_nothing),
        cmocka_unit_test(own_files_are_written_in_a_shared_directory),
        cmocka_unit_test(nothing_is_replaced_through_a_link_of_others),
        cmocka_unit_test(a_device_stays_a_device),
        cmocka_unit_test(a_pipe_without_a_reader_is_not_waited_for),
        cmocka_unit_test(a_pipe_gets_all_of_it),
        cmocka_unit_test(a_full_pipe_is_not_waited_for),
        cmocka_unit_test(a_descriptor_is_used_as_it_is),
        cmocka_unit_test(a_full_descriptor_is_not_waited_for),
        cmocka_unit_test(lines_follow_each_other),
        cmocka_unit_test(lines_of_many_do_not_mix),
        cmocka_unit_test(a_line_that_does_not_fit_is_taken_back),
        cmocka_unit_test(a_lock_is_not_waited_for_long),
    };
    char command[sizeof(folder) + 16];
    int code;

    if (mkdtemp(folder) == NULL)
        return 99;
    umask(022);
    code = cmocka_run_group_tests_name("output", tests, NULL, NULL);
    snprintf(command, sizeof(command), "rm -rf %s", folder);
    return system(command) == 0 ? code : 99;
}
