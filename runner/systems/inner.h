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

struct OutputScale {
  double scale = 0;

  void describe(auto& option) {
    option("scale", scale, "factor of the output; 0: 1 / sqrt(K)", {.most = 1e6});
  }
};

struct UnitScale : OutputScale {
  UnitScale() { scale = 1; }
};

struct LinearAttentionOptions : UnitScale {
  bool normalize = false;
  lcsm::Word<"none exp"> feature = "none";

  void describe(auto& option) {
    OutputScale::describe(option);
    option("normalize", normalize, "divide by scale q^T (sum of k) + 1e-10");
    option("feature", feature, "feature map of q and k");
  }
};

struct SelectiveScanOptions {
  bool softplus = true;

  void describe(auto& option) {
    option("softplus", softplus, "the step is softplus(delta + delta_bias), else their sum");
  }
};

struct InnerRow {
  std::string_view name, help;
  std::span<const lcsm::OptionRow> (*options)();
  std::span<const InnerInput> inputs;
};

std::span<const InnerRow> inner_rows();

// Null for an unknown name.
const InnerRow* inner_named(std::string_view name);

}  // namespace runner
