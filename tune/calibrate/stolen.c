/* Processor time that the host of a virtual machine gives to others: what is measured meanwhile is
 * not this machine's. */

#include "calibrate.h"

#include <stdio.h>

bool stolen_read(cal_stolen *now_p)
{
    unsigned long long user, nice, system, idle, wait, interrupts, soft, stolen;
    FILE *file = fopen("/proc/stat", "re");
    int found = 0;

    if (file != NULL) {
        found = fscanf(file, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &user, &nice, &system,
                       &idle, &wait, &interrupts, &soft, &stolen);
        fclose(file);
    }
    if (found != 8)
        return false;
    now_p->stolen = (double) stolen;
    now_p->wanted = (double) (user + nice + system + interrupts + soft + stolen);
    return true;
}

/* Share of the wanted processor time that was stolen since then; a single tick tells nothing. */
double stolen_share(const cal_stolen *before)
{
    enum { FEWEST = 2 };
    cal_stolen now;
    double stolen;

    if (!stolen_read(&now) || now.wanted <= before->wanted)
        return 0;
    stolen = now.stolen - before->stolen;
    return stolen >= FEWEST ? stolen / (now.wanted - before->wanted) : 0;
}
