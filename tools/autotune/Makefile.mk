## autotune: a file verb_NAME.c for each command, listed in autotune.c.  No MPI.

autotune_cppflags = $(AM_CPPFLAGS) -DLIBDIR='"$(libdir)"' -DPKGLIBEXECDIR='"$(pkglibexecdir)"' -DBINDIR='"$(bindir)"'
autotune_launches = tools/autotune/launched.c tools/autotune/program.c tools/autotune/program_elf.c \
    tools/autotune/program_needs.c tools/autotune/program_search.c tools/autotune/program_library.c

bin_PROGRAMS += tools/autotune/autotune
tools_autotune_autotune_SOURCES = $(autotune_launches) tools/autotune/advice_why.c tools/autotune/autotune.c \
    tools/autotune/beside.c tools/autotune/hdf5_question.c tools/autotune/hints.c tools/autotune/hints_cray.c \
    tools/autotune/hints_ompio.c tools/autotune/hints_record.c tools/autotune/hints_romio.c \
    tools/autotune/job_options.c tools/autotune/shared.c tools/autotune/verb_calibrate.c \
    tools/autotune/verb_calibrate_install.c tools/autotune/verb_calibrate_words.c tools/autotune/verb_compare.c \
    tools/autotune/verb_compare_run.c tools/autotune/verb_doctor.c tools/autotune/verb_explain.c \
    tools/autotune/hdf5_rule.c tools/autotune/verb_explain_hdf5.c tools/autotune/verb_explain_record.c \
    tools/autotune/verb_explain_record_page.c tools/autotune/verb_explain_record_summary.c \
    tools/autotune/verb_explain_record_text.c tools/autotune/verb_hints.c tools/autotune/verb_install_profile.c \
    tools/autotune/verb_place.c tools/autotune/verb_profile.c tools/autotune/verb_profile_check.c \
    tools/autotune/verb_profile_diff.c tools/autotune/verb_profile_merge.c tools/autotune/verb_profile_points.c \
    tools/autotune/verb_profile_show.c tools/autotune/verb_profile_warn.c tools/autotune/verb_replay.c \
    tools/autotune/verb_run.c tools/autotune/verb_run_watch.c tools/autotune/verb_wrap.c
tools_autotune_autotune_CPPFLAGS = $(autotune_cppflags)
tools_autotune_autotune_LDADD = tune/search/libsearch.la tools/report/libpage.la tune/train/libtrain.la tools/common/libcommon.la models/libatm.la
tools_autotune_autotune_LDFLAGS = $(only_needed)

# Libraries of a part that is not used are left out: autotune itself starts on nodes without GSL.
only_needed = -Wl,--as-needed

## Verbs with libraries that no other verb needs are programs of their own, which autotune starts.

pkglibexec_PROGRAMS = tools/autotune/autotune-history tools/autotune/autotune-search tools/autotune/autotune-serve tools/autotune/autotune-state tools/autotune/autotune-train

tools_autotune_autotune_history_SOURCES = tools/autotune/shared.c tools/autotune/verb_main.c \
    tools/autotune/verb_history.c tools/autotune/verb_history_export.c tools/autotune/verb_history_import.c \
    tools/autotune/verb_history_learn.c tools/autotune/verb_history_list.c tools/autotune/verb_history_prune.c \
    tools/autotune/verb_history_show.c
tools_autotune_autotune_history_CPPFLAGS = $(AM_CPPFLAGS) -DVERB=autotune_history
tools_autotune_autotune_history_LDADD = site/history/libhistory.la tools/common/libcommon.la models/libatm.la
tools_autotune_autotune_history_LDFLAGS = $(only_needed)

tools_autotune_autotune_search_SOURCES = $(autotune_launches) tools/autotune/shared.c tools/autotune/verb_main.c \
    tools/autotune/verb_search.c tools/autotune/verb_search_look.c tools/autotune/verb_search_options.c \
    tools/autotune/verb_search_progress.c tools/autotune/verb_search_result.c
tools_autotune_autotune_search_CPPFLAGS = $(autotune_cppflags) -DVERB=autotune_search
tools_autotune_autotune_search_LDADD = tune/search/libsearch.la tools/report/libpage.la tools/common/libcommon.la models/libatm.la
tools_autotune_autotune_search_LDFLAGS = $(only_needed)

tools_autotune_autotune_serve_SOURCES = tools/autotune/shared.c tools/autotune/verb_main.c \
    tools/autotune/verb_serve.c
tools_autotune_autotune_serve_CPPFLAGS = $(AM_CPPFLAGS) $(MICROHTTPD_CPPFLAGS) -DVERB=autotune_serve
tools_autotune_autotune_serve_LDADD = site/serve/libserve.la tools/report/libpage.la site/history/libhistory.la tools/common/libcommon.la models/libatm.la
tools_autotune_autotune_serve_LDFLAGS = $(only_needed)

tools_autotune_autotune_state_SOURCES = tools/autotune/shared.c tools/autotune/verb_main.c \
    tools/autotune/verb_state.c tools/autotune/verb_state_check.c tools/autotune/verb_state_show.c \
    tools/autotune/verb_state_train.c tools/autotune/verb_state_watch.c tools/report/report_state.c \
    tools/report/report_state_now.c tools/report/report_state_times.c
tools_autotune_autotune_state_CPPFLAGS = $(AM_CPPFLAGS) $(XGBOOST_CPPFLAGS) -DVERB=autotune_state
tools_autotune_autotune_state_LDADD = site/state/libstate.la tools/report/libpage.la tune/train/libtrain.la tools/common/libcommon.la models/libatm.la
tools_autotune_autotune_state_LDFLAGS = $(only_needed)

tools_autotune_autotune_train_SOURCES = tools/autotune/shared.c tools/autotune/verb_main.c \
    tools/autotune/verb_train.c tools/report/report_cost.c tools/report/report_map.c \
    tools/report/report_operation.c tools/report/report_table.c tools/report/report_train.c
tools_autotune_autotune_train_CPPFLAGS = $(AM_CPPFLAGS) -DVERB=autotune_train
tools_autotune_autotune_train_LDADD = tools/report/libpage.la tune/train/libtrain.la tools/common/libcommon.la models/libatm.la
tools_autotune_autotune_train_LDFLAGS = $(only_needed)

dist_man_MANS += doc/autotune.1 doc/autotune-compare.1 doc/autotune-doctor.1 doc/autotune-explain.1 \
    doc/autotune-hints.1 doc/autotune-history.1 doc/autotune-install-profile.1 doc/autotune-place.1 doc/autotune-profile.1 doc/autotune-replay.1 doc/autotune-run.1 \
    doc/autotune-search.1 doc/autotune-serve.1 doc/autotune-state.1 doc/autotune-train.1 doc/autotune-wrap.1

TESTS += test/tools/autotune.sh test/tools/autotune-calibrate.sh test/tools/compare.sh test/tools/doctor.sh test/tools/hints.sh test/tools/history.sh test/tools/history-otf2.sh test/tools/profile.sh test/tools/record.sh test/tools/replay.sh \
    test/tools/report.sh test/tools/search.sh test/tools/search-kill.sh test/tools/serve.sh test/tools/state.sh
