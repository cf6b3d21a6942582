#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector.h"
#include "common/options.h"
#include "socket.h"

#define FIELD(name) offsetof(collect_options, name)

static const option_entry entries[] = {
    {"foreground", NULL, "stay there, and complain on stderr", OPTION_FLAG, FIELD(foreground),
     NULL},
    {"socket", "PATH", "to listen on, or to ask (the usual one of this user)", OPTION_TEXT,
     FIELD(socket), NULL},
    {"dir", "DIR", "of spools: DIR/UID/*.spool (the usual one of this user)", OPTION_TEXT,
     FIELD(dir), NULL},
    {"limit", "SIZE", "of the spools of a user, all together (1G)", OPTION_SIZE, FIELD(limit),
     NULL},
    {"keep-free", "SIZE", "of the disk, for others (256M)", OPTION_SIZE, FIELD(keep_free), NULL},
    {"no-sync", NULL, "do not wait for the disk before spools count as safe", OPTION_FLAG,
     FIELD(no_sync), NULL},
    {"import", "SECONDS", "run autotune history import so often, and remove what it took",
     OPTION_COUNT, FIELD(import_every), NULL},
    {"import-as", "USER", "who runs it; needed by root", OPTION_TEXT, FIELD(import_as), NULL},
    {"db", "ADDRESS", "of the history to import to (its default)", OPTION_TEXT, FIELD(db), NULL},
    {"system", "DIR", "shared by collectors of all nodes, to tell each other how they are",
     OPTION_TEXT, FIELD(system), NULL},
    {"proc", "DIR", "where the node's /proc is seen (/proc)", OPTION_TEXT, FIELD(proc), NULL},
    {"sys", "DIR", "where its /sys is (/sys)", OPTION_TEXT, FIELD(sys), NULL},
    {"show", NULL, "ask the collector that runs how busy the node is", OPTION_FLAG, FIELD(show),
     NULL},
    {"json", NULL, "with --show: all samples, as JSON", OPTION_FLAG, FIELD(json), NULL},
    {.name = NULL}};

static const option_table table = {
    "autotune-collect [options]",
    "Collect what watched processes of this node do (libautotune-watch.so with\n"
    "ROMIO_AUTOTUNE_WATCH=record,collect), and how busy the node is.  As root for all users,\n"
    "as anybody else for that user.  SIGTERM ends it.\n",
    entries, NULL};

/* The background has another folder. */
static bool from_root(const char **path, const char *usual, char *room)
{
    char here[PATH_MAX];
    int length;

    if (*path == NULL)
        *path = usual;
    if (*path == NULL || (*path)[0] == '/')
        return *path != NULL;
    if (getcwd(here, sizeof(here)) == NULL)
        return false;
    length = snprintf(room, PATH_MAX, "%s/%s", here, *path);
    *path = room;
    return length < PATH_MAX;
}

static int find_reader(collect_options *options)
{
    const struct passwd *entry;

    if (options->import_as == NULL)
        return geteuid() == 0 && options->import_every > 0
                   ? options_complain(&table, "--import by root needs --import-as USER, somebody "
                                              "who can do nothing else: users write what is read")
                   : -1;
    if (options->import_every == 0 || geteuid() != 0)
        return options_complain(&table, "--import-as is for --import by root (try --help)");
    entry = getpwnam(options->import_as);
    if (entry == NULL)
        return options_complain(&table, "--import-as %s: there is no such user",
                                options->import_as);
    options->reader = (collect_reader){.name = options->import_as,
                                       .home = strdup(entry->pw_dir), /* until the process ends */
                                       .uid = entry->pw_uid,
                                       .gid = entry->pw_gid};
    return options->reader.home != NULL ? -1 : options_complain(&table, "no memory");
}

static int complain_wrong(collect_options *options)
{
    static char usual_socket[PATH_MAX], usual_dir[PATH_MAX], rooms[5][PATH_MAX];
    struct stat what;

    if (options->json && !options->show)
        return options_complain(&table, "--json is for --show (try --help)");
    if (options->db != NULL && options->import_every == 0)
        return options_complain(&table, "--db is for --import (try --help)");
    if (options->show)
        return -1;
    if (!from_root(&options->socket,
                   place_usual_socket(usual_socket, PATH_MAX) ? usual_socket : NULL, rooms[0]))
        return options_complain(&table, "--socket is needed");
    if (!from_root(&options->dir, place_usual_dir(usual_dir, PATH_MAX) ? usual_dir : NULL,
                   rooms[1]))
        return options_complain(&table, "--dir is needed: there is no home");
    if (strlen(options->dir) > PATH_MAX - 512)
        return options_complain(&table, "--dir: the name is too long");
    if (!from_root(&options->proc, "/proc", rooms[2]) ||
        !from_root(&options->sys, "/sys", rooms[3]))
        return options_complain(&table, "a name is too long");
    if (options->system != NULL && (!from_root(&options->system, NULL, rooms[4]) ||
                                    stat(options->system, &what) != 0 || !S_ISDIR(what.st_mode)))
        return options_complain(&table, "--system: there is no such folder");
    return find_reader(options);
}

/* Everybody sees the command line: an address that may have a password is covered there. */
static bool cover_address(const char **address)
{
    char *word = (char *) *address; /* of argv */

    if (word == NULL || strpbrk(word, ":=") == NULL)
        return true;
    *address = strdup(word); /* until the process ends */
    memset(word, 'x', strlen(word));
    return *address != NULL;
}

int collect_options_read(int argc, char **argv, collect_options *options_p)
{
    collect_options options = {.limit = UINT64_C(1) << 30, .keep_free = 256 << 20};
    option_result result = options_parse(&table, argc, argv, &options);
    int code;

    if (result != OPTIONS_GO_ON)
        return result == OPTIONS_HELP ? 0 : 2;
    code = cover_address(&options.db) ? complain_wrong(&options)
                                      : options_complain(&table, "no memory");
    if (code < 0)
        *options_p = options;
    return code;
}
