/* What the verbs and their programs share. */

#include "autotune.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool autotune_topology(const char *file_or_text, atm_topology **topology_p)
{
    atm_message message = {""};
    atm_value *document = NULL;
    atm_status status;

    if (access(file_or_text, F_OK) != 0 && strchr(file_or_text, ':') == NULL) {
        snprintf(message.text, sizeof(message.text),
                 "%.128s: no such file, and no text such as \"nodes:4 ranks:8\"", file_or_text);
        status = ATM_NO_ACCESS;
    } else if (access(file_or_text, F_OK) != 0) {
        status = atm_topology_from_text(file_or_text, &message, topology_p);
    } else {
        status = atm_value_read(file_or_text, &message, &document);
        if (status == ATM_OK)
            status = atm_topology_from_value(document, &message, topology_p);
        atm_value_destroy(document);
    }
    if (status != ATM_OK)
        fprintf(stderr, "autotune: %s\n",
                message.text[0] != '\0' ? message.text : atm_status_text(status));
    return status == ATM_OK;
}

int autotune_print(atm_value *document)
{
    char *text = NULL;
    size_t length;
    atm_status status = atm_value_print(document, &text, &length);

    atm_value_destroy(document);
    if (status != ATM_OK) {
        fprintf(stderr, "autotune: %s\n", atm_status_text(status));
        return 1;
    }
    fputs(text, stdout);
    free(text);
    return 0;
}

int autotune_finish(int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    perror("autotune: standard output");
    return code != 0 ? code : 1;
}
