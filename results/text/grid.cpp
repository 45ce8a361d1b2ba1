#include "results/text/grid.h"

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "results/text/escape.h"

namespace results {
namespace {

using Json = nlohmann::ordered_json;

bool is_text(const Cell& cell) { return std::holds_alternative<std::string>(cell); }

std::string csv_cell(const Cell& cell) {
  return is_text(cell) ? csv_field(std::get<std::string>(cell)) : cell_text(cell);
}

Json json_cell(const Cell& cell) {
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return *integer;
  if (const auto* real = std::get_if<double>(&cell); real != nullptr && std::isfinite(*real))
    return *real;
  if (std::holds_alternative<std::monostate>(cell)) return nullptr;
  return cell_text(cell);
}

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// True if a column holds only numbers; some may be missing.
bool is_numeric(const Grid& grid, std::size_t column) {
  bool any = false;
  for (const auto& row : grid.rows) {
    if (is_text(row[column])) return false;
    any = any || !std::holds_alternative<std::monostate>(row[column]);
  }
  return any;
}

}  // namespace

Cell number_cell(double value) { return std::isnan(value) ? Cell{} : Cell{value}; }
Cell number_cell(const std::optional<double>& value) { return value ? Cell{*value} : Cell{}; }

std::string cell_text(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return std::to_string(*integer);
  const auto* real = std::get_if<double>(&cell);
  if (real == nullptr) return "";
  char digits[64];
  const auto end = std::to_chars(digits, digits + sizeof digits, *real).ptr;
  return {digits, end};
}

std::string csv_of(const Grid& grid) {
  std::string out;
  for (std::size_t i = 0; i < grid.headers.size(); ++i)
    out += (i > 0 ? "," : "") + csv_field(grid.headers[i]);
  return out + "\n" + csv_rows(grid);
}

std::string csv_rows(const Grid& grid) {
  std::string out;
  for (const auto& row : grid.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) out += (i > 0 ? "," : "") + csv_cell(row[i]);
    out += "\n";
  }
  return out;
}

std::string markdown_of(const Grid& grid) {
  std::string out = "|", rule = "|";
  for (std::size_t i = 0; i < grid.headers.size(); ++i) {
    out += " " + markdown_text(grid.headers[i]) + " |";
    rule += is_numeric(grid, i) ? "---:|" : "---|";
  }
  out += "\n" + rule + "\n";
  for (const auto& row : grid.rows) {
    out += "|";
    for (const Cell& cell : row) out += " " + markdown_text(cell_text(cell)) + " |";
    out += "\n";
  }
  return out;
}

std::string json_of(const Grid& grid, std::string_view schema) {
  std::string out = "{\"schema\": " + dumped(schema) + ",\n \"columns\": " + dumped(grid.headers) +
                    ",\n \"rows\": [";
  for (std::size_t i = 0; i < grid.rows.size(); ++i) {
    Json row = Json::array();
    for (const Cell& cell : grid.rows[i]) row.push_back(json_cell(cell));
    out += (i > 0 ? ",\n  " : "\n  ") + dumped(row);
  }
  return out + "]}\n";
}

std::string json_lines_of(const Grid& grid) {
  std::unordered_map<std::string_view, std::size_t> last;  // column of each name
  for (std::size_t i = 0; i < grid.headers.size(); ++i) last[grid.headers[i]] = i;
  std::string out;
  for (const auto& row : grid.rows) {
    std::string fields;
    for (std::size_t i = 0; i < row.size(); ++i)
      if (!std::holds_alternative<std::monostate>(row[i]) && last.at(grid.headers[i]) == i)
        fields +=
            (fields.empty() ? "" : ",") + dumped(grid.headers[i]) + ":" + dumped(json_cell(row[i]));
    out += "{" + fields + "}\n";
  }
  return out;
}

}  // namespace results
