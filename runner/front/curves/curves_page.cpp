#include "runner/front/curves/curves_page.h"

#include <utility>

#include "results/text/escape.h"
#include "runner/front/curves/client_files.h"

namespace runner {
namespace {

using results::html_text;

// Replaces each {{name}} of the template by its text.
std::string filled(std::string_view page,
                   std::initializer_list<std::pair<std::string_view, std::string_view>> texts) {
  std::string out;
  while (true) {
    const std::size_t open = page.find("{{"), end = page.find("}}", open);
    out += page.substr(0, open);
    if (end == page.npos) return out;
    for (const auto& [name, text] : texts)
      if (name == page.substr(open + 2, end - open - 2)) out += text;
    page.remove_prefix(end + 2);
  }
}

}  // namespace

const std::string_view kPagePolicy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'";

std::string curves_page(std::string_view name, std::string_view json, std::string_view source) {
  return filled(kCurvesHtml, {{"policy", kPagePolicy},
                              {"name", html_text(name)},
                              {"source", html_text(source)},
                              {"style", kStyleCss},
                              {"data", json},
                              {"script", kScripts}});
}

std::string index_page(std::string_view workspace, const std::vector<IndexRow>& rows) {
  std::string list;
  for (const IndexRow& row : rows)
    list += "<tr><td><a href=\"" + html_text(row.address) + "\">" + html_text(row.sweep) +
            "</a></td><td>" + html_text(row.counts.text()) + "</td><td>" + html_text(row.title) +
            "</td></tr>\n";
  if (rows.empty()) list = "<tr><td>No run of a sweep yet: lcsm run SWEEP starts one</td></tr>\n";
  return filled(kIndexHtml, {{"policy", kPagePolicy},
                             {"workspace", html_text(workspace)},
                             {"style", kStyleCss},
                             {"rows", list}});
}

}  // namespace runner
