/* Requests to autotune serve, as the lines that a browser sends: a status of HTTP and a page,
 * from a history without jobs. */

#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "serve/ask.h"
#include "serve/guard.h"

static char database[64];

static void remove_database(void)
{
    unlink(database);
}

static void make_database(void)
{
    atm_message message = {""};
    ath_database *made = NULL;
    int file;

    strcpy(database, "/tmp/fuzz-http-XXXXXX");
    file = mkstemp(database);
    require(file >= 0, database);
    close(file);
    atexit(remove_database);
    require(ath_open(database, ATH_WRITE, &message, &made) == ATH_OK, message.text);
    ath_close(made);
}

/* The value of a header, or NULL. */
static const char *header(char *lines, const char *name)
{
    for (char *line = strtok(lines, "\n"); line != NULL; line = strtok(NULL, "\n"))
        if (strncmp(line, name, strlen(name)) == 0)
            return line + strlen(name);
    return NULL;
}

static void answer(const char *text, const char *token)
{
    char *request_line = strdup(text), *host = strdup(text), *authorization = strdup(text);
    char *end = strchr(request_line, '\n'), *space;
    serve_site site = {.database = database, .token = token, .patience = 5};
    serve_request request = {.host = header(host, "Host: "),
                             .authorization = header(authorization, "Authorization: ")};
    serve_reply reply = {.body = NULL};

    if (end != NULL)
        *end = '\0';
    space = strchr(request_line, ' ');
    if (space != NULL) {
        *space = '\0';
        request.method = request_line;
        request.uri = space + 1;
        serve_answer(&site, &request, &reply);
        require(reply.status >= 200 && reply.status <= 503 && reply.status != SERVE_FAILED,
                "status");
        require(reply.type != NULL && reply.body != NULL, "no page");
        require(strlen(reply.body) == reply.length, "length");
        free(reply.body);
    }
    free(request_line);
    free(host);
    free(authorization);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);

    if (database[0] == '\0')
        make_database();
    answer(text, NULL);
    answer(text, "0123456789abcdef");
    free(text);
    return 0;
}
