/* autotune serve: a history in a browser. */

#include "autotune.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "serve/guard.h"
#include "serve/http.h"
#include "serve/listen.h"
#include "verb_history.h"

enum { ADDRESS = 4096, URL = 256 };

typedef struct serve_command {
    const char *db, *listen, *token_file, *advice;
    int port, patience;
} serve_command;

static const char *set_port(const char *text, void *variables)
{
    char *end;
    long port = strtol(text, &end, 10);

    if (end == text || *end != '\0' || port < 0 || port > 65535)
        return "must be a port, or 0 for any that is free";
    ((serve_command *) variables)->port = (int) port;
    return NULL;
}

static const option_entry entries[] = {
    {"db", "ADDRESS", "a file, or postgresql://... (default: $ROMIO_AUTOTUNE_HISTORY, or your own)",
     OPTION_TEXT, offsetof(serve_command, db), NULL},
    {"listen", "ADDRESS", "an IP address, or the path of a socket (default 127.0.0.1)", OPTION_TEXT,
     offsetof(serve_command, listen), NULL},
    {"port", "N", "default 8090; 0: any that is free", OPTION_SPECIAL, 0, set_port},
    {"token-file", "FILE", "ask for what its first line has; needed if others reach the address",
     OPTION_TEXT, offsetof(serve_command, token_file), NULL},
    {"advice", "FILE", "show the rules of this file, too", OPTION_TEXT,
     offsetof(serve_command, advice), NULL},
    {"patience", "SECONDS", "that a question to the database may take (default 10)", OPTION_COUNT,
     offsetof(serve_command, patience), NULL},
    {NULL, NULL, NULL, OPTION_FLAG, 0, NULL}};

static const option_table table = {
    .usage = "autotune serve [options]",
    .about = "Shows a history in a browser: jobs, files, activities and their causes, access\n"
             "patterns, anomalies, advice and its evidence, predicted and measured times; and\n"
             "/metrics for Prometheus. It only reads. It runs until it is interrupted.\n",
    .entries = entries};

static int complain(const char *name, const char *text)
{
    fprintf(stderr, "autotune serve: %s%s%s\n", name, name[0] != '\0' ? ": " : "", text);
    return 2;
}

/* --- token */

/* Its first line; the caller frees it.  0, or the exit code after a complaint. */
static int read_token(const char *path, char **token_p)
{
    FILE *file = fopen(path, "re");
    struct stat info;
    char *line = NULL;
    size_t size = 0;
    const char *wrong = NULL;

    if (file == NULL || fstat(fileno(file), &info) != 0)
        wrong = strerror(errno);
    else if ((info.st_mode & 077) != 0)
        wrong = "can be read by others; chmod 600";
    else if (getline(&line, &size, file) < 0)
        wrong = "is empty";
    if (wrong == NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        wrong = guard_token_wrong(line);
    }
    if (file != NULL)
        fclose(file);
    if (wrong == NULL) {
        *token_p = line;
        return 0;
    }
    free(line);
    return complain(path, wrong);
}

/* --- until somebody says so */

#ifdef HAVE_MICROHTTPD
/* What nohup ignores must stay ignored: blocked signals are not. */
static void ends_of(sigset_t *ends_p)
{
    struct sigaction hangup = {.sa_handler = SIG_IGN};

    sigemptyset(ends_p);
    sigaddset(ends_p, SIGINT);
    sigaddset(ends_p, SIGTERM);
    sigaction(SIGHUP, NULL, &hangup);
    if (hangup.sa_handler != SIG_IGN)
        sigaddset(ends_p, SIGHUP);
}

static void say_where(const serve_site *site, const serve_command *command, const char *url)
{
    printf("%s\n", url);
    if (site->token == NULL && !listen_is_path(command->listen))
        fputs("everybody who is logged in to this machine can read it; --token-file, or a path "
              "for --listen, prevents that\n",
              stderr);
    fflush(stdout);
}

static int serve(serve_site *site, const serve_command *command)
{
    atm_message message = {""};
    char url[URL];
    http_server *server;
    sigset_t ends;
    int which, socket = listen_on(command->listen, command->port, &message, sizeof(url), url);

    if (socket < 0)
        return complain("", message.text);
    /* threads are started with these blocked, so that only sigwait gets them */
    ends_of(&ends);
    sigprocmask(SIG_BLOCK, &ends, NULL);
    signal(SIGPIPE, SIG_IGN);
    server = http_start(site, socket);
    if (server != NULL) {
        say_where(site, command, url);
        sigwait(&ends, &which);
        http_stop(server);
    } else {
        close(socket);
        complain("", "no thread can be started");
    }
    if (listen_is_path(command->listen))
        unlink(command->listen);
    return server != NULL ? 0 : 1;
}
#else
static int serve(serve_site *site, const serve_command *command)
{
    (void) site;
    (void) command;
    complain("", "this autotune was built without libmicrohttpd");
    return 1;
}
#endif

/* --- all */

/* A history that cannot be read is told now, not to the first reader. */
static int check_history(const char *address)
{
    ath_database *database = NULL;
    atm_message message = {""};
    ath_status status = ath_open(address, ATH_READ, &message, &database);

    ath_close(database);
    if (status == ATH_OK)
        return 0;
    complain("", message.text[0] != '\0' ? message.text : ath_status_text(status));
    return status == ATH_NO_MEMORY || status == ATH_DATABASE ? 1 : 2;
}

static int run(const serve_command *command)
{
    serve_site site = {.advice = command->advice, .patience = command->patience};
    char usual[ADDRESS], *token = NULL;
    int code = 0;

    site.database = command->db;
    if (command->db == NULL && !ath_default_address(sizeof(usual), usual))
        return complain("", "--db is needed: there is no HOME");
    if (command->db == NULL)
        site.database = usual;
    if (command->token_file != NULL)
        code = read_token(command->token_file, &token);
    else if (!listen_is_local(command->listen))
        return complain(command->listen, "others reach it: --token-file is needed");
    site.token = token;
    if (code == 0)
        code = check_history(site.database);
    if (code == 0)
        code = serve(&site, command);
    free(token);
    return code;
}

int autotune_serve(int argc, char **argv)
{
    serve_command command = {.listen = "127.0.0.1", .port = 8090, .patience = 10};
    option_result result = options_parse(&table, argc, argv, &command);

    if (result != OPTIONS_GO_ON)
        return result == OPTIONS_HELP ? 0 : 2;
    return run(&command);
}
