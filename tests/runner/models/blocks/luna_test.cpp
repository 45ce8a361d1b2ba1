#include <ATen/TensorOperators.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/softplus.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/ets/layer/official_cases.h"
#include "tests/lcsm/layer/layer_cases.h"
#include "tests/runner/models/blocks/layer_of.h"

namespace runner {
namespace {

using at::Tensor;
using ets::relative_error;

// The equations, one position at a time.
Tensor causal_by_loop(const lcsm::Weights& w, const Tensor& x) {
  const Tensor pack = lcsm::project(w, "pack_query", w.at("packed")),
               q = lcsm::project(w, "query", x), k = lcsm::project(w, "pack_key", x),
               values = lcsm::project(w, "pack_value", x);
  const std::int64_t T = x.size(0), p = pack.size(0), d = x.size(1);
  std::vector<Tensor> outputs;
  for (std::int64_t t = 0; t < T; ++t) {
    Tensor logits = at::zeros({p}, at::kDouble), y = at::zeros({d}, at::kDouble);
    const auto a = [&](std::int64_t u) {
      return at::softplus(at::matmul(pack, k[u]) / std::sqrt(static_cast<double>(d)));
    };
    for (std::int64_t u = 0; u <= t; ++u) logits = logits + (q[t] * k[u]).sum() * a(u);
    const Tensor unpack = at::softmax(logits / (t + 1), 0);
    for (std::int64_t u = 0; u <= t; ++u) y = y + (unpack * a(u)).sum() * values[u];
    outputs.push_back(y / (t + 1));
  }
  return lcsm::project(w, "output", at::stack(outputs));
}

TEST(Luna, ItsCausalFormIsThePapersEquations) {
  const BlockLayer layer = layer_of("luna", {"heads=1", "packed=5"});
  const Tensor x = lcsm::random_input(1, 12, 8, 2);
  EXPECT_LE(relative_error(layer(x)[0], causal_by_loop(layer.weights, x[0])), 1e-12);
}

TEST(Luna, DoesNotDependOnTheOrderOfItsPackedPositions) {
  for (const char* sides : {"bidirectional=false", "bidirectional=true"}) {
    BlockLayer layer = layer_of("luna", {"heads=2", "packed=5", sides});
    const Tensor x = lcsm::random_input(2, 12, 8, 3), y = layer(x);
    layer.weights.at("packed") = layer.weights.at("packed").flip(0);
    EXPECT_LE(relative_error(layer(x), y), 1e-12) << sides;
  }
}

}  // namespace
}  // namespace runner
