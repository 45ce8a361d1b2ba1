// Checks the common properties of RetNet's three forms.
#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include "runner/models/blocks/block.h"
#include "runner/systems/blocks.h"
#include "tests/ets/layer/official_cases.h"
#include "tests/lcsm/layer/layer_cases.h"

namespace runner {
namespace {

using at::Tensor;

// Keys times `size`.
Tensor output_of(const std::vector<std::string>& settings, const Tensor& x, double size,
                 lcsm::Backend backend = lcsm::Backend::kMachine) {
  lcsm::Options options = lcsm::options_of(lcsm::block_row<Retnet>);
  for (const std::string& setting : settings) options.set(setting);
  options.set("heads=2");
  const lcsm::Block v = lcsm::make_block(lcsm::block_row<Retnet>, options, x.size(2));
  lcsm::Weights weights = lcsm::initial_weights(v, 3, at::kDouble);
  weights["key.weight"] = weights["key.weight"] * size;
  return block_forward(v, weights, x, {.backend = backend}).output;
}

TEST(Retnet, OneChunkOfAllStepsIsParallel) {
  const Tensor x = lcsm::random_input(2, 40, 8, 1);
  EXPECT_LE(
      ets::relative_error(output_of({"form=chunks", "chunk=40"}, x, 30), output_of({}, x, 30)),
      1e-13);
}

TEST(Retnet, SmallRowsAreScaledByNoneButTheirDecays) {
  const Tensor x = lcsm::random_input(2, 40, 8, 2);
  EXPECT_LE(ets::relative_error(output_of({"form=recurrent"}, x, 0.01), output_of({}, x, 0.01)),
            1e-13);
  EXPECT_GT(ets::relative_error(output_of({"form=recurrent"}, x, 300), output_of({}, x, 300)),
            1e-8);
}

TEST(Retnet, RowsInSeveralRoundsAreTheDefinition) {
  const Tensor x = lcsm::random_input(1, 600, 8, 3);
  EXPECT_LE(
      ets::relative_error(output_of({}, x, 30), output_of({}, x, 30, lcsm::Backend::kReference)),
      1e-12);
}

}  // namespace
}  // namespace runner
