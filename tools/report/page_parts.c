/* Pages: their frame, style and parts. */

#include "page.h"

/* Light and dark as the reader's system is; the series' colours are those of
 * Okabe and Ito (Color Universal Design, 2008), the dark ones lightened. */
static const char style[] =
    ":root{color-scheme:light dark;--bg:#fff;--fg:#1b1f24;--soft:#57606a;--line:#d8dee4;"
    "--card:#f6f8fa;--warn:#fff4d6;--c0:#0072b2;--c1:#d55e00;--c2:#009e73;--c3:#a8577e;"
    "--c4:#b8860b;--c5:#56b4e9}\n"
    "@media(prefers-color-scheme:dark){:root{--bg:#0f1419;--fg:#e6e9ec;--soft:#9aa4ae;"
    "--line:#30363d;--card:#171d24;--warn:#3a2f10;--c0:#56b4e9;--c1:#ff8c42;--c2:#2fc79a;"
    "--c3:#e39bc0;--c4:#f0c04a;--c5:#8fd0f5}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--bg);color:var(--fg);font:16px/1.55 system-ui,-apple-system,"
    "\"Segoe UI\",Roboto,\"DejaVu Sans\",sans-serif}\n"
    "main,header,footer{max-width:1120px;margin:0 auto;padding:0 1.25rem}\n"
    "header{padding-top:2.5rem}footer{color:var(--soft);font-size:.85rem;padding-bottom:3rem}\n"
    "h1{font-size:2rem;line-height:1.2;margin:0}h2{font-size:1.4rem;margin:2.6rem 0 .6rem;"
    "padding-top:1rem;border-top:1px solid var(--line)}h3{font-size:1.1rem;margin:2rem 0 .4rem}\n"
    "p{max-width:46rem;margin:.5rem 0}.lead{color:var(--soft);font-size:1.1rem}\n"
    ".warning{background:var(--warn);padding:.5rem .8rem;border-left:4px solid var(--c1)}\n"
    ".note{color:var(--soft);font-size:.9rem;margin:.2rem 0}\n"
    "nav{margin:1rem 0;display:flex;flex-wrap:wrap;gap:.4rem 1.1rem}a{color:var(--c0)}\n"
    ".cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(11rem,1fr));gap:.8rem;"
    "margin:1.2rem 0}.card{background:var(--card);border:1px solid var(--line);"
    "border-radius:8px;padding:.8rem 1rem}.card b{display:block;font-size:1.6rem;"
    "line-height:1.3}.card span{color:var(--soft);font-size:.9rem}\n"
    ".figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,22rem),1fr));"
    "gap:1rem;margin:1rem 0}figure{margin:0}figcaption{color:var(--soft);font-size:.85rem}\n"
    ".scroll{overflow-x:auto;margin:.4rem 0 1rem}.caption{color:var(--soft);font-size:.9rem;"
    "margin:1rem 0 0}table{border-collapse:collapse;font-size:.9rem;"
    "font-variant-numeric:tabular-nums;min-width:30%}th,td{padding:.3rem .55rem;border-bottom:1px "
    "solid var(--line);"
    "text-align:left;vertical-align:top}th{font-weight:600;border-bottom-width:2px}"
    ".n{text-align:right}td.n{white-space:nowrap}td:last-child:not(.n):not([colspan]){min-width:"
    "14rem}"
    "td.why{color:var(--soft);padding-top:0}tr.first td{border-bottom:0}"
    "tr.strong td{font-weight:600;background:var(--card)}\n"
    "details{margin:.6rem 0}summary{cursor:pointer;color:var(--c0)}\n"
    "svg{display:block;width:100%;height:auto;font-family:inherit}.chart{max-width:560px}"
    ".wide{min-width:720px}\n"
    ".grid{stroke:var(--line);stroke-width:1}.frame{fill:none;stroke:var(--soft)}"
    ".tick{fill:var(--soft);font-size:10.5px}.axis{fill:var(--fg);font-size:11.5px}"
    ".ref{stroke:var(--soft);stroke-width:1.2;stroke-dasharray:4 3}"
    ".p{fill:var(--c);fill-opacity:.65}.s{fill:none;stroke:var(--c);stroke-width:2.5;"
    "stroke-linecap:round;stroke-opacity:.65}.l{fill:none;stroke:var(--c);stroke-width:2}"
    ".c0{--c:var(--c0)}.c1{--c:var(--c1)}.c2{--c:var(--c2)}.c3{--c:var(--c3)}"
    ".c4{--c:var(--c4)}.c5{--c:var(--c5)}\n"
    ".none{fill:var(--card);stroke:var(--line)}.dim{fill-opacity:.3}.onlight{fill:#000;font-size:"
    "11px}"
    ".ondim{fill:var(--fg);font-size:11px}"
    ".ondark{fill:#fff;font-size:11px}.flag{fill:none;stroke:var(--fg);stroke-width:2.5}"
    ".badge{fill:var(--fg)}.badgetext{fill:var(--bg);font-size:10px;font-weight:700}\n"
    "h1,td a,dd{overflow-wrap:anywhere}td.d{white-space:nowrap}td.w{min-width:14rem}"
    "form{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:end;margin:1rem 0}"
    "label{display:flex;flex-direction:column;font-size:.85rem;color:var(--soft)}"
    "input,select,button{font:inherit;color:inherit;background:var(--card);border:1px solid "
    "var(--line);border-radius:6px;padding:.2rem .5rem;max-width:100%}"
    "pre{overflow-x:auto;background:var(--card);padding:.6rem .8rem;font-size:.85rem}"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem}dt{color:var(--soft)}"
    "dd{margin:0;min-width:0}.here{font-weight:600}\n"
    "@media(max-width:760px){th,td{padding:.3rem .3rem;font-size:.8rem}}\n"
    "@media print{details>*{display:block}nav{display:none}}\n";

const char *page_style(void)
{
    return style;
}

static void begin_head(FILE *out, const char *title)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
          "<title>",
          out);
    page_escape(out, title);
    fputs("</title>\n", out);
}

static void begin_body(FILE *out, const char *title, const char *lead)
{
    fputs("</head>\n<body>\n<header>\n<h1>", out);
    page_escape(out, title);
    fputs("</h1>\n<p class=\"lead\">", out);
    page_escape(out, lead);
    fputs("</p>\n</header>\n<main>\n", out);
}

void page_begin(FILE *out, const char *title, const char *lead)
{
    begin_head(out, title);
    fprintf(out, "<style>\n%s</style>\n", style);
    begin_body(out, title, lead);
}

void page_begin_at(FILE *out, const char *title, const char *lead, const char *style_address)
{
    begin_head(out, title);
    fputs("<link rel=\"stylesheet\" href=\"", out);
    page_escape(out, style_address);
    fputs("\"/>\n", out);
    begin_body(out, title, lead);
}

void page_end(FILE *out, const char *foot)
{
    fputs("</main>\n<footer><p>", out);
    page_escape(out, foot);
    fputs("</p></footer>\n</body>\n</html>\n", out);
}

void page_links(FILE *out, const page_link *links, int count)
{
    fputs("<nav>", out);
    for (int i = 0; i < count; i++) {
        fputs("<a href=\"#", out);
        page_escape(out, links[i].id);
        fputs("\">", out);
        page_escape(out, links[i].name);
        fputs("</a>", out);
    }
    fputs("</nav>\n", out);
}

void page_section(FILE *out, const char *id, const char *heading)
{
    fputs("<section id=\"", out);
    page_escape(out, id);
    fputs("\">\n<h2>", out);
    page_escape(out, heading);
    fputs("</h2>\n", out);
}

void page_section_end(FILE *out)
{
    fputs("</section>\n", out);
}

void page_cards(FILE *out)
{
    fputs("<div class=\"cards\">\n", out);
}

void page_card(FILE *out, const char *number, const char *meaning)
{
    fputs("<div class=\"card\"><b>", out);
    page_escape(out, number);
    fputs("</b><span>", out);
    page_escape(out, meaning);
    fputs("</span></div>\n", out);
}

void page_cards_end(FILE *out)
{
    fputs("</div>\n", out);
}

void page_figures(FILE *out)
{
    fputs("<div class=\"figures\">\n", out);
}

void page_figure(FILE *out)
{
    fputs("<figure>\n", out);
}

void page_figure_end(FILE *out, const char *caption)
{
    fputs("<figcaption>", out);
    page_escape(out, caption);
    fputs("</figcaption></figure>\n", out);
}

void page_figures_end(FILE *out)
{
    fputs("</div>\n", out);
}

void page_details(FILE *out, const char *summary)
{
    fputs("<details><summary>", out);
    page_escape(out, summary);
    fputs("</summary>\n", out);
}

void page_details_end(FILE *out)
{
    fputs("</details>\n", out);
}

void page_table(FILE *out, const char *caption, const page_column *columns, int count)
{
    /* not a caption, which would be as wide as a table that has to be scrolled */
    fputs("<p class=\"caption\">", out);
    page_escape(out, caption);
    fputs("</p>\n<div class=\"scroll\"><table aria-label=\"", out);
    page_escape(out, caption);
    fputs("\">\n<thead><tr>", out);
    for (int i = 0; i < count; i++) {
        fputs(columns[i].number ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">", out);
        page_escape(out, columns[i].heading);
        fputs("</th>", out);
    }
    fputs("</tr></thead>\n<tbody>\n", out);
}

void page_row(FILE *out, bool strong)
{
    fputs(strong ? "<tr class=\"strong\">" : "<tr>", out);
}

void page_row_above(FILE *out)
{
    fputs("<tr class=\"first\">", out);
}

void page_row_end(FILE *out)
{
    fputs("</tr>\n", out);
}

void page_table_end(FILE *out)
{
    fputs("</tbody></table></div>\n", out);
}
