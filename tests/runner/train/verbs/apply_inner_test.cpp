#include "runner/train/verbs/apply_inner.h"

#include <ATen/ops/ones_like.h>
#include <gtest/gtest.h>

#include "tests/ets/layer/official_cases.h"
#include "tests/lcsm/layer/layer_cases.h"

namespace runner {
namespace {

lcsm::SafeTensors example_of_apply_inner() {
  lcsm::SafeTensors file;
  for (const char* name : {"input.q", "input.k", "input.v"})
    file.tensors[name] = lcsm::random_input(2, 5, 12, 1).reshape({2, 5, 3, 4});
  file.tensors["grad_output"] = at::ones_like(file.tensors["input.v"]);
  return file;
}

TEST(ApplyInner, GivesTheOutputAndTheGradientOfEveryInput) {
  const InnerRow& row = *inner_named("linear-attention");
  const lcsm::SafeTensors got =
      apply_inner(row, {}, example_of_apply_inner(), ets::Machine::kFastest);
  EXPECT_EQ(got.tensors.at("output").sizes(), at::IntArrayRef({2, 5, 3, 4}));
  for (const char* name : {"grad.input.q", "grad.input.k", "grad.input.v"})
    EXPECT_TRUE(got.tensors.contains(name)) << name;
  const lcsm::SafeTensors defined =
      apply_inner(row, {}, example_of_apply_inner(), ets::Machine::kReference);
  EXPECT_LE(ets::relative_error(got.tensors.at("output"), defined.tensors.at("output")), 1e-13);
}

TEST(ApplyInner, RefusesAnUnknownTensorAndOption) {
  const InnerRow& row = *inner_named("linear-attention");
  lcsm::SafeTensors file = example_of_apply_inner();
  EXPECT_THROW(apply_inner(row, {"taps=3"}, file, ets::Machine::kFastest), std::invalid_argument);
  file.tensors["input.x"] = file.tensors["input.q"];
  EXPECT_THROW(apply_inner(row, {}, file, ets::Machine::kFastest), std::invalid_argument);
}

}  // namespace
}  // namespace runner
