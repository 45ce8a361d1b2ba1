// Overrides a sweep's table with options.
#pragma once

#include <string>
#include <vector>

#include "results/tables/table.h"

namespace runner {

// An option on the command line replaces the file's value.
template <class Value>
void set_if_given(const Value& given, Value* value) {
  if (!given.empty()) *value = given;
}

// Replaces the names if some are given. "" as the only name stands for the default.
void set_names(const std::vector<std::string>& given, std::vector<std::string>* names);

// Applies command-line options to the table.
void change_table(const results::TableSpec& given, results::TableSpec* spec);

}  // namespace runner
