// Named columns and rows of values: what a query returns, and how a file shows it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace results {

// Nothing (NULL), a number or text.
using Cell = std::variant<std::monostate, std::int64_t, double, std::string>;

struct Grid {
  std::vector<std::string> headers;
  std::vector<std::vector<Cell>> rows;  // as many cells as headers
};

// A number in as few digits as give it back; text as it is; nothing for NULL.
std::string cell_text(const Cell& cell);

std::string csv_of(const Grid& grid);
std::string markdown_of(const Grid& grid);
// {"schema": schema, "columns": [...], "rows": [[...]]}; numbers that JSON lacks are text.
std::string json_of(const Grid& grid, std::string_view schema);
// One object a line, cells without a value left out.
std::string json_lines_of(const Grid& grid);

}  // namespace results
