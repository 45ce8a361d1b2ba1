#include <ATen/TensorOperators.h>
#include <ATen/ops/full.h>
#include <ATen/ops/log.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include "tests/ets/layer/official_cases.h"
#include "tests/lcsm/layer/layer_cases.h"
#include "tests/runner/models/blocks/layer_of.h"

namespace runner {

// softmax(log p) = p, so the bounds are 0, p_1, p_1 + p_2.
TEST(Hgrn, SumsTheBoundsOfTheLayersUpToItsOwn) {
  const at::Tensor x = lcsm::random_input(2, 7, 8, 1);
  const at::Tensor shares = at::tensor({0.5, 0.3, 0.2}, at::kDouble);
  const char* bounds[] = {"lower_bound=0", "lower_bound=0.3", "lower_bound=0.5"};
  for (int l = 0; l < 3; ++l) {
    const BlockLayer fixed = layer_of("hgrn", {bounds[l]});
    BlockLayer learned =
        layer_of("hgrn", {"bound=learned", "layers=3", "layer=" + std::to_string(l)});
    for (auto& [name, tensor] : learned.weights)
      tensor = name == "lower_bound" ? at::log(shares).unsqueeze(1).expand({3, 8})
                                     : fixed.weights.at(name);
    EXPECT_LT(ets::relative_error(learned(x), fixed(x)), 1e-13) << l;
  }
}

}  // namespace runner
