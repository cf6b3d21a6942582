/* autotune-collect: the collector of a node. */

#include "collector.h"

int main(int argc, char **argv)
{
    collect_options options;
    int code = collect_options_read(argc, argv, &options);

    if (code >= 0)
        return code;
    return options.show ? collect_show(&options) : collect_run(&options);
}
