// Helpers for tables of named rows: the names as choices of a key, finding a row by its name, and
// checking that another table has the same rows.
#pragma once

#include <array>
#include <cstddef>
#include <iterator>
#include <string_view>

namespace lcsm {

template <const auto& rows>
struct RowNames {
  static constexpr std::size_t kSize = [] {
    std::size_t size = 0;
    for (const auto& row : rows) size += row.name.size() + 1;
    return size - 1;
  }();
  static constexpr std::array<char, kSize> kText = [] {
    std::array<char, kSize> text{};
    std::size_t at = 0;
    for (const auto& row : rows) {
      if (at > 0) text[at++] = ' ';
      for (const char c : row.name) text[at++] = c;
    }
    return text;
  }();
};

// The names of a table's rows, separated by blanks.
template <const auto& rows>
inline constexpr std::string_view row_names{RowNames<rows>::kText.data(), RowNames<rows>::kSize};

// Null if no row has the name.
template <class Rows>
constexpr auto* row_named(const Rows& rows, std::string_view name) {
  for (const auto& row : rows)
    if (row.name == name) return &row;
  return static_cast<decltype(std::data(rows))>(nullptr);
}

// True if `table` has a row for each of `rows`, in their order.
template <class Table, class Rows>
constexpr bool same_names(const Table& table, const Rows& rows) {
  bool same = std::size(table) == std::size(rows);
  for (std::size_t i = 0; same && i < std::size(rows); ++i) same = table[i].name == rows[i].name;
  return same;
}

// The row of a parallel table for a row of `rows`.
template <class Table, class Rows, class Row>
constexpr const auto& row_for(const Table& table, const Rows& rows, const Row& row) {
  return table[static_cast<std::size_t>(&row - std::data(rows))];
}

}  // namespace lcsm
