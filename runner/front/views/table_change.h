// Overrides a sweep's table with options.
#pragma once

#include "results/tables/table.h"

namespace runner {

// An option on the command line replaces the file's value.
template <class Value>
void set_if_given(const Value& given, Value* value) {
  if (!given.empty()) *value = given;
}

// Applies command-line options to the table. "" as a list's only name stands for the default.
void change_table(const results::TableSpec& given, results::TableSpec* spec);

}  // namespace runner
