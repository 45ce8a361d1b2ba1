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

TEST(ShortConv, HasTheGradientsOfTheDefinition) {
  for (const std::int64_t T : {1, 2, 9, 131})
    for (const std::int64_t taps : {1, 2, 4, 7})
      for (const std::int64_t D : {3, 8, 21})
        for (const bool all : {false, true}) {
          SCOPED_TRACE(c10::str(T, " steps, ", taps, " taps, ", D, " channels"));
          std::vector<Tensor> results[2];
          for (const auto conv : {short_conv_reference, short_conv}) {
            std::vector<Tensor> in = {random_input(2, T, D, 1), random_input(1, D, taps, 2)[0]};
            if (all) {
              in.push_back(random_input(1, 1, D, 3)[0][0]);
              in.push_back(random_input(2, taps, D, 4).narrow(1, 0, taps - 1));
            }
            for (Tensor& x : in) x = x.clone().requires_grad_();
            const Tensor y = conv(in[0], in[1], all ? in[2] : Tensor(), all ? in[3] : Tensor());
            (y * random_input(2, T, D, 5)).sum().backward();
            std::vector<Tensor>& result = results[conv == short_conv ? 1 : 0];
            result.push_back(y);
            for (const Tensor& x : in)
              if (x.numel() > 0) result.push_back(x.grad());
          }
          for (std::size_t n = 0; n < results[0].size(); ++n)
            EXPECT_LE((results[1][n] - results[0][n]).abs().max().item<double>(), 1e-13) << n;
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
