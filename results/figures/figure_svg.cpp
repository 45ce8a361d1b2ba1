#include <string_view>

#include "lcsm/base/words.h"
#include "results/figures/figure_script.h"

namespace results {
namespace {

// Removes every part from `from` up to and including `to`.
void remove(std::string* text, std::string_view from, std::string_view to) {
  for (std::size_t at = text->find(from); at != std::string::npos; at = text->find(from, at)) {
    const std::size_t end = text->find(to, at + from.size());
    text->erase(at, end == std::string::npos ? end : end + to.size() - at);
  }
}

}  // namespace

std::string tidy_svg(std::string svg) {
  remove(&svg, "<desc>", "</desc>");
  remove(&svg, "<title>", "</title>");
  return svg;
}

std::string tidy_pdf(std::string pdf) {
  constexpr std::string_view kKey = "/CreationDate (D:", kTime = "19700101000000";
  for (std::size_t at = pdf.find(kKey); at != std::string::npos; at = pdf.find(kKey, at + 1))
    if (at + kKey.size() + kTime.size() <= pdf.size())
      pdf.replace(at + kKey.size(), kTime.size(), kTime);  // as long: offsets stay right
  return pdf;
}

std::string page_svg(const std::string& svg, int number) {
  std::string out = tidy_svg(svg);
  if (const std::size_t start = out.find("<svg"); start != std::string::npos) out.erase(0, start);
  const std::string own = "f" + std::to_string(number) + "-";
  for (const char* quote : {"'", "\""}) {
    out = lcsm::replaced(out, std::string("id=") + quote, std::string("id=") + quote + own);
    out = lcsm::replaced(out, std::string("href=") + quote + "#",
                         std::string("href=") + quote + "#" + own);
  }
  out = lcsm::replaced(out, "url(#", "url(#" + own);
  for (const char* black : {"rgb(  0,   0,   0)", "rgb(0,0,0)", "\"black\"", "'black'"}) {
    const std::string_view old = black;
    const bool bare = old[0] == 'r';
    out = lcsm::replaced(out, old, bare ? "currentColor" : "\"currentColor\"");
  }
  return out;
}

}  // namespace results
