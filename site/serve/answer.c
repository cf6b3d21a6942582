/* One request, one reply. */

#include "serve.h"

#include <stdlib.h>
#include <string.h>

#include "guard.h"
#include "html.h"

/* Nothing but what comes from here: no script, no style within pages, no frames. */
const serve_header serve_headers[] = {{"Content-Security-Policy",
                                       "default-src 'none'; style-src 'self'; form-action 'self'; "
                                       "base-uri 'none'; frame-ancestors 'none'"},
                                      {"X-Content-Type-Options", "nosniff"},
                                      {"Referrer-Policy", "no-referrer"},
                                      {"Cross-Origin-Resource-Policy", "same-origin"},
                                      {"Cross-Origin-Opener-Policy", "same-origin"},
                                      {"Cache-Control", "no-store"},
                                      {NULL, NULL}};

static const char html_type[] = "text/html; charset=utf-8";

static const char *title_of(serve_status status)
{
    switch (status) {
        case SERVE_BAD:
            return "That cannot be asked";
        case SERVE_WHO:
            return "A token is needed";
        case SERVE_MISSING:
            return "There is no such page";
        case SERVE_METHOD:
            return "Only GET and HEAD";
        case SERVE_LONG:
            return "The address is too long";
        case SERVE_MISDIRECTED:
            return "This is somebody else's name";
        case SERVE_BUSY:
            return "The history does not answer";
        default:
            return "That failed";
    }
}

static const char *advice_of(serve_status status)
{
    switch (status) {
        case SERVE_WHO:
            return "Give it as the password, with any user name, or as \"Authorization: Bearer\".";
        case SERVE_MISDIRECTED:
            return "Without a token, only localhost and 127.0.0.1 are answered.";
        case SERVE_BUSY:
            return "If it took too long, ask for less: one process, one job, a shorter time, the "
                   "usual order.";
        default:
            return "";
    }
}

static void write_error(serve_visit *visit, serve_status status)
{
    visit->page = NULL;
    html_begin(visit, title_of(status), advice_of(status));
    if (visit->message.text[0] != '\0')
        page_text(visit->out, "%s", visit->message.text);
    html_end(visit->out);
}

/* --- in a database of its own */

static serve_status visit_page(serve_visit *visit)
{
    ath_status status = ATH_OK;
    serve_status answer;

    if (!visit->page->plain)
        status = ath_open(visit->site->database, ATH_READ, &visit->message, &visit->database);
    if (status == ATH_OK && visit->database != NULL)
        status = ath_limit(visit->database, visit->site->patience, &visit->message);
    answer = status == ATH_OK ? visit->page->write(visit) : serve_status_of(status);
    ath_close(visit->database);
    visit->database = NULL;
    if (answer == SERVE_OK && visit->page->type == NULL)
        html_end(visit->out);
    return answer;
}

/* --- which page */

static serve_status find_page(const serve_request *request, serve_visit *visit)
{
    serve_status status = guard_check(visit->site, request);

    if (status != SERVE_OK)
        return status;
    if (strcmp(request->method, "GET") != 0 && strcmp(request->method, "HEAD") != 0)
        return SERVE_METHOD;
    status = ask_path(request->uri, &visit->message, &visit->ask);
    if (status != SERVE_OK)
        return status;
    visit->page = serve_find(visit->ask.path, &visit->id);
    if (visit->page == NULL)
        return SERVE_MISSING;
    return ask_parameters(request->uri, visit->page->parameters, &visit->message, &visit->ask);
}

typedef struct body {
    char *text;
    size_t length;
} body;

/* What was written; its text is NULL without memory. */
static void finish(FILE *out, body *body)
{
    bool whole = !ferror(out);

    if (fclose(out) == 0 && whole)
        return;
    free(body->text);
    body->text = NULL;
}

void serve_answer(serve_site *site, const serve_request *request, serve_reply *reply_p)
{
    serve_visit visit = {.site = site};
    body text = {NULL, 0};
    serve_status status = find_page(request, &visit);
    const char *type = html_type;

    visit.out = open_memstream(&text.text, &text.length);
    if (visit.out != NULL && status == SERVE_OK) {
        if (visit.page->type != NULL)
            type = visit.page->type;
        status = visit_page(&visit);
    }
    if (visit.out != NULL && status != SERVE_OK) {
        fclose(visit.out);
        free(text.text);
        text = (body){NULL, 0};
        type = html_type;
        visit.out = open_memstream(&text.text, &text.length);
        if (visit.out != NULL)
            write_error(&visit, status);
    }
    if (visit.out != NULL)
        finish(visit.out, &text);
    if (text.text == NULL)
        status = SERVE_FAILED;
    atomic_fetch_add(&site->answered[status / 100], 1);
    *reply_p = (serve_reply){status, type, text.text, text.length};
}
