#!/bin/sh
# autotune-evaluate, on a ground that is made up: a law in closed form, nothing in
# it was measured (study/evaluate/data/made-up.py).
. "${top_srcdir:?}/test/lib.sh"

evaluate=$top_builddir/study/evaluate/autotune-evaluate
autotune=$top_builddir/tools/autotune/autotune
data=$top_srcdir/study/evaluate/data
cd "$scratch" || exit 99
cp -r "$data/made-up" made-up # messages shorten long paths

export CMOCKA_MESSAGE_OUTPUT=TAP
check_tap test_evaluate timeout 120 "$top_builddir/study/evaluate/test_evaluate" made-up

mkdir again
check "the made-up ground is what its script makes" sh -c \
    "python3 '$data/made-up.py' again && diff -r made-up again"
"$evaluate" --help > said
version=$(sed -n "s/^AC_INIT(\[romio-autotune\], \[\(.*\)\])$/\1/p" "$top_srcdir/configure.ac")
check "--version" test "$("$evaluate" --version)" = "autotune-evaluate (romio-autotune) $version"
check "--help" diff -u "$top_srcdir/study/evaluate/evaluate-help.expected" said

# --- bad input: exit 2, one sentence that names file and field, nothing written

# refuses TEXT ARGUMENT...
refuses()
{
    _text=$1
    shift
    rm -f out.json out.html out.md
    "$evaluate" "$@" --json out.json --html out.html --markdown out.md > said 2> complaint
    _rc=$?
    cat said complaint
    [ $_rc -eq 2 ] && [ ! -s said ] && [ ! -e out.json ] && [ ! -e out.html ] && [ ! -e out.md ] &&
        [ "$(wc -l < complaint)" -eq 1 ] && grep -qF -e "$_text" complaint
}

# spoiled STATEMENT: bad/ is the made-up ground after a statement about its sweep s,
# the first instance i and that one's configurations c
spoiled()
{
    rm -rf bad
    cp -r made-up bad
    python3 - "$1" << 'END'
import json, sys
s = json.load(open("bad/sweep.json"))
i = s["instances"][0]
c = i["configurations"]
exec(sys.argv[1])
json.dump(s, open("bad/sweep.json", "w"))
END
}

while IFS='|' read -r name statement text; do
    spoiled "$statement"
    check "bad sweep: $name" refuses "$text" bad
done << 'END'
two defaults|c[0]["default"] = True|sweep.json: instances[0].configurations[5].default: is that of another configuration too
no default|[x.pop("default", 0) for x in c]|sweep.json: instances[0].configurations: has no default
a default that is a variant|c[-1]["default"] = True|configurations[9].default: must not be that of a variant
negative seconds|c[1]["seconds"] = [1, -1]|sweep.json: instances[0].configurations[1].seconds[1]: must be
no seconds|c[1]["seconds"] = []|sweep.json: instances[0].configurations[1].seconds: must
seconds that are a text|c[1]["seconds"] = ["1"]|sweep.json: instances[0].configurations[1].seconds[0]: must be
an unknown driver|i["driver"] = "xfs"|sweep.json: instances[0].driver: must be
no driver|i.pop("driver")|sweep.json: instances[0].driver: 
a huge number of nodes|i["nodes"] = 10**12|sweep.json: instances[0].nodes: must be
a huge number of ranks|i["per_node"] = 2**24|sweep.json: instances[0].per_node: must be
huge accesses|i.update(nodes=2**20, per_node=16); i["access"]["bytes"] = 2**53|sweep.json: instances[0].access.bytes: are too many for 16777216 ranks
too many aggregators|c[2]["aggregators"] = 9|sweep.json: instances[0].configurations[2].aggregators: must be
no buffer|c[2]["buffer"] = 0|sweep.json: instances[0].configurations[2].buffer: must be
half an aggregator|c[2]["aggregators"] = 0.5|sweep.json: instances[0].configurations[2].aggregators: must be
more than all|i["access"]["affinity"] = 1.5|sweep.json: instances[0].access.affinity: must be
a piece beyond the bytes|i["access"]["strided"] = 2**40|sweep.json: instances[0].access.strided: is more than bytes
no calls|i["access"]["calls"] = 0|sweep.json: instances[0].access.calls: must be
stripes elsewhere|c[0]["stripes"] = 4|sweep.json: instances[0].configurations[0].stripes: is for the driver lustre only
Lustre without stripes|i["driver"] = "lustre"|sweep.json: instances[0].configurations[0].stripes: 
the same configuration twice|c[1].update(aggregators=1, buffer=1 << 20)|configurations[0]: is a configuration that the instance already has
the same instance twice|s["instances"][3]["name"] = i["name"]|sweep.json: instances[3].name: is that of instances[0]
a rule twice|c.append(dict(c[-1]))|variant: is a rule's, of which there is another
a variant without a name|c[-1]["variant"] = ""|configurations[9].variant: must not be empty
a typing error|c[0]["agregators"] = 1|sweep.json: instances[0].configurations[0].agregators
parts that are missing|c[0]["parts"] = {"shuffle": 1}|sweep.json: instances[0].configurations[0].parts.partitioning
a choice without seconds|i["choice"].pop("seconds")|sweep.json: instances[0].choice.seconds
no instances|s["instances"] = []|sweep.json: instances: must
an unknown kind|s["ground"]["kind"] = "dreamt"|sweep.json: ground.kind: must be
a fact that is a number|s["ground"]["facts"]["x"] = 1|sweep.json: ground.facts.x: must be
another format|s["format"] = "romio-autotune-points"|sweep.json: format: must be
a later version|s["version"] = 2|sweep.json: version: is 2, made by a newer romio-autotune
END
spoiled "pass"
head -c 5000 made-up/sweep.json > bad/sweep.json
check "bad sweep: truncated" refuses "bad/sweep.json: " bad
spoiled "pass"
head -c 5000 made-up/points.json > bad/points.json
check "bad points: truncated" refuses "bad/points.json: " bad
spoiled "pass"
rm bad/points.json
check "no points" refuses "bad/points.json: is not there: the hybrid model needs it, or a profile" bad
spoiled "pass"
echo '{}' > bad/topology.json
check "bad topology" refuses "bad/topology.json: " bad
check "no such ground" refuses "none/sweep.json: " none
check "a profile that is none" refuses "made-up/sweep.json" made-up --profile made-up/sweep.json
check "no ground" refuses "a ground is needed"
check "an option that is none" refuses "unknown option --fast" made-up --fast
check "two grounds, one page" refuses "--html and --json are for one ground" made-up made-up
check "too many repetitions" refuses "at most 1000" made-up --repetitions 1001

# --- good input

evaluates()
{
    "$evaluate" "$@" > said 2> progress || { cat said progress; return 1; }
}
check "the made-up ground" evaluates made-up --repetitions 2 --json one.json --html one.html --markdown one.md
check "its summary" grep -q '^| hybrid | 2 | 1\.117 ' said
check "its progress" grep -q '^made-up: training hybrid, 2 of 2$' progress
cat > look.py << 'END'
import json, sys
d = json.load(open(sys.argv[1]))
by = {s["name"]: s for s in d["strategies"]}
law = lambda total, a, b: total // (a * b) * (0.064 + 0.016 * a * a + a * b / 4e9)
MIB = 1 << 20
gain = law(1 << 28, 4, 16 * MIB) / law(1 << 28, 2, 16 * MIB)
near = lambda a, b: abs(a - b) < 1e-6 * abs(b)
# three instances whose default is the best, three with that gain
assert near(by["optimal"]["mean"], (1 + gain) / 2) and by["optimal"]["worst"] == 1
for name in ("hybrid", "hybrid-isaila", "automatic", "enable"):
    assert near(by[name]["mean"], (1 + gain) / 2), name
    assert by[name]["worse"] == 0 and near(by[name]["geometric"], 1), name
assert by["default"]["mean"] == 1 and by["default"]["repetitions"] == 1
assert near(by["driver"]["worst"], law(1 << 26, 2, 8 * MIB) / law(1 << 26, 2, 16 * MIB))
assert near(by["rule-node"]["geometric"], by["default"]["geometric"]) and by["rule-node"]["nearest"] == 0
assert by["rule-node"]["note"] == "ROMIO's default on 6 of 6 instances"
assert by["ompio"]["nearest"] == 6 and by["ompio"]["note"].endswith("1 x 16 MiB in place of 1 x 32 MiB")
assert near(by["ompio"]["geometric"], law(1 << 28, 1, 16 * MIB) / law(1 << 28, 2, 16 * MIB))
for name in ("gio", "cray", "cray-all"):
    assert by[name]["repetitions"] == 0 and by[name]["why_not"].startswith("no strip"), name
assert by["rs"]["repetitions"] == by["ml"]["repetitions"] == 2
assert near(d["placement"]["speedup"]["mean"], 1.25) and near(d["locking"]["speedup"]["mean"], 1 / 0.9)
assert near(d["placement_aware"]["speedup"]["mean"], 1.25 / 1.0625)
assert [p["points"] for p in d["points"]] == [18, 12]  # 6 are too few
assert [n["sigma"] for n in d["noise"]] == [0, 0.001, 0.01, 0.1, 0.5, 1, 2, 3, 4, 5, 6, 7]
assert d["noise"][0]["hybrid_same"] == d["noise"][1]["hybrid_same"] == 1
assert d["noise"][-1]["ml_same"] < 1
assert near(d["accuracy"]["predicted_over_measured"], 1.00001) or abs(d["accuracy"]["predicted_over_measured"] - 1) < 1e-3
for goal in d["goals"]:
    if goal["known"] and "missed_by" in goal:
        assert not goal["met"] and goal["missed_by"] >= 0
met = {(g["strategy"], g["goal"]): g.get("met") for g in d["goals"]}
assert met["hybrid", "time / best at most 1.25 on any instance"]
assert not met["driver", "time / best at most 1.25 on any instance"]
END
check "its numbers are those of the law" python3 look.py one.json
check "again, on one thread" evaluates made-up --repetitions 2 --json two.json --threads 1
check "gives the same" cmp one.json two.json
check "the section of the document" grep -q '^## made-up: Made up for tests' one.md
check "texts cannot break its tables" grep -qF 'markup: \<b>\|\`' one.md

# a profile in place of points, notes, and variants that are missing
spoiled 's["instances"] = [{**x, "configurations": [y for y in x["configurations"] if "variant" not in y]} for x in s["instances"]]'
"$autotune" train made-up/points.json -o profile.json > /dev/null 2>&1
rm bad/points.json
printf 'One reason.\n\nAnother <reason>.\n' > bad/notes.txt
check "a profile in place of points" evaluates bad --profile profile.json --repetitions 1 --html bare.html --text --json three.json
cp said bare
check "another seed" evaluates bad --profile profile.json --repetitions 1 --seed 2 --json four.json
check "gives others" sh -c '! cmp -s three.json four.json'
check "trainings with noise" evaluates made-up --repetitions 2 --noisy 1 --json noisy.json --markdown noisy.md
check "change what they are about, and only that" python3 - << 'END'
import json
one, two = json.load(open("one.json")), json.load(open("noisy.json"))
rows = {(r["sigma"], r["mode"]): r for r in two["noisy"]}
assert set(rows) == {(s, m) for s in (0, 0.1, 0.5) for m in ("automatic", "enable")} and one["noisy"] == []
by = {s["name"]: s for s in two["strategies"]}
for mode in ("automatic", "enable"):
    assert abs(rows[0, mode]["speedup"]["mean"] - by[mode]["mean"]) < 1e-9, mode
    assert rows[0, mode]["speedup"]["count"] == 6 and rows[0, mode]["worse"] == 0
    assert rows[0.5, mode]["speedup"] != rows[0, mode]["speedup"], mode
assert one["strategies"] == two["strategies"] and one["noise"] == two["noise"]
goal = "change of speed-ups by a calibration's noise up to sigma 0.5 at most 3 %"
assert [g["known"] for d in (one, two) for g in d["goals"] if g["goal"] == goal] == [False, False, True, True]
END
check "and are told" grep -q '^| 0.5 | `enable` | ' noisy.md
spoiled 's["ground"]["kind"] = "measured"'
check "a ground that was measured has its own" evaluates bad --repetitions 1 --noisy 1 --json three.json
check "and gets no more" python3 -c 'import json; assert json.load(open("three.json"))["noisy"] == []'
mv bare said
check "what is missing is said" test "$(grep -c '^not measured on this ground$' said)" -eq 3
check "no goal of noise in hybrid is judged" sh -c '! grep -q "by noise up to sigma" said'
check "notes are shown" grep -q '^Another <reason>\.$' said
check "an output that cannot be written" sh -c \
    "'$evaluate' bad --profile profile.json --repetitions 1 --json none/out.json > said 2> complaint
    test \$? -eq 1 && grep -q 'none/out.json' complaint"
check "two grounds in one document" evaluates made-up bad --profile profile.json --repetitions 1 --markdown both.md
check "have a line each in its overview" test "$(grep -c '^| made-up | 6 | .* 1\.117 |$' both.md)" -eq 2
check "have a section each" test "$(grep -c '^## made-up' both.md)" -eq 2

# --- the results

check "one page of results" evaluates made-up bad --profile profile.json --repetitions 1 \
    --results results.md --figure figure.svg
cat > results.py << 'END'
import json, math, re, xml.etree.ElementTree as xml
by = {s["name"]: s for s in json.load(open("one.json"))["strategies"]}
T = {1: 12.706205, 2: 4.302653, 5: 2.570582}  # Student's t by degrees of freedom
lines, dots = open("results.md").read().splitlines(), 0
row = [cell.strip() for cell in next(l for l in lines if l.startswith("| made-up | simulated")).split("|")]
assert row[3:6] == ["4 to 8", "6", "4 %"], row
for cells, name, mark in ((row[6:9], "driver", ""), (row[9:12], "enable", "\\*")):
    speedups = [x for x in by[name]["speedups"] if x != "none"]
    logs, n = [math.log(x) for x in speedups], len(speedups)
    mean = sum(logs) / n
    half = T[n - 1] * math.sqrt(sum((x - mean) ** 2 for x in logs) / (n - 1) / n)
    wanted = f"{math.exp(mean):.2f}{mark} ({math.exp(mean - half):.2f} to {math.exp(mean + half):.2f})"
    wanted += f" on {n}" if n < 6 else ""
    assert cells == [wanted, f"{min(speedups):.2f}", f"{by[name]['geometric']:.2f}"], (cells, wanted)
    dots += 2 * n
missed = lines[lines.index("## Missed"):]
goals = [g for d in ("one.json", "three.json") for g in json.load(open(d))["goals"]]
short = sum(g["strategy"] == "driver" and g["known"] and not g["met"] for g in goals)
assert short > 4 and sum(l.startswith("| made-up | `automatic` |") for l in missed) == short, short
rules = lines[lines.index("## Against rules a careful user would set"):lines.index("## Missed")]
assert "| ground | mode | `rule-node` | `gio` | `cray` | `cray-all` | `ompio` |" in rules
for mark, name in (("`automatic`", "driver"), ("`enable`\\*", "enable")):
    both = [(a, *b) for a, *b in zip(*(by[n]["speedups"] for n in (name, "rule-node", "ompio"))) if a != "none"]
    ratios = [math.exp(sum(math.log(x[0] / x[k]) for x in both) / len(both)) for k in (1, 2)]
    on = f" on {len(both)}" if len(both) < 6 else ""
    row = f"| made-up | {mark} | {ratios[0]:.2f}{on} | - | - | - | {ratios[1]:.2f}{on} (near) |"
    assert rules.count(row) == 2, row
assert "![Speed-up of each instance, by ground and mode](figure.svg)" in lines
assert not re.search(r"\b(rs|ml|isaila|optimal)\b", "\n".join(lines))
circles = [e for e in xml.parse("figure.svg").iter() if e.tag.endswith("circle")]
texts = [e.text for e in xml.parse("figure.svg").iter() if e.tag.endswith("text")]
assert texts.count("made-up, automatic") == texts.count("made-up, enable *") == 2, texts
assert len(circles) == dots, len(circles)
END
check "has what the modes gain, also against rules, and no other strategy" python3 results.py

# --- the page

cat > page.py << 'END'
import re, sys, xml.etree.ElementTree as xml

text = open(sys.argv[1], encoding="utf-8").read()
assert text.startswith("<!DOCTYPE html>\n")
root = xml.fromstring(text.split("\n", 1)[1])
charts = list(root.iter("svg"))
assert len(charts) == int(sys.argv[2]), len(charts)
for chart in charts:
    assert chart.get("role") == "img" and chart.find("title").text and chart.find("desc").text
    for element in chart.iter():
        for name, value in element.attrib.items():
            assert not re.search(r"\b(nan|inf)\b", value), (element.tag, name, value)
for element in root.iter():
    assert element.tag not in ("script", "link", "img", "iframe", "object", "embed", "base")
    if element.get("href"):
        assert any(other.get("id") == element.get("href")[1:] for other in root.iter())
assert "://" not in text and "url(" not in text and "@import" not in text
for table in root.iter("table"):
    columns = len(table.find("thead/tr"))
    assert all(len(row) == columns for row in table.findall("tbody/tr"))
ids = [element.get("id") for element in root.iter() if element.get("id")]
assert len(ids) == len(set(ids))
for word in sys.argv[3:]:
    assert word in "".join(root.itertext()), word
END
check "the page is well-formed and complete" python3 page.py one.html 11 "Made up for tests" "<b>|" \
    "figure 5" "figure 6" "figure 7" "figure 8" "figure 9" "figure 10" "figure 11" "Table II" "missed by" "M_s_lock"
check "so is one without variants" python3 page.py bare.html 6 "not measured on this ground" "Another <reason>."

browser=
for name in chromium-headless-shell chromium; do
    if command -v $name > /dev/null; then browser=$name && break; fi
done
if [ -z "$browser" ]; then
    skip "rendering" "no Chromium (Debian: chromium-headless-shell)"
    done_testing
    exit
fi

browse()
{
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
        --no-first-run --user-data-dir="$scratch/browser" --hide-scrollbars \
        --host-resolver-rules='MAP * ~NOTFOUND' "$@"
}

# A script that only the test adds, to a copy: what the browser really laid out.
measure='<script>
const drawn = [...document.querySelectorAll("svg")].filter(e => { const b = e.getBoundingClientRect(); return b.width > 200 \&\& b.height > 100; }).length;
const shapes = [...document.querySelectorAll("svg circle, svg rect, svg path")].filter(e => e.getBoundingClientRect().width > 0).length;
const out = [...document.querySelectorAll("svg")].filter(e => { const b = e.getBoundingClientRect(); return [...e.querySelectorAll("rect, circle")].some(x => { const r = x.getBoundingClientRect(); return r.left < b.left - 1 || r.right > b.right + 1 || r.top < b.top - 1 || r.bottom > b.bottom + 1; }); }).length;
const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
const seen = performance.getEntriesByType("resource").length;
document.body.setAttribute("data-found", drawn + " " + (shapes > 100) + " " + out + " " + (wide <= 0) + " " + seen);
</script>'
for width in 1280 400; do
    sed "s#</body>#$(echo "$measure" | tr '\n' ' ')</body>#" one.html > measured.html
    browse --window-size=$width,1000 --dump-dom "file://$scratch/measured.html" > dom.html 2> browser.log
    grep -o 'data-found="[^"]*"' dom.html | sed 's/^/# /'
    check "all charts are drawn, nothing overflows or is fetched, $width wide" \
        grep -q 'data-found="11 true 0 true 0"' dom.html
done
done_testing
