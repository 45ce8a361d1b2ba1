// A sweep's table as the command line changes it.
#pragma once

#include "results/tables/table.h"

namespace runner {

// An option on the command line replaces the file's value.
template <class Value>
void set_if_given(const Value& given, Value* value) {
  if (!given.empty()) *value = given;
}

// Options on the command line override the table; all else stays. "" as a list's only name stands
// for the default.
void change_table(const results::TableSpec& given, results::TableSpec* spec);

}  // namespace runner
