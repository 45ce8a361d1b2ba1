// A grid of named columns and rows of values, as a query returns it, and its file formats.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace results {

// NULL, a number or text.
using Cell = std::variant<std::monostate, std::int64_t, double, std::string>;

struct Grid {
  std::vector<std::string> headers;
  std::vector<std::vector<Cell>> rows;  // as many cells as headers
};

// Empty for NaN, and for no value.
Cell number_cell(double value);
Cell number_cell(const std::optional<double>& value);

// A number in the fewest digits that restore it; text unchanged; nothing for NULL.
std::string cell_text(const Cell& cell);

std::string csv_of(const Grid& grid);
std::string csv_rows(const Grid& grid);  // without the line of headers
std::string markdown_of(const Grid& grid);
// {"schema": schema, "columns": [...], "rows": [[...]]}; NaN and infinities become text.
std::string json_of(const Grid& grid, std::string_view schema);
// One object per line; cells without a value are left out.
std::string json_lines_of(const Grid& grid);

}  // namespace results
