## libautotune-watch.so: sees the calls that programs make on files, for modules.

# what reads advice, as everywhere else
watch_advice = models/advice/advice.c models/advice/chunk.c models/advice/glob.c models/advice/settings.c \
    models/atm.c \
    models/choose/advise.c models/choose/fixes.c \
    models/value/text_output.c models/value/text_output_send.c models/files/program_name.c models/files/record_path.c \
    models/files/search.c \
    models/value/value_ask.c models/value/value_build.c models/value/value_complain.c models/value/value_escape.c \
    models/value/value_file.c models/value/value_parse.c models/value/value_print.c models/value/value_tree.c \
    models/value/words.c

# what a program that is linked statically gets, too
watch_both = watch/begin.c watch/call.c watch/to_collector.c watch/config.c watch/descriptors.c watch/drain.c \
    watch/process_facts.c watch/files.c watch/h5.c watch/hdf5.c watch/health.c watch/lists.c watch/map.c watch/memory.c \
    watch/module_histogram.c watch/module_readahead.c watch/module_reasoner.c watch/module_record.c \
    watch/module_survey.c watch/module_template.c watch/modules.c watch/mpi.c watch/netcdf.c watch/process.c \
    watch/reasoner.c watch/requests.c watch/sink.c watch/spool_write.c watch/text.c watch/threads.c \
    models/files/job.c models/files/user.c

if HAVE_WATCH
lib_LTLIBRARIES += watch/libautotune-watch.la
watch_libautotune_watch_la_SOURCES = watch/h5_explain.c watch/h5_file.c watch/h5_job.c watch/h5_known.c \
    watch/h5_rule.c watch/h5_set.c watch/module_hdf5.c watch/real.c $(watch_both) $(watch_advice)
nodist_watch_libautotune_watch_la_SOURCES = watch/wrappers.c
# checked variants of calls are wrapped, too, and must not be what is called here
watch_libautotune_watch_la_CPPFLAGS = -D_GNU_SOURCE -U_FORTIFY_SOURCE -I$(top_srcdir)/watch \
    -I$(mpich)/source/modules/json-c -I$(mpich)/main/modules/json-c -I$(top_srcdir)/models \
    -DATW_SYSCONFDIR='"$(sysconfdir)"'
# threads that are cancelled in a call, and exceptions, pass through wrappers
watch_libautotune_watch_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden -fexceptions
# a program may have a json-c of another version, or a library with the same names: ours is inside.
# Its threads and its handlers of fork and exit stay: so does it, whoever closes it.
watch_libautotune_watch_la_LDFLAGS = -module -avoid-version -shared -Wl,-z,relro -Wl,-z,nodelete \
    -Wl,--exclude-libs,ALL
watch_libautotune_watch_la_LIBADD = $(mpich)/main/modules/json-c/libjson-c.la -ldl -lpthread
$(watch_libautotune_watch_la_OBJECTS): mpich.stamp

watch/wrappers.c: $(srcdir)/watch/calls.list $(srcdir)/watch/wrappers.awk
	$(AM_V_GEN)mkdir -p watch && $(AWK) -f $(srcdir)/watch/wrappers.awk $(srcdir)/watch/calls.list > $@.new && mv $@.new $@
CLEANFILES += watch/wrappers.c

## The same for programs that are linked statically: an archive, and for each layer what the linker is to
## be told.  Module hdf5 is not in it.
watch_wraps = watch/wrap_posix.c watch/wrap_mpi.c watch/wrap_hdf5.c watch/wrap_netcdf.c watch/wrap_pnetcdf.c
lib_LIBRARIES = watch/libautotune-watch.a
watch_libautotune_watch_a_SOURCES = watch/real_static.c $(watch_both)
nodist_watch_libautotune_watch_a_SOURCES = watch/wrap_table.c $(watch_wraps)
watch_libautotune_watch_a_CPPFLAGS = -D_GNU_SOURCE -U_FORTIFY_SOURCE -DATW_STATIC -I$(top_srcdir)/watch \
    -I$(top_srcdir)/models
watch_libautotune_watch_a_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden -fexceptions -fPIC
wrapdir = $(libdir)/romio-autotune
nodist_wrap_DATA = watch/posix.wrap watch/mpi.wrap watch/hdf5.wrap watch/netcdf.wrap watch/pnetcdf.wrap

watch/wrap_table.c $(watch_wraps): $(srcdir)/watch/calls.list $(srcdir)/watch/wrappers.awk
	$(AM_V_GEN)mkdir -p watch && layer=$(@F) && layer=$${layer#wrap_} && \
	    $(AWK) -v wrap=$${layer%.c} -f $(srcdir)/watch/wrappers.awk $(srcdir)/watch/calls.list > $@.new && mv $@.new $@
$(nodist_wrap_DATA): $(srcdir)/watch/calls.list $(srcdir)/watch/wrappers.awk
	$(AM_V_GEN)mkdir -p watch && layer=$(@F) && \
	    $(AWK) -v list=$${layer%.wrap} -f $(srcdir)/watch/wrappers.awk $(srcdir)/watch/calls.list > $@.new && mv $@.new $@
CLEANFILES += watch/wrap_table.c $(watch_wraps) $(nodist_wrap_DATA)

dist_man_MANS += doc/libautotune-watch.7
endif HAVE_WATCH
