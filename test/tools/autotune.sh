#!/bin/sh
# The command-line tool: what it prints, and what it refuses.
. "${top_srcdir:?}/test/lib.sh"

autotune=$top_builddir/tools/autotune/autotune
expected=$top_srcdir/test/tools
profile=$expected/profile.json
cd "$scratch" || exit 99

# prints NAME ARGUMENT...: succeeds with the text in autotune-NAME.expected
prints()
{
    _name=$1
    shift
    "$autotune" "$@" > said.raw || return 1
    sed "s,$expected/,," said.raw > said
    diff -u "$expected/autotune-$_name.expected" said
}

# refuses CODE TEXT ARGUMENT...: ends with CODE, prints nothing, complains TEXT
refuses()
{
    _code=$1 _text=$2
    shift 2
    "$autotune" "$@" > said 2> complaint
    _rc=$?
    cat complaint
    [ $_rc -eq "$_code" ] && [ ! -s said ] && grep -qF -e "$_text" complaint
}

check "--help" prints help --help
check "explain --help" prints explain-help explain --help
check "place --help" prints place-help place --help

check "explain a write on GPFS" prints gpfs explain --profile "$profile" \
    --topology "psets:16 nodes:32 bridges:2 ranks:16" --bytes 64M --driver gpfs --block 8M
check "explain all candidates" prints sweep explain --profile "$profile" \
    --nodes 4 --ranks-per-node 8 --bytes 8M --strided 64K --memory 64M --sweep
check "explain a new file on Lustre" prints lustre explain --profile "$profile" \
    --nodes=64 --ranks-per-node=16 --bytes=8M --strided=1M --driver=lustre --mode=enable
check "explain a read with hints" prints hints explain --profile "$profile" \
    --nodes 16 --ranks-per-node 4 --bytes 16M --driver nfs --read --nics 2 \
    --fix cb_nodes=8 --fix romio_cb_read=enable

advised="explain --profile $profile --nodes 4 --ranks-per-node 8 --bytes 8M --strided 64K --advice $expected/advice.json"
# shellcheck disable=SC2086 # words
check "explain with advice" prints advice $advised --program /x/sim3d --user ada --file /scratch/f.h5
# advises TEXT ARGUMENT...: explain has this line of text
advises()
{
    _text=$1
    shift
    # shellcheck disable=SC2086 # words
    "$autotune" $advised "$@" | sed "s,$expected/,," | tee said | grep -xF -e "$_text" || { cat said; return 1; }
}
check "another rule" advises "  advice: advice.json, rules[0] (by hand)" --program sim --user bob
check "fixes something else" advises "  fixed by it: cb_nodes" --program sim --user bob
check "no rule" advises "  advice: advice.json, of which no rule matches" --user ada
check "why not" grep -xF '  rules[0]: program "sim", and no program is given, user "bob" is not "ada"' said
check "nor the other" grep -xF '  rules[1]: program "sim*", and no program is given, file "*.h5", and no file is given' said
check "ranks and bytes" advises '  rules[1]: it is for writes, 16 ranks are less than 32, 134217728 bytes of a call are less than 268435456' \
    --ranks-per-node 4 --read --existing --program sim1 --file f.h5
check "the user is who asks" advises "  rules[0]: user \"bob\" is not \"$(id -un)\"" --program sim
check "the user comes first" advises "  fixed by it: romio_cb cb_buffer_size" --program sim --file f.h5 --fix cb_nodes=4
check "nothing is left" advises "  advice: advice.json, rules[0] (by hand), of which nothing is left to set" \
    --program sim --user bob --fix cb_nodes=4
# shellcheck disable=SC2086 # words
check "as a document" sh -c "'$autotune' $advised --program sim --user bob --json | tr -d ' \n' | grep -qF '\"rule\":0,\"left_out\":false,\"set\":[\"cb_nodes\"]'"

"$autotune" explain --nodes 4 --ranks-per-node 2 --driver gpfs --json > decision.json
check "explain as a document" grep -q '"format": "romio-autotune-decision"' decision.json
"$autotune" explain --nodes 4 --ranks-per-node 2 --driver gpfs --json --mpich 4.2.1 > same.json
"$autotune" explain --nodes 4 --ranks-per-node 2 --driver gpfs --json --mpich 5.0 > newer.json
# counts OPERATION FILE: how often the decision has it with 8 bytes
counts()
{
    tr -d ' \n' < "$2" | grep -o "\"operation\":\"$1\"[^}]*\"bytes\":8[,}]" | wc -l
}
check "explain for an MPICH with the same counts" cmp decision.json same.json
check "explain for an MPICH with longer counts" test "$(counts alltoall newer.json)" -gt "$(counts alltoall decision.json)"
check "explain for no MPICH" refuses 2 "must be a version of MPICH, 4.0 or later" explain --nodes 4 --mpich 4.2.x

check "layouts of an HDF5 data set" prints hdf5 explain --profile "$profile" --nodes 4 --ranks-per-node 2 \
    --driver lustre --calls 3 --hdf5 dims=64x256x256,element=8,processes=2x2x2
check "layouts of one that is chunked" prints hdf5-chunked explain --profile "$profile" --nodes 2 --ranks-per-node 2 \
    --hdf5 dims=26x40000,element=4,processes=1x4,runs=1x10,chunk=26x1000,alignment=64K,fill=never
"$autotune" explain --profile "$profile" --nodes 2 --json --hdf5 dims=1000x1000,processes=1x2 | tr -d ' \n' > hdf5.json
check "layouts as a document" grep -q '^{"format":"romio-autotune-hdf5-variants","version":1,.*"best":[0-9]*}$' hdf5.json
check "the pieces in it" grep -qF '"first":2048,"padded":0,"write":{"pieces":2000,"pieces_of_a_rank":1000,"smallest":4000,"largest":4000,' hdf5.json
check "the advice in it" grep -qF '"set":{"hdf5":{"chunk":[1000,500],"fill_time":"never"}}' hdf5.json
# ruled OPTION...: with a rule in rule.json
ruled()
{
    "$autotune" explain --profile "$profile" --nodes 2 --rule rule.json --program sim "$@" > said
    cat said
}
check "a layout as a rule" ruled --hdf5 dims=1000x1000,processes=1x2 --file '*.h5'
check "which is said" grep -qxF "advice: rule.json (1 rule)" said
check "for whom, and what" sh -c 'tr -d " \n" < rule.json | grep -qF "$1"' sh \
    '{"match":{"program":"sim","file":"*.h5","operation":"write","ranks":[2,3]},"set":{"hdf5":{"chunk":[1000,500],"fill_time":"never"}},"evidence":{"source":"model"}}'
check "another layout in its place" ruled --hdf5 dims=2000x1000,processes=1x2 --file '*.h5'
check "beside no other" grep -qxF "advice: rule.json (1 rule)" said
check "for another file" ruled --hdf5 dims=1000x1000,processes=1x2 --file 'x*.h5'
check "beside the first" grep -qxF "advice: rule.json (2 rules)" said
check "a layout that is the best" ruled --hdf5 dims=1000x1000,processes=2x1
check "has no rule" grep -q "^no rule is written: " said
check "a rule of nobody" refuses 2 "--rule: for whom?" explain --nodes 2 --rule x --hdf5 dims=8
check "a rule of nothing" refuses 2 "--rule needs --hdf5" explain --nodes 2 --rule x --program x
echo '{}' > bad.json
no_rules()
{
    "$autotune" explain --nodes 2 --rule bad.json --program x --profile "$profile" \
        --hdf5 dims=1000x1000,processes=1x2 > said 2> complaint
    [ $? -eq 2 ] && grep -q "bad.json" complaint && [ "$(cat bad.json)" = '{}' ]
}
check "a file that has no rules stays" no_rules
# hdf5 TEXT VALUE: is refused
hdf5()
{
    refuses 2 "$1" explain --nodes 4 --hdf5 "$2"
}
check "a data set of no size" hdf5 "--hdf5: dims is needed" element=8
check "dimensions that are none" hdf5 "--hdf5: dims=8y8: must be numbers" dims=8y8
check "too many dimensions" hdf5 "--hdf5: dims=2x2x2x2x2x2: must be numbers" dims=2x2x2x2x2x2
check "a member that is none" hdf5 "--hdf5: chunks=2: there is no such member" dims=8,chunks=2
check "a member without a value" hdf5 "--hdf5: chunk: must be KEY=VALUE" dims=8,chunk
check "chunks of other dimensions" hdf5 "must have as many dimensions as dims" dims=8x8,chunk=2
check "chunks that are too large" hdf5 "the data set has chunks of no size, or larger than itself" dims=8,chunk=9
check "ranks that do not fit" hdf5 "processes must multiply to the job's 4 ranks" dims=8x8,processes=2x3
check "runs that do not fit" hdf5 "runs must divide dims" dims=8x8,runs=1x3
check "a fill time that is none" hdf5 "fill=late: must be never or ifset" dims=8,fill=late
check "an access besides a data set" refuses 2 "--hdf5 is about new files" explain --nodes 4 --hdf5 dims=8 --bytes 1M
check "a record besides a data set" refuses 2 "--record and --hdf5 exclude each other" explain --record x --hdf5 dims=8

cat > topology.json << 'END'
{"format": "romio-autotune-topology", "version": 1, "ranks_per_node": 2, "psets": [
  {"nodes": [{"name": "a0", "hops": 2}, {"name": "a1", "bridge": true}, {"name": "a2", "hops": 1}]},
  {"nodes": [{"name": "b0", "hops": 3}, {"name": "b1", "hops": 1}]}]}
END
check "place by a file" prints place place --topology topology.json --aggregators 8
check "place by a text, as a document" prints place-json place --json --policy bluegene \
    --topology "psets:2 nodes:4 bridges:1 ranks:2" --aggregators 6

# job TEXT ARGUMENT...: place 4 aggregators; TEXT is said about where that is from
job()
{
    _text=$1
    shift
    "$autotune" place --aggregators 4 --policy "$policy" "$@" > said 2> complaint || return 1
    cat complaint
    grep -qxF -e "autotune place: $_text" complaint
}
# aggregators NAMES: of the last job, in their order
aggregators()
{
    [ "$(awk 'NR > 2 { printf "%s ", $NF }' said)" = "$1" ]
}
printf 'SwitchName=s0 Nodes=a[0-2]\nSwitchName=s1 Nodes=b[0-3]\n' > topology.conf
policy=bridge-first
check "place a job by a file" job "placed by topology.json" \
    --hosts "a[0-2],b[0-1]" --topology topology.json --slurm-conf topology.conf
check "bridges first" aggregators "a1 b1 a2 b0 "
check "place a job by Slurm's file" \
    job "topology.json: no node matches host b2; placed by Slurm's topology.conf" \
    --hosts "a[0-2],b[0-3]" --topology topology.json --slurm-conf topology.conf --ranks-per-node 2
check "evenly over switches" aggregators "a0 b0 a2 b2 "
check "place a job by names" job "topology.conf: no node matches host c1; placed by node names" \
    --hosts "a0,c1" --slurm-conf topology.conf --ranks-per-node 2
check "evenly over nodes" aggregators "a0 c1 a0 c1 "
policy=near
check "place a job near its data" job "placed by Slurm's topology.conf" \
    --hosts "a[0-2],b[0-3]" --slurm-conf topology.conf --ranks-per-node 2
check "switch after switch" aggregators "a0 a2 b1 b3 "
check "place on all that Slurm has" "$autotune" place --slurm-conf topology.conf --aggregators 7

# --- versions
version=$(sed -n "s/^AC_INIT(\[romio-autotune\], \[\(.*\)\])$/\1/p" "$top_srcdir/configure.ac")
check "--version" test "$("$autotune" --version)" = "autotune (romio-autotune) $version"
for command in compare explain hints install-profile place profile train "profile check" "profile show"; do
    # shellcheck disable=SC2086
    check "$command --version" test "$("$autotune" $command --version)" = "autotune $command (romio-autotune) $version"
done

# --- the profile that the driver would take
mkdir -p config/romio-autotune
cp "$profile" config/romio-autotune/profile.json
# profile_of ARGUMENT...: explain's line of the profile
profile_of()
{
    "$autotune" explain --nodes 4 --ranks-per-node 2 "$@" 2> complaint | sed -n 's/^  profile: //p'
}
check "before it the one that is named" test \
    "$(ROMIO_AUTOTUNE_PROFILE=built-in XDG_CONFIG_HOME=$scratch/config profile_of)" = "built-in profile"
check "before that the option's" test \
    "$(ROMIO_AUTOTUNE_PROFILE=built-in profile_of --profile config/romio-autotune/profile.json | cut -d';' -f1)" = \
    "config/romio-autotune/profile.json"
check "the built-in one by name, as an option" test \
    "$(ROMIO_AUTOTUNE_PROFILE=none.json profile_of --profile built-in)" = "built-in profile"
installed=$(sed -n 's/^prefix = //p' "$top_builddir/Makefile")/etc/romio-autotune/profile.json
if [ -e "$installed" ]; then
    skip "the user's, or without any the built-in one, and it says so" "a profile is installed, and may fit better"
else
    check "the user's profile is taken" test \
        "$(unset ROMIO_AUTOTUNE_PROFILE; XDG_CONFIG_HOME=$scratch/config profile_of | cut -d';' -f1)" = \
        "$scratch/config/romio-autotune/profile.json"
    check "without any the built-in one" test \
        "$(unset ROMIO_AUTOTUNE_PROFILE; XDG_CONFIG_HOME=$scratch/none profile_of)" = "built-in profile"
    check "and it says so" grep -q "no profile is installed: these are a generic cluster's costs" complaint
fi
named_but_missing()
{
    ROMIO_AUTOTUNE_PROFILE=none.json XDG_CONFIG_HOME=$scratch/config refuses 1 \
        "none.json: cannot be opened: No such file" explain --nodes 4
}
check "a named profile must be there" named_but_missing
check "hints that leave no choice are named" sh -c "'$autotune' explain --nodes 1 --fix cb_nodes=1 \
    --fix cb_buffer_size=16M --fix romio_cb_write=enable |
    grep -qx 'because: there is nothing to choose: romio_cb_write, cb_nodes, cb_buffer_size are set'"
check "one rank" sh -c "'$autotune' explain --nodes 1 | grep -q '^write of 16M by 1 of 1 rank on 1 node, ufs$'"

check "explain with the built-in profile" "$autotune" explain --nodes 512 --ranks-per-node 16
check "explain with a file" "$autotune" explain --topology topology.json

check "no command" refuses 2 "usage: autotune"
check "an unknown command" refuses 2 "unknown command frobnicate" frobnicate
check "a mistyped command" refuses 2 "unknown command explian; the nearest is explain" explian
check "help" prints help help
check "help for a command" sh -c "'$autotune' help explain | cmp - '$expected/autotune-explain-help.expected'"
check "help for one of several words" sh -c "'$autotune' help history import | cmp - '$expected/history-import-help.expected'"
check "help for no command" refuses 2 "unknown command frobnicate" help frobnicate
mkdir programs
for program in collect probe write; do
    printf '#!/bin/sh\necho "$0 $*"\nexit 5\n' > programs/autotune-$program
    chmod +x programs/autotune-$program
    check "$program is a program" ends 5 "programs/autotune-$program one two" env PATH="$scratch/programs:$PATH" "$autotune" $program one two
    check "whose help it shows" ends 5 "programs/autotune-$program --help" env PATH="$scratch/programs:$PATH" "$autotune" help $program
done
check "a program that is not there" ends 127 "autotune probe: the program autotune-probe is not there" env PATH=/none "$autotune" probe
check "an unknown option" refuses 2 "unknown option --node" explain --node 4
check "an argument that is no option" refuses 2 "unknown option 4" explain 4
check "a missing value" refuses 2 "--nodes needs a value" explain --nodes
check "a value too many" refuses 2 "--read takes no value" explain --nodes 4 --read=yes
check "no job" refuses 2 "--nodes or --topology is needed" explain --bytes 1M
check "a job twice" refuses 2 "--nodes or --topology is needed" explain --nodes 4 --topology nodes:4
check "a number that is none" refuses 2 "--nodes 4x: is not a number" explain --nodes 4x
check "zero" refuses 2 "--nodes 0: is not a number, 1 or more" explain --nodes 0
check "a size that is none" refuses 2 "--bytes 1Q: is not a size" explain --nodes 4 --bytes 1Q
check "a size too large" refuses 2 "is not a size" explain --nodes 4 --bytes 99999999T
check "a driver that is none" refuses 2 "--driver zfs: there is no such driver; there are ufs, nfs, gpfs and lustre" \
    explain --nodes 4 --driver zfs
check "advice that is not there" refuses 1 "none.json: cannot be opened" explain --nodes 4 --advice none.json
check "advice that is none" refuses 1 "profile.json: format" explain --nodes 4 --advice "$profile"
check "a program without advice" refuses 2 "--program needs --advice or --rule" explain --nodes 4 --program sim
check "a file without either" refuses 2 "--file needs --record, --advice or --rule" explain --nodes 4 --file f
check "a mode that is none" refuses 2 "there is no such mode" explain --nodes 4 --mode fast
check "a hint that is none" refuses 2 "there is no such hint" explain --nodes 4 --fix cb_node=1
check "a hint without a value" refuses 2 "must be HINT=VALUE" explain --nodes 4 --fix cb_nodes
check "a hint with a bad value" refuses 2 "must be enable, disable or automatic" \
    explain --nodes 4 --fix romio_cb_write=maybe
check "an impossible hint" refuses 1 "these sizes and hints are impossible together" \
    explain --nodes 4 --fix cb_nodes=5
check "an impossible access" refuses 1 "these sizes and hints are impossible together" \
    explain --nodes 4 --bytes 10M --strided 3M
check "nothing allowed" refuses 1 "no configuration is allowed" \
    explain --nodes 4 --memory 1M --fix cb_buffer_size=16M
touch begun.json.journal
check "a calibration that is not complete" refuses 2 "begun.json.journal exists: the calibration is not complete" \
    train begun.json -o x.json
check "a profile that is not there" refuses 1 "none.json" explain --nodes 4 --profile none.json
echo '{"format": "romio-autotune-profile"}' > bad.json
check "a bad profile" refuses 1 "bad.json: version" explain --nodes 4 --profile bad.json
check "a bad topology" refuses 1 "bad.json: format" place --topology bad.json --aggregators 1
check "a topology that is no file" refuses 1 "none.json: no such file, and no text such as" \
    explain --topology none.json
check "a bad topology text" refuses 1 'topology text: "cores:2": unknown' \
    place --topology "nodes:4 cores:2" --aggregators 1
check "a policy that is none" refuses 2 "there is no such policy" \
    place --topology nodes:4 --aggregators 1 --policy nearest
check "too many aggregators" refuses 2 "there are only 4 ranks" \
    place --topology nodes:4 --aggregators 5
check "hosts that are none" refuses 2 "--hosts n[1-: [ without ]" place --hosts "n[1-" --aggregators 1
check "too many ranks" refuses 2 "too many ranks" \
    place --hosts "n[0-9]" --ranks-per-node 2000000 --aggregators 1
check "two machines" refuses 2 "--topology or --slurm-conf" \
    place --topology nodes:4 --slurm-conf topology.conf --aggregators 1
check "ranks of no hosts" refuses 2 "is for --hosts only" \
    place --topology nodes:4 --ranks-per-node 2 --aggregators 1
check "a bad topology.conf" refuses 1 "bad.json: line 1" place --slurm-conf bad.json --aggregators 1
check "half a command line" refuses 2 "--topology and --aggregators are needed" \
    place --topology nodes:4
if [ -w /dev/full ]; then
    check "output that cannot be written" sh -c "! '$autotune' --help > /dev/full"
fi
done_testing
