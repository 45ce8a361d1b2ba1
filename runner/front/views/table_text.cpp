#include "runner/front/views/table_text.h"

#include "results/tables/claim.h"
#include "results/tables/table_formats.h"
#include "results/text/escape.h"
#include "runner/base/text/text_table.h"
#include "runner/base/text/wrap.h"

namespace runner {
namespace {

std::string text_of(const results::ShownCell& cell) {
  std::string out = results::safe_text(cell.text);
  if (!cell.sd.empty()) out += " +- " + cell.sd;
  if (!cell.interval.empty()) out += " " + cell.interval;
  if (!cell.n.empty()) out += " (" + cell.n + ")";
  return out + cell.star + (cell.marks.empty() ? "" : " " + cell.marks);
}

// Below the table, each starting a line.
std::string paragraphs(const std::vector<std::string>& texts, const Terminal& terminal) {
  std::string out = texts.empty() ? "" : "\n";
  for (const std::string& text : texts) {
    const std::string plain = results::safe_text(text);
    if (terminal.width > 0)
      wrap_onto(out, plain, 0, terminal.width);
    else
      out += plain + "\n";
  }
  return out;
}

}  // namespace

std::string table_text(const results::Table& table, const Terminal& terminal) {
  const results::ShownTable all = results::shown(table);
  std::vector<Column> columns;
  for (std::size_t i = 0; i < all.headers.size(); ++i)
    columns.push_back(
        {results::safe_text(all.headers[i]), all.numeric[i] ? Align::kRight : Align::kLeft, 0});
  TextTable text(columns);
  for (const auto& row : all.rows) {
    std::vector<std::string> cells;
    for (const results::ShownCell& cell : row) cells.push_back(text_of(cell));
    text.add_row(std::move(cells));
  }
  std::vector<std::string> claims;
  for (const results::Claim& claim : table.claims) claims.push_back(results::claim_sentence(claim));
  return (table.title.empty() ? "" : results::safe_text(table.title) + "\n\n") +
         text.text(terminal) + paragraphs(results::note_texts(table), terminal) +
         paragraphs(claims, terminal);
}

}  // namespace runner
