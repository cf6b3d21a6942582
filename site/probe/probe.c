/* autotune-probe: how busy each storage target is, as traces. */

#include "prober.h"

int main(int argc, char **argv)
{
    probe_options options;
    int code = probe_options_read(argc, argv, &options);

    return code >= 0 ? code : prober_run(&options);
}
