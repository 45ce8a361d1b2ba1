#include "lcsm/machines/wkv.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/stack.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <functional>

#include "tests/lcsm/layer/fake_tensors.h"
#include "tests/lcsm/layer/layer_cases.h"

namespace lcsm {
namespace {

using at::Tensor;

WkvResult on_cpu(const WkvInputs& in) { return wkv(in); }

double off(const Tensor& got, const Tensor& expected) {
  return (got.to(at::kDouble) - expected).abs().max().item<double>() /
         std::max(expected.abs().max().item<double>(), 1e-12);
}

Tensor row(std::int64_t d, std::uint64_t seed) { return random_input(1, 1, d, seed)[0][0]; }

struct WkvCase {
  std::int64_t T, D;
  bool continues;
  double size;  // of the keys
};

WkvInputs wkv_inputs(const WkvCase& c) {
  WkvInputs in{random_input(2, c.T, c.D, 1) * c.size,
               random_input(2, c.T, c.D, 2),
               at::exp(row(c.D, 3)),
               row(c.D, 4),
               {},
               {}};
  if (c.continues) {
    in.mean = random_input(2, 1, c.D, 5).squeeze(1);
    in.log_sum = random_input(2, 1, c.D, 6).squeeze(1);
  }
  return in;
}

std::vector<Tensor> values_and_gradients(const std::function<WkvResult(const WkvInputs&)>& machine,
                                         WkvInputs in) {
  std::vector<Tensor> leaves;
  for (Tensor* x : {&in.k, &in.v, &in.w, &in.u, &in.mean, &in.log_sum})
    if (x->defined()) leaves.push_back(*x = x->detach().clone().requires_grad_());
  const WkvResult result = machine(in);
  const Tensor sum = (result.y * random_input(2, in.k.size(1), in.k.size(2), 7)).sum() +
                     result.mean.to(at::kDouble).square().sum() +
                     result.log_sum.to(at::kDouble).sin().sum();
  std::vector<Tensor> all = torch::autograd::grad({sum}, leaves);
  all.insert(all.begin(), {result.y, result.mean, result.log_sum});
  return all;
}

TEST(Wkv, IsTheDefinition) {
  for (const WkvCase& c :
       {WkvCase{1, 3, false, 1}, WkvCase{33, 19, false, 1}, WkvCase{33, 8, true, 1},
        WkvCase{40, 5, true, 300}, WkvCase{40, 5, false, 300}}) {
    SCOPED_TRACE(c.T * 1000 + c.D);
    const auto got = values_and_gradients(on_cpu, wkv_inputs(c)),
               expected = values_and_gradients(wkv_reference, wkv_inputs(c));
    for (std::size_t n = 0; n < got.size(); ++n) EXPECT_LE(off(got[n], expected[n]), 1e-11) << n;
  }
}

// k and v in a type, all else in float64 or float32.
WkvInputs typed(WkvInputs in, at::ScalarType type) {
  for (Tensor* x : {&in.k, &in.v}) *x = x->to(type);
  for (Tensor* x : {&in.w, &in.u, &in.mean, &in.log_sum})
    if (x->defined()) *x = x->to(type == at::kDouble ? at::kDouble : at::kFloat);
  return in;
}

// On the CPU (0 processors), and behind a fake driver with one block for all steps and with
// several.
TEST(Wkv, IsTheSameInOtherTypesAndOnAGpu) {
  if (!nvrtc_missing().empty()) GTEST_SKIP() << nvrtc_missing();
  test::FakeGpu fake;
  const test::FakeTensors tensors(&fake);
  for (const auto& [type, tolerance] : {std::pair{at::kFloat, 1e-5}, {at::kBFloat16, 2e-2}})
    for (const int processors : {0, 1, 20}) {
      const WkvInputs in = typed(wkv_inputs({300, 5, processors > 1, 1}), type);
      const auto expected = values_and_gradients(on_cpu, typed(in, at::kDouble));
      fake.processors = processors;
      const GpuOrCpu gpu = processors > 0 ? fake.gpu() : nullptr;
      const auto got = values_and_gradients([&](const WkvInputs& of) { return wkv(of, gpu); }, in);
      for (std::size_t n = 0; n < got.size(); ++n)
        EXPECT_LE(off(got[n], expected[n]), tolerance) << n;
      EXPECT_EQ(got[0].scalar_type(), type);
    }
  EXPECT_EQ(fake.findings(), "");
  EXPECT_EQ(fake.launches(), 2 * (1 + 2 + 2 + 3));
}

TEST(Wkv, WithoutGradientsIsOneLaunch) {
  if (!nvrtc_missing().empty()) GTEST_SKIP() << nvrtc_missing();
  test::FakeGpu fake;
  const test::FakeTensors tensors(&fake);
  const at::NoGradGuard raw;
  const WkvInputs in = wkv_inputs({9, 4, false, 1});
  const Tensor y = wkv(in).y;
  const GpuOrCpu gpu = fake.gpu();
  EXPECT_LE(off(wkv(typed(in, at::kFloat), gpu).y, y), 1e-6);
  EXPECT_EQ(fake.launches(), 1);
  EXPECT_EQ(fake.findings(), "");
  EXPECT_THROW(wkv(in, gpu), std::invalid_argument);
}

TEST(Wkv, IsTheFractionOfSums) {
  const WkvInputs in = wkv_inputs({9, 4, false, 1});
  std::vector<Tensor> y;
  for (std::int64_t t = 0; t < 9; ++t) {
    const Tensor present = at::exp(in.u + in.k.select(1, t));
    Tensor above = present * in.v.select(1, t), below = present;
    for (std::int64_t i = 0; i < t; ++i) {
      const Tensor weight = at::exp(in.k.select(1, i) - static_cast<double>(t - 1 - i) * in.w);
      above = above + weight * in.v.select(1, i);
      below = below + weight;
    }
    y.push_back(above / below);
  }
  EXPECT_LE(off(wkv(in).y, at::stack(y, 1)), 1e-13);
}

TEST(Wkv, Float32StaysNearAfterManySteps) {
  WkvInputs in = wkv_inputs({20000, 4, false, 1});
  in.w = in.w * 1e-3;
  const Tensor y = wkv(in).y;
  WkvInputs single = in;
  for (Tensor* x : {&single.k, &single.v, &single.w, &single.u}) *x = x->to(at::kFloat);
  EXPECT_LE((wkv(single).y.to(at::kDouble) - y).abs().max().item<double>(), 1e-4);
}

}  // namespace
}  // namespace lcsm
