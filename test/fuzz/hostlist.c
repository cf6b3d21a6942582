/* Lists of hosts in Slurm's notation: as many names, of as many bytes, as were measured. */

#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "place/hostlist.h"

enum { MOST = 1 << 16 }; /* bytes of names: more takes time alone */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *) data;
    atm_hostlist_size need;
    size_t hosts = 0;
    char *names, *end;

    if (atm_hostlist_measure(text, size, &need) != NULL || need.bytes > MOST)
        return 0;
    require(need.hosts > 0 && need.hosts <= ATM_HOSTS_MAX, "hosts");
    names = malloc(need.bytes);
    require(names != NULL, "no memory");
    end = atm_hostlist_write(text, size, names);
    require(end <= names + need.bytes, "more bytes than measured");
    for (char *at = names; at < end; at += strlen(at) + 1) {
        require(at[0] != '\0' && strlen(at) <= ATM_HOST_MAX, "a name's length");
        hosts++;
    }
    require(hosts == need.hosts, "not as many hosts as measured");
    free(names);
    return 0;
}
