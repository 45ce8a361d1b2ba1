// The cells as short text, the same for all formats.
#include <cmath>
#include <cstdio>

#include "results/tables/table_formats.h"
#include "results/tables/table_steps.h"

namespace results {
namespace {

std::string fixed(double value, int decimals, bool sign = false) {
  if (std::isnan(value)) return "";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char text[400];  // the largest double has 309 digits
  std::snprintf(text, sizeof text, sign ? "%+.*f" : "%.*f", decimals, value);
  return text;
}

ShownCell plain(std::string text) { return {std::move(text), "", "", "", true}; }

std::string header_of(const Table& table, const TableColumn& column) {
  std::string header;
  for (std::size_t i = 0; i < table.column_keys.size(); ++i) {
    const std::string& key = table.column_keys[i];
    header += key.substr(key.rfind('.') + 1) + "=" + column.labels[i] + " ";
  }
  return header + column.value;
}

bool has_differences(const Table& table) {
  for (const auto& cells : table.cells)
    for (const TableCell& cell : cells)
      if (cell.difference) return true;
  return false;
}

void show_column(const Table& table, std::size_t index, bool differences, ShownTable* out) {
  const TableColumn& column = table.columns[index];
  const auto add = [&](const std::string& header, const auto& text_of) {
    out->headers.push_back(header);
    out->numeric.push_back(true);
    for (std::size_t row = 0; row < table.rows.size(); ++row)
      out->rows[row].push_back(text_of(table.cells[row][index]));
  };
  add(header_of(table, column), [&](const TableCell& cell) {
    return ShownCell{fixed(cell.statistics.mean, column.decimals),
                     fixed(cell.statistics.sd, column.decimals),
                     cell.best        ? "*"
                     : cell.not_worse ? "~"
                                      : "",
                     signs_of(cell), true};
  });
  if (column.has_published) {
    add("paper", [&](const TableCell& cell) {
      return plain(cell.published ? fixed(*cell.published, column.decimals) : "");
    });
    add("- paper", [&](const TableCell& cell) {
      return plain(cell.published
                       ? fixed(cell.statistics.mean - *cell.published, column.decimals, true)
                       : "");
    });
  }
  if (differences)
    add("- baseline", [&](const TableCell& cell) {
      return plain(cell.difference ? fixed(*cell.difference, column.decimals, true) : "");
    });
}

}  // namespace

ShownTable shown(const Table& table) {
  ShownTable out{table.row_keys, std::vector<bool>(table.row_keys.size(), false), {}};
  for (const auto& labels : table.rows) {
    auto& row = out.rows.emplace_back();
    for (const std::string& label : labels) row.push_back({label, "", "", "", false});
  }
  const bool differences = has_differences(table);
  for (std::size_t column = 0; column < table.columns.size(); ++column)
    show_column(table, column, differences, &out);
  return out;
}

std::vector<std::string> note_texts(const Table& table) {
  std::vector<std::string> texts;
  for (const TableNote& note : table.notes) {
    std::string& text = texts.emplace_back();
    for (const TableNote::Part& part : note.parts)
      text += (text.empty() ? "" : " ") + part.sign + (part.sign.empty() ? "" : " ") + part.text;
  }
  return texts;
}

}  // namespace results
