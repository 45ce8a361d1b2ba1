#include "lcsm/tensors/short_conv.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/zeros_like.h>
#include <gtest/gtest.h>

#include <set>

#include "lcsm/cuda/driver/nvrtc.h"
#include "lcsm/cuda/step/short_conv_calls.h"
#include "lcsm/tensors/operation.h"
#include "tests/lcsm/layer/fake_tensors.h"
#include "tests/lcsm/layer/layer_cases.h"

namespace lcsm {
namespace {

using at::Tensor;
using enum Activation;

TEST(ShortConv, IsTheSumOverItsTaps) {
  const std::int64_t B = 2, T = 7, D = 5, taps = 3;
  const Tensor x = random_input(B, T, D, 1), w = random_input(1, D, taps, 2)[0],
               b = random_input(1, 1, D, 3)[0][0], before = random_input(B, taps - 1, D, 4);
  for (const Tensor& earlier : {Tensor(), before}) {
    const Tensor y = short_conv(kIdentity, x, w, b, earlier, nullptr);
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
          for (const bool definition : {true, false}) {
            std::vector<Tensor> in = {random_input(2, T, D, 1), random_input(1, D, taps, 2)[0]};
            if (all) {
              in.push_back(random_input(1, 1, D, 3)[0][0]);
              in.push_back(random_input(2, taps, D, 4).narrow(1, 0, taps - 1));
            }
            for (Tensor& x : in) x = x.clone().requires_grad_();
            const Tensor bias = all ? in[2] : Tensor(), before = all ? in[3] : Tensor();
            const Tensor y = definition ? short_conv_reference(kSilu, in[0], in[1], bias, before)
                                        : short_conv(kSilu, in[0], in[1], bias, before, nullptr);
            (y * random_input(2, T, D, 5)).sum().backward();
            std::vector<Tensor>& result = results[definition ? 0 : 1];
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
  const auto conv = [&](const Tensor& part, const Tensor& before) {
    return short_conv(kIdentity, part, w, {}, before, nullptr);
  };
  const Tensor whole = conv(x, {});
  const Tensor first = x.narrow(1, 0, 2), rest = x.narrow(1, 2, 7);
  const Tensor parts = at::cat({conv(first, {}), conv(rest, short_conv_state(first, 4))}, 1);
  EXPECT_TRUE(parts.equal(whole));
}

// In bfloat16 a CPU's sums are float32, a GPU's results bfloat16.
TEST(ShortConv, OnAGpuIsThatOfTheDefinition) {
  if (!nvrtc_missing().empty()) GTEST_SKIP() << nvrtc_missing();
  test::FakeGpu fake;
  const test::FakeTensors tensors{&fake};
  std::set<std::string> kernels;
  fake.counted = [&](const std::string& kernel, const ptx::Counts&) { kernels.insert(kernel); };
  for (const at::ScalarType type : {at::kFloat, at::kBFloat16})
    for (const bool all : {false, true})
      for (const std::int64_t taps : {1, 3, 4, 9}) {
        SCOPED_TRACE(c10::str(type, ", ", taps, " taps", all ? ", a bias and earlier rows" : ""));
        const std::int64_t T = 37, D = 12;
        const Tensor both = random_input(2, T, 2 * D, 1).to(type),
                     w = random_input(1, D, taps, 2)[0].to(at::kFloat),
                     b = all ? random_input(1, 1, D, 3)[0][0].to(at::kFloat) : Tensor(),
                     before = all ? random_input(2, taps, D, 4).narrow(1, 0, taps - 1).to(type)
                                  : Tensor(),
                     d_y = random_input(2, T, D, 5).to(type);
        const auto everything_of = [&](const GpuOrCpu& gpu, at::ScalarType computed) {
          Tensors in;
          for (const Tensor& given : {both, w, b, before})
            in.push_back(given.defined() ? given.detach().to(computed).requires_grad_() : given);
          const Tensor x = in[0].narrow(2, D, D);
          const Tensor y = gpu ? short_conv(kSilu, x, in[1].to(at::kFloat), in[2], in[3], gpu)
                               : short_conv_reference(kSilu, x, in[1], in[2], in[3]);
          (y * d_y.to(y.scalar_type())).sum().backward();
          Tensors results = {y.detach()};
          for (const Tensor& given : in)
            if (given.defined() && given.numel() > 0) results.push_back(given.grad());
          return results;
        };
        const Tensors got = everything_of(fake.gpu(), type),
                      expected = everything_of(nullptr, at::kDouble);
        EXPECT_EQ(got[0].scalar_type(), taps > kConvTaps ? at::kFloat : type);
        for (std::size_t n = 0; n < got.size(); ++n)
          EXPECT_LE((got[n] - expected[n]).abs().max().item<double>(),
                    (type == at::kFloat ? 2e-6 : 2e-2) * expected[n].abs().max().item<double>())
              << n;
      }
  EXPECT_EQ(kernels.size(), 2u * 2 * 3);  // directions, types, taps but for 9
  EXPECT_EQ(fake.findings(), "");
}

}  // namespace
}  // namespace lcsm
