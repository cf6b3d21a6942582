/* autotune run --watch: a try shows whether the library can be preloaded, and takes its settings.
 */

#include "verb_run_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char usual[] = "record,survey";

static int complain(int code, const char *what, const char *why)
{
    fprintf(stderr, "autotune run: %s: %s\n", what, why);
    return code;
}

/* --- settings */

static const char *asked_for(const run_watch *watch)
{
    const char *before = getenv("ROMIO_AUTOTUNE_WATCH");

    if (watch->modules[0] != '\0')
        return watch->modules;
    return before != NULL && before[0] != '\0' ? before : usual;
}

/* Its path from the root: processes may have other working directories. */
static int have_folder(const char *folder, char path[PATH_MAX])
{
    struct stat what;

    if (mkdir(folder, 0700) != 0 && errno != EEXIST)
        return complain(1, folder, strerror(errno));
    if (realpath(folder, path) == NULL || stat(path, &what) != 0)
        return complain(1, folder, strerror(errno));
    if (!S_ISDIR(what.st_mode))
        return complain(1, folder, strerror(ENOTDIR));
    if (access(path, W_OK | X_OK) != 0)
        return complain(1, folder, strerror(errno));
    if (strpbrk(path, ",: \t\n#") != NULL)
        return complain(1, path, "has a comma, colon, blank or # in it, as settings must not");
    return 0;
}

static int make_settings(const run_watch *watch, char **settings_p)
{
    const char *asked = asked_for(watch);
    char path[PATH_MAX];
    int code, length;

    if (watch->spools == NULL) {
        *settings_p = strdup(asked);
        return *settings_p != NULL ? 0 : complain(1, "--watch", strerror(errno));
    }
    if (asked[0] == '/')
        return complain(2, "--spools", "the file of settings says where spools are");
    code = have_folder(watch->spools, path);
    if (code != 0)
        return code;
    length = asprintf(settings_p, "%s,spool:dir=%s", asked, path);
    return length >= 0 ? 0 : complain(1, "--watch", strerror(errno));
}

/* --- a try */

/* Runs this program again with only the library preloaded, and with no room for a file so that it
 * leaves no spool. */
_Noreturn static void be_watched(const char *library, const char *settings, int to)
{
    struct rlimit none = {0, 0};
    int nowhere = open("/dev/null", O_WRONLY);

    signal(SIGXFSZ, SIG_IGN);
    if (dup2(nowhere, STDOUT_FILENO) < 0 || dup2(to, STDERR_FILENO) < 0 ||
        setrlimit(RLIMIT_FSIZE, &none) != 0 || setenv("LD_PRELOAD", library, 1) != 0 ||
        setenv("ROMIO_AUTOTUNE_WATCH", settings, 1) != 0)
        _exit(127);
    execl("/proc/self/exe", "autotune", "--version", (char *) NULL);
    _exit(127);
}

/* True for lines of the loader or of our library; complaints of other libraries are not ours. */
static bool is_complaint(const char *line)
{
    return strstr(line, "LD_PRELOAD") != NULL || strncmp(line, "romio-autotune: ", 16) == 0;
}

static int listen_to(FILE *said)
{
    char line[1024];
    int code = 0;

    while (fgets(line, sizeof(line), said) != NULL)
        if (is_complaint(line)) {
            line[strcspn(line, "\n")] = '\0';
            code = complain(1, "--watch", line);
        }
    return code;
}

static int try_it(const char *library, const char *settings)
{
    int ends[2], code, status = -1;
    FILE *said;
    pid_t child;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return complain(1, "--watch", strerror(errno));
    child = fork();
    if (child == 0)
        be_watched(library, settings, ends[1]);
    close(ends[1]);
    said = fdopen(ends[0], "r");
    if (child < 0 || said == NULL)
        return complain(1, "--watch", strerror(errno));
    code = listen_to(said);
    fclose(said);
    if (waitpid(child, &status, 0) != child || (code == 0 && status != 0))
        return complain(1, library, "a program with it does not start");
    return code;
}

int run_watch_prepare(const run_watch *watch, char **settings_p)
{
    char *settings = NULL;
    int code;

    if (access(watch->library, R_OK) != 0)
        return complain(1, watch->library, strerror(errno));
    code = make_settings(watch, &settings);
    if (code == 0)
        code = try_it(watch->library, settings);
    if (code == 0)
        *settings_p = settings;
    else
        free(settings);
    return code;
}

/* --- what is in effect */

/* Where the library puts spools if settings do not say. */
static const char *default_folder(void)
{
    const char *folder = getenv("TMPDIR");

    return folder != NULL && folder[0] == '/' ? folder : "/tmp";
}

void run_watch_tell(const run_watch *watch, const char *settings)
{
    bool says_where = settings[0] == '/' || strstr(settings, "dir=") != NULL;

    fprintf(stderr, "autotune run: preloads %s; watches with %s%s%s\n", watch->library, settings,
            says_where ? "" : "; spools in ", says_where ? "" : default_folder());
}
