// Recurrences without the projections of a block, one row each: named inputs and options. Their
// equations are in models/blocks/inner.h.
#pragma once

#include <span>
#include <string_view>

#include "lcsm/block/options.h"

namespace runner {

struct InnerInput {
  std::string_view name;  // in the file: "input.q", "weight.A"
  std::string_view axes;  // one letter per axis, of equal size wherever it occurs: "BTHK"
  std::string_view other_axes = "";  // also allowed
  bool optional = false;
};

struct InnerRow {
  std::string_view name, help;
  std::span<const lcsm::OptionRow> options;
  std::span<const InnerInput> inputs;
};

std::span<const InnerRow> inner_rows();

// Null if there is none of that name.
const InnerRow* inner_named(std::string_view name);

}  // namespace runner
