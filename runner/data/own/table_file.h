// Reads tables of texts: CSV (RFC 4180), TSV without quoted fields, and JSON lines.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "runner/data/datasets/intake_error.h"

namespace runner {

struct TableRow {
  std::size_t line = 0;             // where the row begins, from 1
  std::vector<std::string> fields;  // the requested columns, in their order
};

struct TableColumn {
  std::string name, key;  // `key`: the configuration's key that names the column
};

inline constexpr std::string_view kTableEnds = ".csv .tsv .jsonl";

// The path's extension gives the format. The first line of CSV and TSV names the columns. Throws
// IntakeError with file and line.
std::vector<TableRow> read_table(const std::filesystem::path& path, std::string_view bytes,
                                 const std::vector<TableColumn>& columns);

// "'FILE':LINE: expected ..., got ...".
[[noreturn]] void refuse_line(const std::filesystem::path& path, std::size_t line,
                              const std::string& expected, const std::string& got);

}  // namespace runner
