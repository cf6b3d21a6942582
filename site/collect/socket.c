#include "socket.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "collector.h"
#include "store.h"
#include "formats/collector_socket.h"

enum { BACKLOG = 1024 };

bool place_usual_socket(char *path, unsigned long room)
{
    unsigned which = geteuid() == 0 ? 2 : 0;

    while (atw_collect_place(which, path, room) && path[0] == '\0')
        which++;
    return path[0] != '\0';
}

bool place_usual_dir(char *path, unsigned long room)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    int length = -1;

    if (geteuid() == 0)
        length = snprintf(path, room, "/var/spool/romio-autotune");
    else if (data != NULL && data[0] == '/')
        length = snprintf(path, room, "%s/romio-autotune/spools", data);
    else if (home != NULL && home[0] == '/')
        length = snprintf(path, room, "%s/.local/share/romio-autotune/spools", home);
    return length > 0 && (unsigned long) length < room;
}

/* --- the folder and its lock */

static bool make_folder(const char *socket)
{
    char folder[108];
    struct stat what;

    snprintf(folder, sizeof(folder), "%s", socket);
    if (strrchr(folder, '/') == NULL || strrchr(folder, '/') == folder)
        return true;
    *strrchr(folder, '/') = '\0';
    if (!make_folders(folder, geteuid() == 0 ? 0755 : 0700) || lstat(folder, &what) != 0) {
        say("%s: cannot be made: %m", folder);
        return false;
    }
    if (!S_ISDIR(what.st_mode) || what.st_uid != geteuid() || (what.st_mode & 022) != 0) {
        say("%s: must be a folder of our own that nobody else can write to, and no link", folder);
        return false;
    }
    return true;
}

static bool take_lock(const char *socket, place *p)
{
    char path[128];

    snprintf(path, sizeof(path), "%s.lock", socket);
    p->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (p->lock < 0) {
        say("%s: cannot be made: %m", path);
        return false;
    }
    if (flock(p->lock, LOCK_EX | LOCK_NB) == 0)
        return true;
    say("%s: another collector listens here", socket);
    return false;
}

void place_sign(const place *p)
{
    char text[32];
    int length = snprintf(text, sizeof(text), "%ld\n", (long) getpid());

    if (ftruncate(p->lock, 0) != 0 || pwrite(p->lock, text, (size_t) length, 0) != length)
        say("%s.lock: cannot be written: %m", p->socket);
}

/* --- the socket */

/* One that nobody listens on any more is in the way; the lock says that nobody does. */
static bool listen_on(const char *socket_path, place *p)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    snprintf(address.sun_path, sizeof(address.sun_path), "%s", socket_path);
    p->listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (p->listening >= 0 && unlink(socket_path) != 0 && errno != ENOENT) {
        say("%s: cannot be removed: %m", socket_path);
        return false;
    }
    if (p->listening < 0 ||
        bind(p->listening, (struct sockaddr *) &address, sizeof(address)) != 0 ||
        chmod(socket_path, geteuid() == 0 ? 0666 : 0600) != 0 ||
        listen(p->listening, BACKLOG) != 0) {
        say("%s: cannot be listened on: %m", socket_path);
        return false;
    }
    return true;
}

bool place_take(const char *socket, place *place_p)
{
    place p = {.listening = -1, .lock = -1};

    if (strlen(socket) >= sizeof(p.socket)) {
        say("%s: the name of a socket is shorter than %zu bytes", socket, sizeof(p.socket));
        return false;
    }
    snprintf(p.socket, sizeof(p.socket), "%s", socket);
    if (make_folder(socket) && take_lock(socket, &p)) {
        if (listen_on(socket, &p)) {
            place_sign(&p);
            *place_p = p;
            return true;
        }
    }
    if (p.listening >= 0)
        close(p.listening);
    if (p.lock >= 0)
        close(p.lock);
    return false;
}

void place_close(place *p)
{
    if (p->listening < 0)
        return;
    unlink(p->socket);
    close(p->listening);
    p->listening = -1;
}

void place_leave(place *p)
{
    place_close(p);
    if (p->lock >= 0)
        close(p->lock);
    p->lock = -1;
}
