#!/bin/sh
# autotune profile and autotune install-profile: what they print, refuse and
# leave behind.
. "${top_srcdir:?}/test/lib.sh"

autotune=$top_builddir/tools/autotune/autotune
expected=$top_srcdir/test/tools
cd "$scratch" || exit 99
cp "$expected/cluster.json" .
unset XDG_CONFIG_HOME ROMIO_AUTOTUNE_PROFILE

# prints CODE NAME ARGUMENT...: ends with CODE and the text in profile-NAME.expected,
# complaints included
prints()
{
    _code=$1 _name=$2
    shift 2
    "$autotune" "$@" > said 2>&1
    _rc=$?
    diff -u "$expected/profile-$_name.expected" said && [ $_rc -eq "$_code" ]
}

# refuses CODE TEXT ARGUMENT...: ends with CODE, prints nothing, complains TEXT
refuses()
{
    _code=$1 _text=$2
    shift 2
    "$autotune" "$@" > said 2> complaint
    _rc=$?
    cat said complaint
    [ $_rc -eq "$_code" ] && [ ! -s said ] && grep -qF -e "$_text" complaint
}

points()
{
    awk -v ranks="$1" -v nodes="$2" -v started="$3" -v name="${4-cluster}" -v seed="${5-1}" \
        -f "$expected/points.awk"
}

# --- check

check "profile --help" prints 0 help profile --help
check "check --help" prints 0 check-help profile check --help
check "merge --help" prints 0 merge-help profile merge --help
check "check" prints 0 check profile check cluster.json
sed 's/"error": 0.15/"error": 1.5/; s/"intercept": 2e-5, "coefficients": \[2e-7, 1e-9\]/"intercept": 2e-3, "coefficients": [2e-7, -1e-9]/
     s/"nodes": 4,/"nodes": 400,/; s/"name": "cluster", "date": "[^"]*"/"name": ""/; s/67108864/4096/g' cluster.json > odd.json
check "check of what looks wrong" prints 0 odd profile check odd.json
points 8 1 2026-01-31T10:00:00Z > points8.json
points 4 1 2026-02-01T10:00:00Z cluster 7 > points4.json
check "check of points" prints 0 check-points profile check points8.json
head -c 1000 cluster.json > cut.json
"$autotune" profile check cut.json cluster.json none.json > said 2> complaint
check "check goes on after a bad file" test $? -eq 2
check "and says which are valid" grep -q "^cluster.json: valid profile of cluster" said
check "and which are not" sh -c "grep -q '^autotune profile: cut.json: ' complaint && grep -q 'none.json: cannot be opened' complaint"
for file in "$top_srcdir"/test/unit/models/data/profiles/bad/*.json; do
    check "check refuses $(basename "$file")" refuses 2 "$(basename "$file")" profile check "$file"
done
for file in "$top_srcdir"/test/unit/models/data/profiles/good/*.json "$top_srcdir"/models/profiles/*.json; do
    check "check accepts $(basename "$file")" "$autotune" profile check "$file"
done
sed 's/"seconds": /"seconds": -/' points8.json > negative.json
check "check refuses negative times" refuses 2 "negative.json: points[0].seconds" profile check negative.json

# --- show

check "show" prints 0 show profile show cluster.json
check "show of points" prints 0 show-points profile show points8.json
sed 's/"started":/"left_out": "5 of 9 points are left out", "started":/' points8.json > partial.json
check "show says what was left out" sh -c "'$autotune' profile show partial.json | grep -qx '  *5 of 9 points are left out'"
check "so does training" sh -c "'$autotune' train partial.json -o partial-profile.json --folds 3 |
    grep -qx 'partial.json: 5 of 9 points are left out'"
check "show of two" refuses 2 "one file is needed" profile show cluster.json cluster.json
check "show of none" refuses 2 "one file is needed" profile show

# --- diff

sed 's/2026-01-31/2026-06-30/; s/"intercept": 2e-3, "coefficients": \[1e-3, 1e-5, 0\]/"intercept": 4e-3, "coefficients": [2e-3, 2e-5, 0]/
     s/1e-10/8e-10/g; s/MPICH 4.0.2/MPICH 4.1/' cluster.json > later.json
check "diff" prints 1 diff profile diff cluster.json later.json
cp cluster.json same.json
check "diff of equal ones" sh -c "'$autotune' profile diff cluster.json same.json | grep -qx 'no difference'"
check "diff of one only" refuses 2 "two files are needed" profile diff cluster.json
check "diff of points" refuses 2 "points8.json: is a points file" profile diff cluster.json points8.json
check "diff of a bad file" refuses 2 "cut.json" profile diff cluster.json cut.json

# --- merge

check "merge" prints 0 merge profile merge points8.json points4.json -o merged.json
check "what was merged is valid" "$autotune" profile check merged.json
check "nothing is lost" python3 - points8.json points4.json merged.json << 'END'
import json, sys
a, b, m = (json.load(open(f)) for f in sys.argv[1:])
def key(p): return p["operation"], tuple(sorted(p["features"].items()))
def visits(*files): return sorted((key(p), v) for f in files for p in f["points"] for v in p["visits"])
assert visits(a, b) == visits(m)
assert m["jobs"] == a["jobs"] + b["jobs"]
assert len({key(p) for p in m["points"]}) == len(m["points"]) < len(a["points"]) + len(b["points"])
assert m["machine"]["date"] == "2026-02-01T10:00:00Z"
for p in m["points"]:
    if len(p["visits"]) == 4:
        times = sorted(t for v in p["visits"] for t in v)
        assert abs(p["seconds"] - sum(times) / 12) < 1e-9 * p["seconds"]
        assert abs(p["median"] - (times[5] + times[6]) / 2) < 1e-9 * p["median"]
    assert key(p) not in [key(q) for q in a["points"]] or p["job"] == 0
END
check "merge again gives the same" sh -c "'$autotune' profile merge points8.json points4.json --output=again.json &&
    cmp merged.json again.json"
python3 - points4.json marked.json << 'END'
import json, sys
points = json.load(open(sys.argv[1]))
point = points["points"][0]
point["visits"][1][2] *= 10
point["outliers"] = [[], [2]]
times = [t for v in point["visits"] for t in v]
point["seconds"] = sum(times[:5]) / 5
json.dump(points, open(sys.argv[2], "w"))
END
check "merge takes outliers along" sh -c "'$autotune' profile merge points8.json marked.json -o outliers.json &&
    '$autotune' profile check outliers.json"
check "and leaves them out of the mean" python3 - outliers.json << 'END'
import json, sys
marked = [p for p in json.load(open(sys.argv[1]))["points"] if any(p["outliers"])]
assert len(marked) == 1 and marked[0]["outliers"] == [[], [], [], [2]]
times = [t for v in marked[0]["visits"] for t in v][:11]
assert abs(marked[0]["seconds"] - sum(times) / 11) < 1e-9 * marked[0]["seconds"]
END
points 8 1 2026-02-01T10:00:00Z other > other.json
check "merge of two machines" refuses 2 "other.json: machine.name: differs from that in points8.json" \
    profile merge points8.json other.json -o refused.json
check "merge of a file with itself" refuses 2 "would count twice" \
    profile merge points8.json points8.json -o refused.json
check "merge of profiles" refuses 2 "cluster.json: is a profile, and learned models cannot be merged" \
    profile merge points8.json cluster.json -o refused.json
check "merge of one" refuses 2 "two files or more are needed" profile merge points8.json -o refused.json
check "merge to nowhere" refuses 2 "--output is needed" profile merge points8.json points4.json
check "merge to a directory that is not there" refuses 1 "none/x.json" \
    profile merge points8.json points4.json -o none/x.json
check "nothing was written" test ! -e refused.json
check "an unknown command" refuses 2 "unknown command frobnicate" profile frobnicate
check "no command" refuses 2 "usage: autotune profile" profile
check "an unknown option" refuses 2 "unknown option --fast" profile check --fast cluster.json

# --- install-profile

check "install-profile --help" prints 0 install-help install-profile --help
etc=$scratch/prefix/etc/romio-autotune
check "install for a prefix" sh -c "
    '$autotune' install-profile cluster.json --prefix '$scratch/prefix' | grep -qxF 'installed as $etc/profile.json' &&
    cmp cluster.json '$etc/profile.json' && [ \$(stat -c %a '$etc/profile.json') = 644 ]"
check "install over it" "$autotune" install-profile later.json --prefix "$scratch/prefix"
check "the new one is there" cmp later.json "$etc/profile.json"
check "the old one is kept" cmp cluster.json "$etc/profile.json.old"
check "install the same again" "$autotune" install-profile --prefix="$scratch/prefix" later.json
check "a bad file is refused" refuses 2 "cut.json" install-profile cut.json --prefix "$scratch/prefix"
check "points are refused" refuses 2 "points8.json: is a points file: make a profile" \
    install-profile points8.json --prefix "$scratch/prefix"
check "a file that is not there is refused" refuses 2 "none.json: cannot be opened" \
    install-profile none.json --prefix "$scratch/prefix"
check "and replaces nothing" cmp later.json "$etc/profile.json"
check "nothing else is left behind" sh -c "[ \"\$(ls '$etc' | tr '\n' ' ')\" = 'profile.json profile.json.old ' ]"
check "install for oneself" sh -c "HOME='$scratch/home' '$autotune' install-profile --user cluster.json &&
    cmp cluster.json '$scratch/home/.config/romio-autotune/profile.json'"
check "install for oneself, by XDG_CONFIG_HOME" sh -c "XDG_CONFIG_HOME='$scratch/xdg' '$autotune' install-profile --user cluster.json &&
    cmp cluster.json '$scratch/xdg/romio-autotune/profile.json'"
check "install for oneself without a home" sh -c "! env -u HOME '$autotune' install-profile --user cluster.json"
check "install to a place of one's own" sh -c "'$autotune' install-profile --dest '$scratch/dest' --name fat.json cluster.json &&
    cmp cluster.json '$scratch/dest/fat.json'"
# As somebody who may not write there: the next step is said.
nobody()
{
    setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}
no_permission()
{
    nobody "$autotune" install-profile "$scratch/cluster.json" > said 2> complaint
    _rc=$?
    cat said complaint
    [ $_rc -eq 1 ] && [ ! -s said ] && grep -q "Permission denied; --user installs it for yourself$" complaint
}
chmod 755 "$scratch"
if nobody "$autotune" --help > /dev/null 2>&1 && nobody cat cluster.json > /dev/null 2>&1; then
    check "no permission for the site's directory" no_permission
else
    skip "no permission for the site's directory" "cannot be somebody else"
fi
check "install beside others" sh -c "XDG_CONFIG_HOME='$scratch/several' '$autotune' install-profile --user --add cluster.json |
    grep -qxF 'installed as $scratch/several/romio-autotune/profiles.d/cluster.json' &&
    cmp cluster.json '$scratch/several/romio-autotune/profiles.d/cluster.json'"
check "by another name" sh -c "XDG_CONFIG_HOME='$scratch/several' '$autotune' install-profile cluster.json --name x.json --add --user &&
    cmp cluster.json '$scratch/several/romio-autotune/profiles.d/x.json'"
check "not by one that is not looked for" refuses 2 "--add: profile: the driver looks for names that end in .json" \
    install-profile --user --add --name profile cluster.json

# --- the one that fits is used

# measured TYPE NODES: cluster.json, as if that was measured on this
measured()
{
    sed "s,\"file_system\": \"ext4 on /scratch\"\, \"nodes\": 4,\"file_system_type\": \"$1\"\, \"nodes\": $2," cluster.json
}
mkdir -p fits/romio-autotune/profiles.d
measured ext4 1 > fits/romio-autotune/profile.json
measured lustre 4 > fits/romio-autotune/profiles.d/scratch-4.json
measured lustre 16 > fits/romio-autotune/profiles.d/scratch-16.json
# explains OPTION...: the first line, and which profile
explains()
{
    XDG_CONFIG_HOME="$scratch/fits" "$autotune" explain --ranks-per-node 2 "$@" |
        sed -n "1p; s,^  profile: .*/\([^;]*\).*,\1,p" | paste -sd '|' | tee said
}
fits()
{
    _said=$1
    shift
    [ "$(explains "$@")" = "$_said" ] || { cat said; return 1; }
}
check "the file system's" fits "write of 64M by 4 of 4 ranks on 2 nodes, ufs|profile.json" --nodes 2
check "that for few nodes" fits "write of 64M by 4 of 4 ranks on 2 nodes, lustre|scratch-4.json" --nodes 2 --driver lustre
check "that for many" fits "write of 640M by 40 of 40 ranks on 20 nodes, lustre|scratch-16.json" --nodes 20 --driver lustre
check "none: the first, which is said" fits "note: the profile was measured on ext4, not gpfs, on 1 node, not 512|profile.json" \
    --nodes 512 --driver gpfs
check "one that is named, which is said" fits "note: the profile was measured on lustre, not ufs|scratch-4.json" \
    --nodes 2 --profile fits/romio-autotune/profiles.d/scratch-4.json
check "one of which nothing is known, which is said" \
    fits "note: it is not known which file system the profile was measured on|cluster.json" --nodes 4 --profile "$expected/cluster.json"
misfit()
{
    XDG_CONFIG_HOME="$scratch/fits" "$autotune" explain --nodes 2 --driver nfs "$@" | tr -d '\n' | tee said |
        grep -qF '"fit": "does not fit",    "fit_note": "the profile was measured on ext4, not nfs"' || { cat said; return 1; }
}
check "in a document" misfit --json
check "with a data set" sh -c "XDG_CONFIG_HOME='$scratch/fits' '$autotune' explain --nodes 2 --driver nfs --hdf5 dims=1000x1000 |
    sed -n 1p | grep -qx 'note: the profile was measured on ext4, not nfs'"
check "with hints" sh -c "XDG_CONFIG_HOME='$scratch/fits' '$autotune' hints --nodes 2 --driver nfs --for romio |
    grep -qx '# Note: the profile was measured on ext4, not nfs'"
head -c 1000 cluster.json > fits/romio-autotune/profiles.d/cut.json
check "a bad one beside others is said" sh -c "! XDG_CONFIG_HOME='$scratch/fits' '$autotune' explain --nodes 2 2> complaint &&
    grep -q profiles.d/cut.json complaint"
rm fits/romio-autotune/profiles.d/cut.json

check "two places" refuses 2 "exclude each other" install-profile --user --dest x cluster.json
check "a name that is a path" refuses 2 "is not the name of a file" \
    install-profile --name a/b --dest x cluster.json
check "no file" refuses 2 "a profile is needed" install-profile --user
: > file
check "a place that is a file" refuses 1 "$scratch/file" install-profile --dest "$scratch/file" cluster.json
done_testing
