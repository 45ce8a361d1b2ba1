#include "results/report/report_style.h"

#include "results/figures/figure_style.h"

namespace results {
namespace {

constexpr const char* kRules = R"css(
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 62rem; background: var(--page); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 1rem 0 0.5rem; }
h2 { font-size: 1.15rem; margin: 2.2rem 0 0.6rem; border-bottom: 1px solid var(--line); }
.question { font-size: 1.1rem; }
.whole { white-space: nowrap; }
.small, figcaption, section ul, dl { font-size: 0.85rem; color: var(--soft); }
.claims { font-size: 1rem; color: var(--ink); padding-left: 0; list-style: none; }
.claims li { margin: 0.5rem 0; }
.claims b { padding: 0 0.4em; border: 1px solid; border-radius: 0.3em; font-size: 0.85em; }
.claims q { color: var(--soft); }
.supported { color: var(--good); }
.contradicted { color: var(--bad); }
.undecided { color: var(--soft); }
.wide { overflow-x: auto; overflow-wrap: normal; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: 0.6rem 0; }
caption { text-align: left; font-weight: 600; padding: 0.3rem 0; }
th, td { padding: 0.15rem 0.6rem; text-align: left; white-space: nowrap; }
thead th { border-bottom: 1px solid var(--ink); vertical-align: bottom; }
tbody tr:nth-child(even) { background: var(--band); }
th:first-child, td:first-child { position: sticky; left: 0; background: var(--page); }
.number { text-align: right; }
sup { color: var(--soft); }
figure { margin: 1rem 0 0.3rem; }
figure svg { display: block; width: 100%; max-width: 45rem; min-width: 36rem; height: auto; }
figcaption { margin-top: 0.2rem; }
details { margin: 0.3rem 0 1.2rem; }
summary { cursor: pointer; color: var(--soft); }
pre { overflow-x: auto; font-size: 0.8rem; }
dl { display: grid; grid-template-columns: 2rem 1fr; row-gap: 0.1rem; }
dt { font-weight: 600; }
dd { margin: 0; }
@media print { body { max-width: none; padding: 0; } .wide { overflow: visible; } }
)css";

std::string colours(const char* page, const char* rest) {
  return std::string(":root { --page: ") + page + "; " + rest + " }\n";
}

}  // namespace

std::string report_style() {
  return "\n:root { color-scheme: light dark; }\n" +
         colours(kPaper.data(),
                 "--ink: #1a1d21; --soft: #596068; --line: #d5d9de; --band: #f5f6f8; --good: "
                 "#006b4c; --bad: #a33c00;") +
         "@media (prefers-color-scheme: dark) {\n" +
         colours(kDarkPage.data(),
                 "--ink: #e6e8eb; --soft: #a3abb5; --line: #3a4048; --band: #1d2126; --good: "
                 "#4cc79b; --bad: #ff8a4c;") +
         "}\n" + (kRules + 1);
}

}  // namespace results
