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

# Tables wider than their frame, labels outside their chart, and cells of heat maps whose
# text has a contrast below 4.5 (WCAG 2, AA).
readable='<script>
for (const e of document.querySelectorAll("details")) e.open = true;
const tables = [...document.querySelectorAll(".scroll")].filter(e => e.scrollWidth > e.clientWidth).length;
const labels = [...document.querySelectorAll("svg text")].filter(e => { const b = e.getBoundingClientRect(), s = e.closest("svg").getBoundingClientRect(); return b.left < s.left - 1 || b.right > s.right + 1 || b.top < s.top - 1 || b.bottom > s.bottom + 1; }).length;
const numbers = text => (text.match(/[0-9.]+/g) || []).map(Number);
const luminance = c => { const [r, g, b] = c.map(v => { v /= 255; return v <= 0.03928 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4); }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const page = numbers(getComputedStyle(document.body).backgroundColor);
const faint = [...document.querySelectorAll("svg.heat g")].filter(g => {
  const rect = g.querySelector("rect"), text = g.querySelector("text");
  const solid = Number(getComputedStyle(rect).fillOpacity), group = Number(getComputedStyle(g).opacity);
  const fill = numbers(getComputedStyle(rect).fill).map((v, i) => (v * solid + page[i] * (1 - solid)) * group + page[i] * (1 - group));
  const ink = numbers(getComputedStyle(text).fill).map((v, i) => v * group + page[i] * (1 - group));
  const a = luminance(fill) + 0.05, b = luminance(ink) + 0.05;
  return Math.max(a, b) / Math.min(a, b) < 4.5; }).length;
document.body.setAttribute("data-cut", "tables " + tables + ", labels " + labels + ", faint " + faint);
</script>'

finds()
{
    grep -o 'data-cut="[^"]*"' "$2"
    grep -q "data-cut=\"$1\"" "$2"
}

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
    sed 's|</body>||; s|</html>||' "$1" > measured.html
    echo "$readable" >> measured.html
    for scheme in light:1 dark:0; do
        browse --blink-settings=preferredColorScheme=${scheme#*:} --window-size=1200,1000 \
            --dump-dom "file://$scratch/measured.html" > dom.html 2>> browser.log
        check "nothing is cut, 1200 wide, and text stands out from its cell, ${scheme%:*}" \
            finds "tables 0, labels 0, faint 0" dom.html
    done
    browse --window-size=1280,2000 --screenshot="$scratch/page.png" "file://$scratch/$1" > /dev/null 2>> browser.log
    check "a screenshot is made" test "$(head -c 4 page.png | tail -c 3)" = PNG
    browse --window-size=1280,2000 --screenshot="$scratch/empty.png" about:blank > /dev/null 2>> browser.log
    check "and shows something" test "$(wc -c < page.png)" -gt "$(($(wc -c < empty.png) * 2))"
}
