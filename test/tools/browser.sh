# Sourced after lib.sh by tests of pages: what a browser makes of them.

browser=
for name in chromium-headless-shell chromium; do
    if command -v $name > /dev/null; then browser=$name && break; fi
done

# browse ARGUMENT... PAGE: with a profile of its own and no network
browse()
{
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
        --no-first-run --user-data-dir="$scratch/browser" --hide-scrollbars \
        --host-resolver-rules='MAP * ~NOTFOUND' "$@"
}

# A script that only the test adds, to a copy: what the browser really laid out.
measure='<script>
const drawn = [...document.querySelectorAll("svg")].filter(e => { const b = e.getBoundingClientRect(); return b.width > 200 \&\& b.height > 100; }).length;
const shapes = [...document.querySelectorAll("svg circle, svg rect, svg polyline")].filter(e => e.getBoundingClientRect().width > 0).length;
const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
const seen = performance.getEntriesByType("resource").length;
document.body.setAttribute("data-found", drawn + " " + (shapes > SHAPES) + " " + (wide <= 0) + " " + seen);
</script>'

# rendered PAGE CHARTS SHAPES: a page in $scratch with that many charts and more
# than SHAPES shapes in them
rendered()
{
    if [ -z "$browser" ]; then
        skip "rendering" "no Chromium (Debian: chromium-headless-shell)"
        return
    fi
    for width in 1280 400; do
        sed "s|</body>|$(echo "$measure" | tr '\n' ' ' | sed "s/SHAPES/$3/")</body>|" "$1" > measured.html
        browse --window-size=$width,1000 --dump-dom "file://$scratch/measured.html" > dom.html 2> browser.log
        check "all charts are drawn, nothing overflows or is fetched, $width wide" \
            grep -q "data-found=\"$2 true true 0\"" dom.html
    done
    browse --window-size=1280,2000 --screenshot="$scratch/page.png" "file://$scratch/$1" > /dev/null 2>> browser.log
    check "a screenshot is made" test "$(head -c 4 page.png | tail -c 3)" = PNG
    browse --window-size=1280,2000 --screenshot="$scratch/empty.png" about:blank > /dev/null 2>> browser.log
    check "and shows something" test "$(wc -c < page.png)" -gt "$(($(wc -c < empty.png) * 2))"
}
