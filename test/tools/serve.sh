#!/bin/sh
# autotune serve: every page of a history with hostile names, addresses that make no sense, tokens,
# sockets, metrics, and what a browser makes of it.
. "${top_srcdir:?}/test/lib.sh"
. "$top_srcdir/test/tools/browser.sh"

autotune=$top_builddir/tools/autotune/autotune
expected=$top_srcdir/test/tools
cd "$scratch" || exit 99
export ROMIO_AUTOTUNE_HISTORY="$scratch/history.db"
server=''
trap '[ -z "$server" ] || kill "$server" 2> /dev/null; rm -rf "$scratch"' EXIT

# --- the command line

help() { "$autotune" serve --help | diff -u "$expected/serve-help.expected" -; }
check "--help" help
check "no history yet" ends 2 "history.db: is not there" "$autotune" serve
check "a port" ends 2 "must be a port" "$autotune" serve --port 65536
check "others need a token" ends 2 "0.0.0.0: others reach it: --token-file is needed" "$autotune" serve --listen 0.0.0.0
check "by any address" ends 2 "::: others reach it" "$autotune" serve --listen ::
check "no token file" ends 2 "none: No such file" "$autotune" serve --token-file none
echo 0123456789abcdef-token > token
chmod 644 token
check "a token that others can read" ends 2 "token: can be read by others" "$autotune" serve --token-file token
chmod 600 token
echo short > short && chmod 600 short
check "a short token" ends 2 "short: has fewer than 16 characters" "$autotune" serve --token-file short

# --- a history: jobs, hostile texts, records with predictions

mkdir spools
"$top_builddir/test/unit/serve/make_spools" spools
python3 - "$top_srcdir/test/tools/records/version-2.json" > spools/trials.jsonl << 'END'
import json, sys

sample = json.load(open(sys.argv[1]))
for i in range(24):
    record = json.loads(json.dumps(sample))
    record["started"] = "2026-%02d-%02dT10:30:00Z" % (8 + i // 8, 1 + 3 * (i % 8))
    record["user"], record["program"] = "ada", "vpic <i>"
    call = record["calls"][6]
    call["seconds"] = call["storage_seconds"] = 0.25 * (1 + 0.02 * (i % 5))
    print(json.dumps(record, separators=(",", ":")))
END
"$autotune" history import spools > said 2>&1 || cat said
check "a history" grep -q "5 spools with 652 activities, 24 records with 24 trials" said
# start ARGUMENT...: as $server; what it says is in where
start()
{
    : > where
    "$autotune" serve "$@" > where 2>&1 < /dev/null &
    server=$!
    _tries=0
    while ! grep -q "^http\|without libmicrohttpd" where && [ $_tries -lt 100 ]; do
        _tries=$((_tries + 1))
        sleep 0.2
    done
}
start --port 0
if grep -q "built without libmicrohttpd" where; then
    skip "pages" "this autotune was built without libmicrohttpd"
    server=''
    done_testing
    exit
fi
if ! command -v curl > /dev/null; then
    kill "$server"
    skip "pages" "there is no curl"
    done_testing
    exit
fi
url=$(sed -n 's,^\(http://.*\)/$,\1,p' where)
check "an address that is none" ends 2 "cat: must be an IP address" "$autotune" serve --listen cat --token-file token
check "it says where" test -n "$url"
check "and that others of this machine can read it" grep -q "everybody who is logged in" where

# --- every page

get() { curl -sS -g --path-as-is --max-time 60 "$@"; }
code() { get -o body -w '%{http_code}' "$@"; }

# answers CODE TEXT CURL-ARGUMENT...: the status is CODE, and the body has TEXT
answers()
{
    _status=$1 _text=$2
    shift 2
    _got=$(code "$@") && cat body
    [ "$_got" = "$_status" ] && grep -qF -e "$_text" body
}

# Pages are XML too: nothing is left open, nothing unescaped.  Scripts, handlers, styles and
# addresses elsewhere are in none.
cat > look.py << 'END'
import glob, re, sys, xml.etree.ElementTree as xml

for name in [n for pattern in sys.argv[1:] for n in sorted(glob.glob(pattern))]:
    text = open(name, "rb").read().decode("utf-8")
    if text.startswith("# TYPE") or text.startswith(":root"):
        continue
    assert text.startswith("<!DOCTYPE html>\n"), name
    root = xml.fromstring(text.split("\n", 1)[1])
    for element in root.iter():
        assert element.tag not in ("script", "style", "img", "iframe", "object", "embed", "base"), (name, element.tag)
        for key, value in element.attrib.items():
            assert not key.startswith("on") and key != "style", (name, key)
            assert not re.search(r"\b(nan|inf)\b", value) or key in ("value", "href"), (name, key, value)
            if key in ("href", "src", "action"):
                assert re.match(r"/[A-Za-z.]*([/?]|$)", value) and not value.startswith("//"), (name, value)
    for table in root.iter("table"):
        columns = len(table.find("thead/tr"))
        assert all(len(row) == columns for row in table.findall("tbody/tr")), name
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids)), name
print("looked at", len(sys.argv) - 1)
END

count=0
page()
{
    count=$((count + 1))
    [ "$(get -o "page-$count.html" -w '%{http_code}' "$url$1")" = 200 ] || { cat "page-$count.html"; return 1; }
}
for path in / /jobs '/job?job=77' /programs '/program?program=vpic' /files /activities '/activities?job=77&layer=posix&sort=-duration&page=2' \
    '/activities?since=2023-11-14&until=2023-11-15T00:00&file=*.h5&user=&errors=1' /anomalies '/anomalies?job=77' \
    /records /record/1 /trials '/trials?operation=read&program=vpic+%3Ci%3E' /advice '/advice?since=2026-09-01' \
    /predicted '/job?job=%22%3E%3Cscript%3Ealert(6)%3C/script%3E%26x%3D%253C'; do
    check "$path" page "$path"
done
for id in 1 2 3 4 5; do
    check "process $id" page "/process/$id"
    check "activity $id" page "/activity/$((id * 4294967296 + 2))"
done
for id in 1 2 3 4 5 6 7 8 9 10 11 12 13; do
    check "file $id" page "/file/$id"
    check "its pattern" page "/pattern?number=$id"
done
check "all are well-formed and without anything active" python3 look.py 'page-*.html'
if command -v xmllint > /dev/null; then
    check "xmllint says so, too" sh -c 'xmllint --nonet --noout page-*.html'
else
    skip "xmllint" "it is not installed"
fi
answer_is_old() { answers 200 '&lt;script&gt;alert(1)&lt;/script&gt;' "$url/files"; }
check "hostile names are shown as text" answer_is_old
check "the style is there" answers 200 "color-scheme" "$url/style.css"

# --- headers, methods, hosts

get -D headers -o body "$url/jobs" > /dev/null
for header in "Content-Security-Policy: default-src 'none'; style-src 'self'" "X-Content-Type-Options: nosniff" \
    "Referrer-Policy: no-referrer" "Cache-Control: no-store" "Content-Type: text/html; charset=utf-8"; do
    check "$header" grep -qF "$header" headers
done
check "HEAD" test "$(get -I -o headers -w '%{http_code} %{size_download}' "$url/jobs")" = "200 0"
for method in POST PUT DELETE OPTIONS; do
    check "$method" answers 405 "Only GET and HEAD" -X $method -d x=1 "$url/jobs"
done
check "another Host" answers 421 "somebody else" -H "Host: evil.example" "$url/jobs"
check "no such page" answers 404 "There is no such page" "$url/../../etc/passwd"
check "no such file" answers 404 "there is no such file" "$url/file/999"
check "a wrong parameter" answers 400 "since: must be a time" "$url/jobs?since=now"
check "a long address" answers 414 "up to 4095 bytes" "$url/$(head -c 5000 /dev/zero | tr '\0' a)"

# --- addresses that make no sense: seeded, half of them near to what is there

python3 - "$url" > fuzz << 'END'
import random, sys
from urllib.parse import quote

draw = random.Random(17)
pages = ["/", "/jobs", "/job", "/files", "/file/", "/process/", "/activities", "/activity/", "/activity",
         "/pattern", "/anomalies", "/records", "/record/", "/trials", "/advice", "/predicted", "/metrics", "/style.css"]
names = ["since", "until", "user", "program", "job", "layer", "call", "file", "operation", "process", "number",
         "errors", "sort", "page", "x"]
values = ["", "1", "0", "-1", "77", "4294967297", "9223372036854775807", "99999999999999999999", "2026-11-01", "*", "?",
          "%", "_", "!", "' OR 1=1 --", "'; DROP TABLE file; --", "\"><script>alert(1)</script>", "<svg/onload=alert(1)>",
          "\x00", "\r\nX-Injected: 1", "\u202e", "\ufffe", "../../etc/passwd", "a" * 1500, "posix", "-duration",
          "duration", "read", "{{7*7}}", "$(id)", "%s%n"]
for i in range(400):
    path = draw.choice(pages)
    if path.endswith("/") and path != "/":
        path += draw.choice(["1", "2", "99", "0", "-1", "1.5", "9223372036854775807", "x", "", "4294967298", "%00", "%ff"])
    if draw.random() < 0.2:
        path = "/" + "".join(draw.choice("abc/.%~;=&") + draw.choice(["", "25", "2e", "zz"]) for _ in range(draw.randrange(12)))
    query = []
    for _ in range(draw.randrange(5)):
        name = draw.choice(names)
        value = draw.choice(values)
        if draw.random() < 0.2:
            value = bytes(draw.randrange(256) for _ in range(draw.randrange(20)))
        query.append(name + "=" + quote(value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass")))
    print('url = "%s%s%s"' % (sys.argv[1], path, "?" + "&".join(query) if query else ""))
    print('output = "fuzz-%d.html"' % i)
END
get -K fuzz -w '%{http_code}\n' > codes
codes_are_fine()
{
    sort codes | uniq -c
    [ "$(wc -l < codes)" -eq 400 ] && ! grep -vE '^(200|400|404|414)$' codes &&
        [ "$(grep -c 200 codes)" -gt 50 ] && [ "$(grep -c 400 codes)" -gt 50 ]
}
check "400 seeded addresses: an answer to each, none a failure" codes_are_fine
check "their pages are well-formed, too" python3 look.py 'fuzz-*.html'
raw_is_refused()
{
    python3 - "${url#http://127.0.0.1:}" << 'END'
import random, socket, sys

draw = random.Random(23)
for i in range(60):
    line = bytes(draw.choice(b"GET /jobs?\x80\xff\x00\r\n:%<>\" HTTP1.\t") for _ in range(draw.randrange(300)))
    with socket.create_connection(("127.0.0.1", int(sys.argv[1])), 10) as s:
        s.sendall((b"" if i % 2 else b"GET /") + line + b"\r\n\r\n")
        s.shutdown(socket.SHUT_WR)
        s.settimeout(20)
        said = b"".join(iter(lambda: s.recv(65536), b""))
        assert b"<script" not in said and b"X-Injected" not in said.split(b"\r\n\r\n")[0]
END
}
check "bytes that are no request" raw_is_refused
# what one thread does, another must not see
at_once()
{
    python3 - "$url" << 'END'
import sys, urllib.request
from concurrent.futures import ThreadPoolExecutor

paths = ["/", "/jobs", "/files", "/activities?sort=-duration", "/activities?job=77&layer=posix&page=2", "/anomalies",
         "/advice", "/predicted", "/trials", "/process/2", "/job?job=77", "/style.css"]
get = lambda path: urllib.request.urlopen(sys.argv[1] + path, timeout=60).read()
alone = {path: get(path) for path in paths}
with ThreadPoolExecutor(16) as pool:
    for path, body in zip(paths * 25, pool.map(get, paths * 25)):
        assert body == alone[path], path
END
}
check "many at once get what one gets" at_once
check "it still answers" answers 200 "/job?job=77" "$url/jobs"
# connections that say nothing, or only begin, go when others come
idle_ones_go()
{
    python3 - "${url#http://127.0.0.1:}" << 'END'
import select, socket, sys, time

def connect(said):
    s = socket.create_connection(("127.0.0.1", int(sys.argv[1])), 60)
    s.sendall(said)
    return s

idle = [connect(b"GET /jobs HTTP/1.1\r\nHost: local" if i % 2 else b"") for i in range(100)]
asks = connect(b"GET /jobs HTTP/1.0\r\nHost: localhost\r\n\r\n")
said = b"".join(iter(lambda: asks.recv(65536), b""))
assert said.startswith(b"HTTP/1.") and b" 200 " in said[:15], said
for wait in range(50): # those that have to go are being closed
    closed = select.select(idle, [], [], 0)[0]
    if 100 - len(closed) <= 32:
        break
    time.sleep(0.1)
assert 100 - len(closed) <= 32, "%d are still there" % (100 - len(closed))
assert idle[-1] not in closed and idle[0] in closed
END
}
check "connections that are idle keep nobody out" idle_ones_go

# --- metrics, as OpenMetrics has it

metrics()
{
    get "$url/metrics" -D headers > metrics || return 1
    python3 - << 'END'
import re

text = open("metrics", encoding="utf-8").read()
lines = text.split("\n")
assert lines[-2:] == ["# EOF", ""]
types, seen = {}, set()
for line in lines[:-2]:
    head = re.fullmatch(r"# (TYPE|HELP) ([a-z_]+) (.+)", line)
    if head:
        if head[1] == "TYPE":
            assert head[2] not in types and head[3] in ("gauge", "counter", "info"), line
            types[head[2]] = head[3]
        continue
    sample = re.fullmatch(r'([a-z_]+)(\{[a-z]+="(?:[^"\\\n]|\\.)*"\})? ([-+0-9.e]+)', line)
    assert sample, line
    name = sample[1]
    family = re.sub(r"_total$|_info$", "", name) if re.sub(r"_total$|_info$", "", name) in types else name
    assert types[family] == {"_total": "counter", "_info": "info"}.get(name[len(family):], "gauge"), line
    assert (name, sample[2]) not in seen
    seen.add((name, sample[2]))
assert 'romio_autotune_processes 5\n' in text
assert 'romio_autotune_activities 652\n' in text
assert 'romio_autotune_layer_bytes{layer="posix"} 32768000\n' in text
assert 'romio_autotune_layer_activities{layer="<layer>"} 12\n' in text
END
}
check "metrics" metrics
check "of their type" grep -q "Content-Type: application/openmetrics-text; version=1.0.0; charset=utf-8" headers

# --- a history that changes, goes away and comes back; and is only read

before=$(cksum < history.db)
"$top_builddir/test/unit/history/make_spool" later.spool 9 10
check "nothing was written" test "$(cksum < history.db)" = "$before"
"$autotune" history import later.spool > /dev/null
check "what is imported later is shown" answers 200 "/job?job=123" "$url/jobs"
mv history.db away.db
check "the history is away" answers 503 "history.db: is not there" "$url/jobs"
mv away.db history.db
check "and back" answers 200 "/job?job=77" "$url/jobs"
check "a port that is taken" ends 2 "Address already in use" "$autotune" serve --port "${url##*:}"

# --- a browser, at two widths

# live PATH: as the browser has it from the server, under its Content-Security-Policy
live()
{
    browse --host-resolver-rules='MAP * ~NOTFOUND , EXCLUDE 127.0.0.1' --enable-logging=stderr \
        --window-size="$2,1000" --dump-dom "$url$1" > dom.html 2> browser.log
    python3 - << 'END'
import html.parser

class look(html.parser.HTMLParser):
    count = 0
    def handle_starttag(self, tag, attributes):
        self.count += 1
        assert tag not in ("script", "img", "iframe", "object", "svg:script"), tag
        assert not any(name.startswith("on") for name, _ in attributes), attributes

parser = look()
parser.feed(open("dom.html", encoding="utf-8").read())
assert parser.count > 30, parser.count
END
}
no_complaints() { ! grep -i "refused to\|violates\|CONSOLE" browser.log; }
# with its style inside, so that it can be measured as a file
copy()
{
    get "$url$1" > plain.html && get "$url/style.css" > style.css &&
        python3 -c 'import sys; t = open("plain.html", encoding="utf-8").read(); print(t.replace("<link rel=\"stylesheet\" href=\"/style.css\"/>", "<style>" + open("style.css").read() + "</style>"), end="")' > copy.html
}
if [ -z "$browser" ]; then
    skip "a browser" "no Chromium (Debian: chromium-headless-shell)"
else
    field=$(get "$url/files?file=field.h5" | sed -n 's,.*href="/file/\([0-9]*\)".*,\1,p' | head -n 1)
    for width in 1280 400; do
        for path in / /files /file/4 '/activities?sort=-duration' /anomalies "/pattern?number=$field&job=77" /predicted /advice; do
            check "$path, $width wide: nothing active" live "$path" $width
            check "and the policy has nothing to refuse" no_complaints
            copy "$path"
            sed "s|</body>|$(echo "$measure" | tr '\n' ' ' | sed "s/SHAPES/-1/")</body>|" copy.html > measured.html
            browse --window-size=$width,1000 --dump-dom "file://$scratch/measured.html" > dom.html 2> browser.log
            check "nothing overflows or is fetched" grep -q 'data-found="[0-9]* true true 0"' dom.html
        done
    done
    copy "/pattern?number=$field&job=77"
    rendered copy.html 2 -1
    copy /predicted
    rendered copy.html 2 20
fi

# --- the end

kill "$server"
wait "$server"
check "a clean end" test $? -eq 0
server=''

# --- tokens

start --listen 0.0.0.0 --port 0 --token-file token
url=http://127.0.0.1:$(sed -n 's,^http://.*:\([0-9]*\)/$,\1,p' where)
check "without a token" answers 401 "A token is needed" "$url/jobs"
get -D headers -o body "$url/jobs"
check "a browser asks for it" grep -qi '^WWW-Authenticate: Basic realm=' headers
for path in / /metrics /style.css /none; do
    check "$path without a token" answers 401 "A token is needed" "$url$path"
done
check "a wrong one" answers 401 "A token is needed" -H "Authorization: Bearer 0123456789abcdef-toket" "$url/jobs"
check "a part of it" answers 401 "A token is needed" -H "Authorization: Bearer 0123456789abcdef" "$url/jobs"
check "the right one" answers 200 "/job?job=77" -H "Authorization: Bearer 0123456789abcdef-token" "$url/jobs"
check "as a password" answers 200 "/job?job=77" -u "anybody:0123456789abcdef-token" "$url/jobs"
check "by any name" answers 200 "# EOF" -H "Host: node01.cluster" -H "Authorization: Bearer 0123456789abcdef-token" "$url/metrics"
kill "$server"
wait "$server"
server=''

# --- a socket, for its owner alone

start --listen "$scratch/socket"
check "nobody else connects to it" test "$(stat -c '%F %a' socket)" = "socket 600"
check "it answers" answers 200 "/job?job=77" --unix-socket "$scratch/socket" http://localhost/jobs
check "it is not taken from another" ends 2 "Address already in use" "$autotune" serve --listen "$scratch/socket"
kill "$server"
wait "$server"
check "it is gone afterwards" test ! -e socket
server=''
done_testing
