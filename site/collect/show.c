/* A client that asks the collector for its statistics, and prints them. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "collector.h"
#include "common/units.h"
#include "levels.h"
#include "value/value.h"
#include "formats/collector_socket.h"

#ifndef ATW_SPOOL_MAGIC /* it has no guard of its own */
#include "formats/spool_blocks.h"
#include "formats/formats.h"
#endif

enum { PATIENCE = 5, MOST = 1 << 24 }; /* seconds; bytes of an answer: root is told of all users */

/* --- asking */

/* -1: nobody is there. */
static int connect_to(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct timeval patience = {PATIENCE, 0};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd < 0 || strlen(path) >= sizeof(address.sun_path))
        errno = fd < 0 ? errno : ENAMETOOLONG;
    else {
        strcpy(address.sun_path, path);
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
        setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
        if (connect(fd, (struct sockaddr *) &address, sizeof(address)) == 0)
            return fd;
    }
    if (fd >= 0)
        close(fd);
    return -1;
}

/* path_p: that of the last one that was tried. */
static int find(const char *given, char *path_p, size_t room)
{
    int fd = -1;

    if (given != NULL) {
        snprintf(path_p, room, "%s", given);
        return connect_to(given);
    }
    for (unsigned which = 0; fd < 0 && atw_collect_place(which, path_p, room); which++)
        if (atw_collect_is_safe(path_p))
            fd = connect_to(path_p);
    if (fd < 0)
        atw_collect_place(2, path_p, room);
    return fd;
}

static bool receive(int fd, char *to, size_t count)
{
    while (count > 0) {
        ssize_t got = recv(fd, to, count, 0);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        to += got;
        count -= (size_t) got;
    }
    return true;
}

/* The caller frees it; NULL: said why. */
static char *ask(int fd, const char *path, size_t *length_p)
{
    atw_spool_head head = {.version = ATW_SPOOL_VERSION, .order = ATW_SPOOL_ORDER};
    atw_collect_word word;
    char *text = NULL;

    memcpy(head.magic, ATW_COLLECT_QUERY, sizeof(head.magic));
    if (send(fd, &head, sizeof(head), MSG_NOSIGNAL) == sizeof(head) &&
        receive(fd, (char *) &word, sizeof(word)) && word.bytes < MOST)
        text = malloc((size_t) word.bytes + 1);
    if (text == NULL || !receive(fd, text, word.bytes)) {
        say("%s: no answer", path);
        free(text);
        return NULL;
    }
    text[word.bytes] = '\0';
    *length_p = word.bytes;
    if (word.what == ATW_COLLECT_STATISTICS)
        return text;
    say("%s: %s", path, text);
    free(text);
    return NULL;
}

/* --- printing */

static double value_of(const atm_value *object, const char *name)
{
    double number = 0;

    atm_opt_number(object, name, -DBL_MAX, DBL_MAX, NULL, &number);
    return number;
}

static const char *rate(const atm_value *s, const char *name, units_text *room)
{
    *room = units_rate(value_of(s, name));
    return room->text;
}

static void print_row(const atm_value *level)
{
    const atm_value *samples = atm_value_find(level, "samples"), *s;
    size_t count = atm_value_length(samples);
    units_text period = units_seconds(value_of(level, "seconds")), rooms[8];

    if (count == 0)
        return;
    s = atm_value_item(samples, count - 1);
    printf("%8s", period.text);
    for (int i = 0; i < SAMPLE_SHARES; i++)
        printf(" %6.1f %%", 100 * value_of(s, sample_names[i]));
    for (int i = 0; i < 8; i++)
        printf(" %10s", rate(s, sample_names[SAMPLE_NETWORK_IN + i], &rooms[i]));
    printf("\n");
}

/* Nothing is said of processes that do not say how they are. */
static void print_node(const char *whose, const atm_value *health)
{
    const atm_value *pids = atm_value_find(health, "named");
    const char *level = "none";

    if (health == NULL || value_of(health, "processes") == 0)
        return;
    atm_opt_string(health, "level", NULL, &level);
    printf("%s%.0f of %.0f active processes are slow, %.0f are stopped; signal: %s", whose,
           value_of(health, "slow"), value_of(health, "active"), value_of(health, "stopped"),
           level);
    for (size_t i = 0; i < atm_value_length(pids); i++) {
        double pid = 0;

        atm_get_number(atm_value_item(pids, i), NULL, 0, DBL_MAX, NULL, &pid);
        printf("%s %.0f", i == 0 ? ", process" : "", pid);
    }
    printf("\n");
}

/* Root is told of all users. */
static void print_health(const atm_value *health)
{
    const atm_value *users = health != NULL ? atm_value_find(health, "users") : NULL;

    if (users == NULL)
        print_node("", health);
    for (size_t i = 0; i < atm_value_length(users); i++) {
        const atm_value *user = atm_value_item(users, i);
        char whose[32];

        snprintf(whose, sizeof(whose), "user %.0f: ", value_of(user, "user"));
        print_node(whose, user);
    }
}

static int print(const char *text, size_t length, const char *path)
{
    atm_message message = {""};
    atm_value *root = NULL;
    const atm_value *levels, *work;
    const char *host = "?";

    if (atm_value_parse(text, length, path, &message, &root) != ATM_OK ||
        atm_check_format(root, STATISTICS_FORMAT, STATISTICS_VERSION, &message, &(int){0}) !=
            ATM_OK) {
        say("%s", message.text);
        atm_value_destroy(root);
        return 1;
    }
    atm_opt_string(root, "host", NULL, &host);
    work = atm_value_find(root, "collector");
    printf("%s: %.0f processes are connected; %.0f spools with %s came so far\n", host,
           value_of(work, "processes"), value_of(work, "spools"),
           units_bytes(value_of(work, "bytes")).text);
    print_health(atm_value_find(root, "health"));
    printf("%8s %8s %8s %8s %8s %10s %10s %10s %10s %10s %10s %10s %10s\n", "last", "cpu", "memory",
           "network", "io", "received", "sent", "disk read", "written", "lustre r.", "written",
           "nfs read", "written");
    levels = atm_value_find(root, "levels");
    for (size_t i = 0; i < atm_value_length(levels); i++)
        print_row(atm_value_item(levels, i));
    atm_value_destroy(root);
    return 0;
}

int collect_show(const collect_options *options)
{
    char path[4096], *text;
    size_t length = 0;
    int fd = find(options->socket, path, sizeof(path)), code = 1;

    if (fd < 0) {
        say("%s: no collector listens: %m", path);
        return 1;
    }
    text = ask(fd, path, &length);
    if (text != NULL && options->json)
        code = fputs(text, stdout) >= 0 && fflush(stdout) == 0 ? 0 : 1;
    else if (text != NULL)
        code = print(text, length, path);
    free(text);
    close(fd);
    return code;
}
