#!/bin/sh
# Pages and the report of a training: well-formed, complete, nothing from a
# network, rendered by a browser.
. "${top_srcdir:?}/test/lib.sh"
. "$top_srcdir/test/tools/browser.sh"

autotune=$top_builddir/tools/autotune/autotune
export CMOCKA_MESSAGE_OUTPUT=TAP
check_tap test_page timeout 60 "$top_builddir/test/unit/tools/test_page"
cd "$scratch" || exit 99

# The pages are written so that they are XML too: nothing is left open, nothing
# unescaped.
cat > look.py << 'END'
import re, sys, xml.etree.ElementTree as xml

text = open(sys.argv[1], encoding="utf-8").read()
assert text.startswith("<!DOCTYPE html>\n")
root = xml.fromstring(text.split("\n", 1)[1])
charts = list(root.iter("svg"))
assert charts
for chart in charts:
    assert chart.get("role") == "img" and chart.get("viewBox")
    assert [child.tag for child in chart][:2] == ["title", "desc"]
    assert chart.find("title").text and chart.find("desc").text
    for element in chart.iter():
        for name, value in element.attrib.items():
            assert not re.search(r"\b(nan|inf)\b", value), (element.tag, name, value)
for element in root.iter():
    assert element.tag not in ("script", "link", "img", "iframe", "object", "embed", "base"), element.tag
    for name, value in element.attrib.items():
        assert not name.startswith("on"), name
        if name in ("href", "src"):
            assert value.startswith("#"), value
            assert any(other.get("id") == value[1:] for other in root.iter()), value
assert "://" not in text and "url(" not in text and "@import" not in text
for table in root.iter("table"):
    columns = len(table.find("thead/tr"))
    assert table.get("aria-label")
    assert all(len(row) == columns for row in table.findall("tbody/tr"))
ids = [element.get("id") for element in root.iter() if element.get("id")]
assert len(ids) == len(set(ids))
for word in sys.argv[2:]:
    assert word in "".join(root.itertext()), word
END

"$top_builddir/test/unit/tools/test_page" hostile.html
check "a page of hostile texts is well-formed" python3 look.py hostile.html "<script>alert"

awk -v ranks=8 -v nodes=1 -v started=2026-01-31T10:00:00Z -v name="<b>cluster</b> & co" \
    -f "$top_srcdir/test/tools/points.awk" > points.json
check "train with a report" "$autotune" train points.json -o profile.json --folds 3 --report report.html
check "the report is well-formed and complete" python3 look.py report.html \
    "<b>cluster</b> & co" allreduce exchange write_full M_aar "Isaila et al." "ext4 on /scratch" \
    "Measured against predicted" "Residuals" "Learning curve" "candidates" "typical jobs"
check "it has a map for every typical job" python3 - << 'END'
import xml.etree.ElementTree as xml
root = xml.fromstring(open("report.html", encoding="utf-8").read().split("\n", 1)[1])
maps = [svg for svg in root.iter("svg") if svg.get("class") == "heat"]
assert len(maps) == 6
for svg in maps:
    assert len([r for r in svg.iter("rect") if r.get("class") == "flag"]) == 3
charts = [svg for svg in root.iter("svg") if svg.get("class") == "chart"]
assert len(charts) == 4 * 3
first = [svg for svg in charts if svg.find("title").text == "measured against predicted"][0]
assert len([c for c in first.iter("circle") if c.find("title") is not None]) == 32
END
awk -v ranks=2 -v nodes=1 -v started=x -v operations=allreduce -f "$top_srcdir/test/tools/points.awk" > few.json
"$autotune" train few.json -o few-profile.json --folds 2 --report none/report.html > said 2> complaint
check "a report that cannot be written is a failure" test $? -eq 1
check "and says so" grep -q "none/report.html: cannot be created" complaint

# --- a browser

rendered report.html 18 100
done_testing
