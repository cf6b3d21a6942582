## autotune profile, autotune install-profile, and reports as pages.

tools_autotune_SOURCES += \
    tools/autotune_install.c \
    tools/autotune_profile.c \
    tools/autotune_profile.h \
    tools/autotune_profile_check.c \
    tools/autotune_profile_diff.c \
    tools/autotune_profile_merge.c \
    tools/autotune_profile_points.c \
    tools/autotune_profile_show.c \
    tools/grid.c \
    tools/grid.h \
    tools/profile_warn.c \
    tools/typical.c \
    tools/typical.h \
    tools/units.c \
    tools/units.h \
    tools/report/page.c \
    tools/report/page.h \
    tools/report/page_parts.c \
    tools/report/report.h \
    tools/report/report_cost.c \
    tools/report/report_map.c \
    tools/report/report_operation.c \
    tools/report/report_operation.h \
    tools/report/report_table.c \
    tools/report/report_train.c \
    tools/report/svg.c \
    tools/report/svg.h \
    tools/report/svg_axis.c \
    tools/report/svg_heat.c
tools_autotune_SOURCES += tools/train/points.c tools/train/train_score.c tools/train/train_paper.c
tools_autotune_CPPFLAGS += -I$(top_srcdir)/tools -I$(top_srcdir)/tools/train \
    -DSYSCONFDIR='"$(sysconfdir)"'
tools_autotune_LDADD += -lm
dist_man_MANS += doc/autotune-profile.1 doc/autotune-install-profile.1

TESTS += test/tools/profile.sh
