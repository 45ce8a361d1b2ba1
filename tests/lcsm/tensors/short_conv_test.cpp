#include "lcsm/tensors/short_conv.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/zeros_like.h>
#include <gtest/gtest.h>

#include "tests/lcsm/layer/layer_cases.h"

namespace lcsm {
namespace {

using at::Tensor;

TEST(ShortConv, IsTheSumOverItsTaps) {
  const std::int64_t B = 2, T = 7, D = 5, taps = 3;
  const Tensor x = random_input(B, T, D, 1), w = random_input(1, D, taps, 2)[0],
               b = random_input(1, 1, D, 3)[0][0], before = random_input(B, taps - 1, D, 4);
  for (const Tensor& earlier : {Tensor(), before}) {
    const Tensor y = short_conv(x, w, b, earlier);
    const Tensor all = at::cat({earlier.defined() ? earlier : at::zeros_like(before), x}, 1);
    for (std::int64_t t = 0; t < T; ++t) {
      Tensor expected = b.clone();
      for (std::int64_t j = 0; j < taps; ++j)
        expected = expected + w.select(1, j) * all.select(1, taps - 1 + t - j);
      EXPECT_LE((y.select(1, t) - expected).abs().max().item<double>(), 1e-14) << t;
    }
  }
}

TEST(ShortConv, GoesOnFromItsState) {
  const Tensor x = random_input(2, 9, 4, 1), w = random_input(1, 4, 4, 2)[0];
  const Tensor whole = short_conv(x, w);
  const Tensor first = x.narrow(1, 0, 2), rest = x.narrow(1, 2, 7);
  const Tensor parts =
      at::cat({short_conv(first, w), short_conv(rest, w, {}, short_conv_state(first, 4))}, 1);
  EXPECT_TRUE(parts.equal(whole));
}

}  // namespace
}  // namespace lcsm
