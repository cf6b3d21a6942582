/* One of many probers holds the lock; a dead or silent one loses it. */

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "help.h"
#include "probe/lease.h"

static char directory[] = "/tmp/autotune-lease.XXXXXX";
static char path[64];

static int make_directory(void **state)
{
    (void) state;
    if (mkdtemp(directory) == NULL)
        return -1;
    snprintf(path, sizeof(path), "%s/probe.lock", directory);
    return 0;
}

static int remove_directory(void **state)
{
    (void) state;
    unlink(path);
    return rmdir(directory); /* and nothing else is left in it */
}

/* A prober of another machine, so that only silence tells that it is dead. */
static lease far_away(const char *host)
{
    lease made;

    lease_make(path, host, 10, 40, &made);
    snprintf(made.machine, sizeof(made.machine), "boot of %s", host);
    return made;
}

static lease_holder keep(lease *lease, double now)
{
    lease_holder holder = {.host = "?"};
    atm_message message = {""};

    if (lease_keep(lease, now, &message, &holder) != ATM_OK)
        fail_msg("%s", message.text);
    return holder;
}

static void test_one_of_two(void **state)
{
    lease first = far_away("a"), second = far_away("b");

    (void) state;
    keep(&first, 0);
    assert_true(first.held);
    assert_string_equal(keep(&second, 1000).host, "a");
    assert_false(second.held);
    for (double now = 5; now < 500; now += 5) {
        keep(&first, now);
        keep(&second, now + 1000); /* its clock shows something else */
        assert_true(first.held && !second.held);
    }
    lease_release(&first);
    keep(&second, 1500);
    assert_true(second.held);
    lease_release(&second);
    assert_int_not_equal(access(path, F_OK), 0);
}

static void test_silent(void **state)
{
    lease first = far_away("a"), second = far_away("b");

    (void) state;
    keep(&first, 0);
    keep(&second, 100);
    keep(&second, 139);
    assert_false(second.held);
    keep(&second, 141);
    assert_true(second.held);
    keep(&first, 60); /* it was only suspended: it sees that, and watches */
    assert_false(first.held);
    assert_string_equal(keep(&first, 61).host, "b");
    lease_release(&first);
    keep(&second, 152);
    assert_true(second.held);
    lease_release(&second);
}

static void test_dead_here(void **state)
{
    lease dead, heir;
    pid_t child = fork();

    (void) state;
    if (child == 0) {
        lease_make(path, "here", 10, 40, &dead);
        _exit(lease_keep(&dead, 0, &(atm_message){""}, &(lease_holder){.process = 0}) != ATM_OK);
    }
    waitpid(child, NULL, 0);
    assert_int_equal(access(path, F_OK), 0);
    lease_make(path, "here", 10, 40, &heir);
    keep(&heir, 0); /* at once */
    assert_true(heir.held);
    lease_release(&heir);
}

static void test_garbage(void **state)
{
    lease lease = far_away("a");
    int file = open(path, O_WRONLY | O_CREAT, 0600);

    (void) state;
    assert_int_equal(write(file, "{\"host\": 3", 10), 10);
    close(file);
    keep(&lease, 0);
    assert_false(lease.held);
    keep(&lease, 41);
    assert_true(lease.held);
    lease_release(&lease);
}

/* What another user can make of names that are easily guessed. */
static void test_planted(void **state)
{
    lease lease = far_away("a");
    char victim[80], text[16] = "";
    int file;

    (void) state;
    snprintf(victim, sizeof(victim), "%s/victim", directory);
    file = open(victim, O_RDWR | O_CREAT, 0600);
    assert_int_equal(write(file, "precious", 8), 8);
    assert_int_equal(symlink("victim", lease.own), 0);
    keep(&lease, 0);
    assert_true(lease.held);
    lease_release(&lease);
    assert_int_equal(pread(file, text, sizeof(text), 0), 8);
    assert_string_equal(text, "precious");

    assert_int_equal(symlink("victim", path), 0);
    assert_int_equal(lease_keep(&lease, 100, &(atm_message){""}, &(lease_holder){.process = 0}),
                     ATM_NO_ACCESS);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    keep(&lease, 200); /* does not wait for a writer */
    assert_true(lease.held);
    lease_release(&lease);
    assert_int_equal(unlink(victim), 0);
    close(file);
}

/* Both saw it silent; the other is faster, and its lock is not the one that was dead. */
static void test_two_heirs(void **state)
{
    lease dead = far_away("a"), one = far_away("b"), two = far_away("c");

    (void) state;
    keep(&dead, 0);
    keep(&one, 0);
    keep(&two, 0);
    keep(&one, 41);
    keep(&two, 41);
    assert_true(one.held);
    assert_false(two.held);
    lease_release(&one);
}

enum { PROBERS = 8, ROUNDS = 20 };

/* All take away the same dead lock at once, and beat three times. */
static bool race(int number, pthread_barrier_t *barrier)
{
    char host[16];
    lease lease;

    snprintf(host, sizeof(host), "h%d", number);
    lease = far_away(host);
    keep(&lease, 0);
    for (double now = 41; now < 80; now += 11) {
        pthread_barrier_wait(barrier);
        keep(&lease, now);
    }
    pthread_barrier_wait(barrier);
    return lease.held;
}

static int count_holders(pthread_barrier_t *barrier)
{
    int holders = 0, status;

    for (int i = 0; i < PROBERS; i++)
        if (fork() == 0)
            _exit(race(i, barrier));
    while (wait(&status) > 0)
        holders += WEXITSTATUS(status);
    return holders;
}

static void test_race(void **state)
{
    pthread_barrier_t *barrier =
        mmap(NULL, sizeof(*barrier), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_barrierattr_t shared;

    (void) state;
    pthread_barrierattr_init(&shared);
    pthread_barrierattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
    assert_int_equal(pthread_barrier_init(barrier, &shared, PROBERS), 0);
    for (int round = 0; round < ROUNDS; round++) {
        lease dead = far_away("dead");

        keep(&dead, 0);
        assert_int_equal(count_holders(barrier), 1);
        assert_int_equal(unlink(path), 0);
        close(dead.file);
    }
}

static void test_no_directory(void **state)
{
    lease lease;
    atm_message message = {""};

    (void) state;
    lease_make("/nowhere/probe.lock", "a", 10, 40, &lease);
    assert_int_equal(lease_keep(&lease, 0, &message, &(lease_holder){.process = 0}), ATM_NO_ACCESS);
    assert_non_null(strstr(message.text, "/nowhere/probe.lock"));
    assert_false(lease.held);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_of_two), cmocka_unit_test(test_silent),
        cmocka_unit_test(test_dead_here),  cmocka_unit_test(test_garbage),
        cmocka_unit_test(test_planted),    cmocka_unit_test(test_two_heirs),
        cmocka_unit_test(test_race),       cmocka_unit_test(test_no_directory),
    };

    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
