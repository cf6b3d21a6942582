#include "lease.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "value/value.h"

static atm_status fail(const char *path, atm_message *message)
{
    snprintf(message->text, sizeof(message->text), "%.180s: %s", path, strerror(errno));
    return ATM_NO_ACCESS;
}

/* Process numbers mean the same in two processes if this is the same. */
static void read_machine(char machine_p[80])
{
    char boot[48] = "";
    struct stat space = {.st_ino = 0};
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");

    if (file != NULL) {
        if (fscanf(file, "%47s", boot) != 1)
            boot[0] = '\0';
        fclose(file);
    }
    if (stat("/proc/self/ns/pid", &space) != 0)
        space.st_ino = 0;
    snprintf(machine_p, 80, "%s/%llu", boot, (unsigned long long) space.st_ino);
}

void lease_make(const char *path, const char *host, double beat_every, double silence,
                lease *lease_p)
{
    lease made = {.beat_every = beat_every, .silence = silence, .file = -1};

    made.me.process = (long) getpid();
    snprintf(made.me.host, sizeof(made.me.host), "%s", host);
    snprintf(made.path, sizeof(made.path), "%.3800s", path);
    snprintf(made.own, sizeof(made.own), "%.3800s.%.100s.%ld", path, host, made.me.process);
    read_machine(made.machine);
    *lease_p = made;
}

/* --- what is in the file */

/* Always of the same length, so that a beat needs no space on a full disk. */
static void describe(const lease *lease, char text_p[LEASE_TEXT])
{
    int length = snprintf(text_p, LEASE_TEXT,
                          "{\"host\": \"%s\", \"process\": %ld, \"machine\": \"%s\", "
                          "\"beat\": %llu}",
                          lease->me.host, lease->me.process, lease->machine,
                          (unsigned long long) lease->beats);

    memset(text_p + length, ' ', (size_t) (LEASE_TEXT - 1 - length));
    text_p[LEASE_TEXT - 2] = '\n';
    text_p[LEASE_TEXT - 1] = '\0';
}

static bool write_at_start(int file, const lease *lease)
{
    char text[LEASE_TEXT];

    describe(lease, text);
    return pwrite(file, text, LEASE_TEXT - 1, 0) == LEASE_TEXT - 1 && fsync(file) == 0;
}

/* 0 or the errno; opened anew each time, for what another host wrote to be seen. */
static int read_lock(const char *path, char text_p[LEASE_TEXT])
{
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), error = 0;
    ssize_t got;

    if (file < 0)
        return errno;
    got = read(file, text_p, LEASE_TEXT - 1);
    if (got < 0)
        error = errno;
    text_p[got > 0 ? got : 0] = '\0';
    close(file);
    return error;
}

/* Where it is half-written nothing is known of its holder. */
static bool parse_holder(const char *text, lease_holder *holder_p, char machine_p[80])
{
    atm_value *root;
    const char *host, *machine;
    int64_t process;
    bool good;

    if (atm_value_parse(text, strlen(text), "lock", NULL, &root) != ATM_OK)
        return false;
    good = atm_get_string(root, "host", NULL, &host) == ATM_OK &&
           atm_get_string(root, "machine", NULL, &machine) == ATM_OK &&
           atm_get_integer(root, "process", 1, INT32_MAX, NULL, &process) == ATM_OK;
    if (good) {
        snprintf(holder_p->host, sizeof(holder_p->host), "%s", host);
        holder_p->process = (long) process;
        snprintf(machine_p, 80, "%s", machine);
    }
    atm_value_destroy(root);
    return good;
}

static bool is_mine(const lease *lease, const char *text)
{
    lease_holder holder;
    char machine[80];

    return parse_holder(text, &holder, machine) && holder.process == lease->me.process &&
           strcmp(holder.host, lease->me.host) == 0 && strcmp(machine, lease->machine) == 0;
}

/* --- taking */

/* The answer to a link may get lost on NFS; the number of names tells. */
static bool linked(const lease *lease)
{
    struct stat stat;

    return link(lease->own, lease->path) == 0 ||
           (fstat(lease->file, &stat) == 0 && stat.st_nlink == 2);
}

/* The name can be guessed: what is there already, of a dead process or another user, is not opened.
 */
static int create_own(const char *path)
{
    unlink(path);
    return open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
}

static atm_status try_to_take(lease *lease, double now, atm_message *message)
{
    lease->file = create_own(lease->own);
    if (lease->file < 0)
        return fail(lease->own, message);
    if (!write_at_start(lease->file, lease)) {
        atm_status status = fail(lease->own, message);

        close(lease->file);
        unlink(lease->own);
        return status;
    }
    lease->held = linked(lease);
    unlink(lease->own);
    if (!lease->held)
        close(lease->file);
    lease->beat_at = now + lease->beat_every;
    return ATM_OK;
}

/* Whether the holder of this text, unchanged since seen_at, is dead. */
static bool is_dead(const lease *lease, const char *text, double now)
{
    lease_holder holder;
    char machine[80];

    if (now - lease->seen_at > lease->silence)
        return true;
    return parse_holder(text, &holder, machine) && strcmp(machine, lease->machine) == 0 &&
           kill((pid_t) holder.process, 0) != 0 && errno == ESRCH;
}

/* A lock that was renewed, or is another's by now, is put back; if somebody took the name
 * meanwhile, its holder will see that at its next beat. */
static void take_away(const lease *lease, const char *dead)
{
    char text[LEASE_TEXT];

    if (rename(lease->path, lease->own) != 0)
        return;
    if (read_lock(lease->own, text) == 0 && strcmp(text, dead) != 0 &&
        link(lease->own, lease->path) != 0 && errno != EEXIST)
        return; /* rather no lock than two */
    unlink(lease->own);
}

static atm_status watch(lease *lease, double now, atm_message *message, lease_holder *holder_p)
{
    char text[LEASE_TEXT], machine[80];
    int error = read_lock(lease->path, text);

    if (error == ENOENT || error == ESTALE)
        return try_to_take(lease, now, message);
    if (error != 0) {
        errno = error;
        return fail(lease->path, message);
    }
    if (strcmp(text, lease->seen) != 0) {
        strcpy(lease->seen, text);
        lease->seen_at = now;
    }
    if (is_dead(lease, text, now)) {
        take_away(lease, text);
        return try_to_take(lease, now, message);
    }
    parse_holder(text, holder_p, machine);
    return ATM_OK;
}

/* --- keeping */

static atm_status renew(lease *lease, double now, atm_message *message)
{
    char text[LEASE_TEXT];
    int error = read_lock(lease->path, text);

    if (error != 0 && error != ENOENT) {
        errno = error;
        return fail(lease->path, message);
    }
    if (error == ENOENT || !is_mine(lease, text)) { /* taken for dead: so be it */
        close(lease->file);
        lease->held = false;
        lease->seen[0] = '\0';
        lease->seen_at = now;
        return ATM_OK;
    }
    lease->beats++;
    return write_at_start(lease->file, lease) ? ATM_OK : fail(lease->path, message);
}

atm_status lease_keep(lease *lease, double now, atm_message *message, lease_holder *holder_p)
{
    atm_status status = ATM_OK;

    if (lease->held && now >= lease->beat_at) {
        lease->beat_at = now + lease->beat_every;
        status = renew(lease, now, message);
    }
    return lease->held || status != ATM_OK ? status : watch(lease, now, message, holder_p);
}

void lease_release(lease *lease)
{
    char text[LEASE_TEXT];

    if (!lease->held)
        return;
    if (read_lock(lease->path, text) == 0 && is_mine(lease, text))
        unlink(lease->path);
    close(lease->file);
    lease->held = false;
}
