#include "atc.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Kernel classes of the networks that MPI uses.  Ethernet is not among them: which of
 * its cards MPI and storage use cannot be seen. */
static const char *const classes[] = {"infiniband", "cxi"};

#define CLASSES (sizeof(classes) / sizeof(classes[0]))

enum { ADAPTERS_MAX = 64, NAME_ROOM = 64 };

/* The cards found so far, by address on their bus. */
typedef struct adapters {
    char address[ADAPTERS_MAX][NAME_ROOM];
    int count;
} adapters;

/* The device's address on its bus, without the function: a card with two ports shows as the
 * functions 0000:3b:00.0 and .1.  False for devices that are only software. */
static bool read_address(int device, char address[NAME_ROOM])
{
    char target[1024], *name, *dot;
    ssize_t length = readlinkat(device, "device", target, sizeof(target) - 1);

    if (length <= 0)
        return false;
    target[length] = '\0';
    name = strrchr(target, '/');
    name = name != NULL ? name + 1 : target;
    dot = strrchr(name, '.');
    if (dot != NULL && strchr(name, ':') != NULL)
        *dot = '\0';
    if (strlen(name) >= NAME_ROOM)
        return false;
    strcpy(address, name);
    return true;
}

/* A virtual function of a card that is also present as a whole (SR-IOV). */
static bool is_virtual(int device)
{
    return faccessat(device, "device/physfn", F_OK, 0) == 0;
}

static bool is_active(int ports, const char *port)
{
    char path[300], state[16];
    size_t length = strlen(port);
    bool active = false;
    int file;

    if (length > 255)
        return false;
    memcpy(path, port, length);
    strcpy(path + length, "/state");
    file = openat(ports, path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    active = read(file, state, sizeof(state)) > 0 && state[0] == '4'; /* "4: ACTIVE" */
    close(file);
    return active;
}

/* False if it has ports, but all without a link. */
static bool has_link(int device)
{
    int ports = openat(device, "ports", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = ports >= 0 ? fdopendir(ports) : NULL;
    bool active = false, any = false;

    if (list == NULL) {
        if (ports >= 0)
            close(ports);
        return true;
    }
    for (const struct dirent *entry; !active && (entry = readdir(list)) != NULL;)
        if (entry->d_name[0] != '.') {
            any = true;
            active = is_active(ports, entry->d_name);
        }
    closedir(list);
    return active || !any;
}

static void add(adapters *adapters, const char *address)
{
    for (int i = 0; i < adapters->count; i++)
        if (strcmp(adapters->address[i], address) == 0)
            return;
    if (adapters->count < ADAPTERS_MAX)
        strcpy(adapters->address[adapters->count++], address);
}

static int count_class(int top, const char *class)
{
    int directory = openat(top, class, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = directory >= 0 ? fdopendir(directory) : NULL;
    adapters found = {.count = 0};

    if (list == NULL) {
        if (directory >= 0)
            close(directory);
        return 0;
    }
    for (const struct dirent *entry; (entry = readdir(list)) != NULL;) {
        char address[NAME_ROOM];
        int device;

        if (entry->d_name[0] == '.')
            continue;
        device = openat(directory, entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (device < 0)
            continue;
        if (read_address(device, address) && !is_virtual(device) && has_link(device))
            add(&found, address);
        close(device);
    }
    closedir(list);
    return found.count;
}

int atc_nics_count(const char *sys_class)
{
    int top = open(sys_class, O_RDONLY | O_DIRECTORY | O_CLOEXEC), most = 0;

    if (top < 0)
        return 0;
    for (size_t i = 0; i < CLASSES; i++) {
        int count = count_class(top, classes[i]);

        most = count > most ? count : most;
    }
    close(top);
    return most;
}

/* --- what the MPI library tells */

/* MPICH's device ch4:ofi sets them when it starts, as decimal numbers
 * (src/mpid/ch4/netmod/ofi/ofi_nic.c, setup_multi_nic): adapters on the process' own part of the
 * node or, if there are none, all; those that it may use, since 5.0; all of the node, before. */
static const char *const keys[] = {"num_close_nics", "num_nics_available", "num_nics"};

#define KEYS (sizeof(keys) / sizeof(keys[0]))

static int adapters_in(const char *text)
{
    char *end;
    long number = strtol(text, &end, 10);

    return end != text && *end == '\0' && number > 0 && number <= ADAPTERS_MAX ? (int) number : 0;
}

int atc_nics_told(MPI_Info environment)
{
    int most = 0;

    for (size_t i = 0; i < KEYS; i++) {
        char value[16];
        int found = 0, told;

        if (MPI_Info_get(environment, keys[i], sizeof(value) - 1, value, &found) == MPI_SUCCESS &&
            found && (told = adapters_in(value)) > most)
            most = told;
    }
    return most;
}
