/* Guard: Host, token. */

#include "guard.h"

#include <string.h>
#include <strings.h>

const char *guard_token_wrong(const char *token)
{
    size_t length = strlen(token);

    if (length < GUARD_TOKEN_LEAST)
        return "has fewer than 16 characters";
    if (length > GUARD_TOKEN_MOST)
        return "has more than 256 characters";
    for (const char *at = token; *at != '\0'; at++)
        if (*at <= ' ' || *at > '~')
            return "has a space, or a character that is not ASCII";
    return NULL;
}

bool guard_same(const char *given, size_t length, const char *token)
{
    size_t size = strlen(token) + 1; /* with its 0, so that size is not 0 */
    volatile unsigned char differs = length != size - 1;

    for (size_t i = 0; i < length; i++)
        differs |= (unsigned char) given[i] ^ (unsigned char) token[i % size];
    return differs == 0;
}

/* --- Host */

static bool is_port(const char *text)
{
    size_t digits = strspn(text + (text[0] == ':'), "0123456789");

    return text[0] == '\0' || (text[0] == ':' && digits > 0 && text[1 + digits] == '\0');
}

bool guard_host_is_own(const char *host)
{
    size_t digits;

    if (strncasecmp(host, "localhost", 9) == 0)
        return is_port(host + 9);
    if (strncmp(host, "[::1]", 5) == 0)
        return is_port(host + 5);
    if (strncmp(host, "127.", 4) != 0)
        return false;
    digits = 4 + strspn(host + 4, "0123456789.");
    return digits > 4 && host[digits - 1] != '.' && is_port(host + digits);
}

/* --- token */

static int base64_digit(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c != '\0' ? strchr(digits, c) : NULL;

    return at != NULL ? (int) (at - digits) : -1;
}

/* Up to the first "=" or the end.  False if it is something else or does not fit. */
static bool base64_decode(const char *text, size_t size, char *bytes_p, size_t *length_p)
{
    unsigned bits = 0;
    int count = 0;
    size_t length = 0;

    for (; *text != '\0' && *text != '='; text++) {
        int digit = base64_digit(*text);

        if (digit < 0)
            return false;
        bits = (bits << 6 | (unsigned) digit) & 0xfff;
        count += 6;
        if (count < 8)
            continue;
        if (length == size)
            return false;
        count -= 8;
        bytes_p[length++] = (char) (bits >> count & 0xff);
    }
    *length_p = length;
    return text[strspn(text, "=")] == '\0';
}

/* user:password, of which the user may be anybody */
static bool password_is(const char *encoded, const char *token)
{
    char bytes[2 * GUARD_TOKEN_MOST];
    size_t length;
    const char *colon;

    if (!base64_decode(encoded, sizeof(bytes), bytes, &length))
        return false;
    colon = memchr(bytes, ':', length);
    return colon != NULL && guard_same(colon + 1, (size_t) (bytes + length - colon - 1), token);
}

serve_status guard_check(const serve_site *site, const serve_request *request)
{
    const char *said = request->authorization;
    bool right = false;

    if (site->token == NULL)
        return request->host != NULL && guard_host_is_own(request->host) ? SERVE_OK
                                                                         : SERVE_MISDIRECTED;
    if (said != NULL && strncasecmp(said, "Bearer ", 7) == 0)
        right = guard_same(said + 7, strlen(said + 7), site->token);
    else if (said != NULL && strncasecmp(said, "Basic ", 6) == 0)
        right = password_is(said + 6, site->token);
    return right ? SERVE_OK : SERVE_WHO;
}
