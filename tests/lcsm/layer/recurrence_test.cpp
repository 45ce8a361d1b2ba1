// The definition itself: closed forms, identities, and every gradient of every row.
#include "lcsm/layer/recurrence.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "lcsm/layer/layer.h"
#include "tests/lcsm/layer/layer_cases.h"
#include "tests/message_of.h"

namespace lcsm {

using at::Tensor;

TEST(Recurrence, OfOnesIsACumulativeSum) {
  const Variant v = small_variant("1-10-1-0");
  const Tensor i = at::ones({1, 4, v.sizes.d}, at::kDouble);
  const Tensor e = at::ones({1, 4, v.sizes.k}, at::kDouble);
  const RecurrenceResult r = recurrence_reference(v, {i, e, e, {}, {}});
  EXPECT_TRUE(at::equal(r.y, at::cumsum(i, 1) * v.sizes.k));
  EXPECT_TRUE(at::equal(r.state.m, at::ones_like(r.state.m) * 4));
}

TEST(Recurrence, NamesWhatIsWrongWithItsInputs) {
  const Variant v = small_variant("1-3-1-0");
  const Tensor i = at::ones({2, 4, v.sizes.d}, at::kDouble);
  const Tensor e = at::ones({2, 4, v.sizes.k}, at::kDouble);
  const auto error_of = [&](const RecurrenceInputs& in) {
    return message_of<std::invalid_argument>([&] { recurrence_reference(v, in); });
  };
  EXPECT_NE(error_of({i, e, e, {}, {}}).find("expected 'p_k' [2, 4, 3], got none"),
            std::string::npos);
  EXPECT_NE(error_of({i, i, e, {}, {}}).find("expected 'e' [2, 4, 3], got [2, 4, 5]"),
            std::string::npos);
  EXPECT_NE(error_of({i, e.to(at::kFloat), e, {}, {}}).find("dtype"), std::string::npos);
}

void expect_no_future(const Variant& v, Backend backend) {
  const Weights w = initial_weights(v, 1, at::kDouble);
  const Tensor x = random_input(2, 9, v.sizes.d, 2);
  Tensor changed = x.clone();
  changed.select(1, 6).add_(1.0);
  const Tensor before = Layer(v)(w, x, {}, backend).output;
  const Tensor after = Layer(v)(w, changed, {}, backend).output;
  EXPECT_TRUE(at::equal(before.narrow(1, 0, 6), after.narrow(1, 0, 6)));
  EXPECT_FALSE(at::equal(before.narrow(1, 6, 3), after.narrow(1, 6, 3)));
}

void expect_steps_are_the_sequence(const Variant& v, Backend backend) {
  const Weights w = initial_weights(v, 1, at::kDouble);
  const Tensor x = random_input(2, 7, v.sizes.d, 3);
  const LayerResult whole = Layer(v)(w, x, {}, backend);
  State state;
  for (int t = 0; t < 7; ++t) {
    const LayerResult step = Layer(v)(w, x.narrow(1, t, 1), state, backend);
    // The operations are equal, except that sums are blocked by their length.
    EXPECT_TRUE(at::allclose(step.output, whole.output.narrow(1, t, 1), 1e-13, 1e-13)) << t;
    state = step.state;
  }
  EXPECT_TRUE(at::allclose(state.m, whole.state.m, 1e-13, 1e-13));
}

// Central differences in float64: the error is about h^2 times the third derivative, and 1e-16 / h.
// At h = 1e-5 both are near 1e-10 where derivatives are near 1; 2e-7 holds up to those near 1e3.
void expect_every_gradient(const Variant& v, Backend backend) {
  Weights w = initial_weights(v, 4, at::kDouble);
  std::map<std::string, Tensor> inputs;
  for (const auto& [name, tensor] : w)
    if (tensor.requires_grad()) inputs[name] = tensor;
  Tensor x = random_input(2, 4, v.sizes.d, 5).requires_grad_();
  inputs["input"] = x;
  State state = Layer(v)(w, random_input(2, 3, v.sizes.d, 6)).state;
  // A memory of size 1, since where y is near 0 its norm bends within h.
  state.m = random_input(2, state.m.size(1), v.sizes.d, 8).requires_grad_();
  inputs["state"] = state.m;
  if (state.log_sum.defined())
    inputs["state.log_sum"] = state.log_sum = state.log_sum.detach().requires_grad_();
  const Tensor weight = random_input(2, 4, v.sizes.d, 7);
  const auto loss = [&] {
    const LayerResult r = Layer(v)(w, x, state, backend);
    return (r.output * weight).sum() + r.state.m.square().sum();
  };
  expect_gradients(loss, inputs, 1e-5, 2e-7);
}

// One test for all codes: starting LibTorch takes longer than a code does.
void for_every_code(void (*expect)(const Variant&, Backend)) {
  const Threads one(1);
  for (const std::string& code : row_codes())
    for (const Backend backend : {Backend::kReference, Backend::kMachine}) {
      SCOPED_TRACE(code +
                   (backend == Backend::kMachine ? " by its machine" : " by the definition"));
      expect(small_variant(code), backend);
    }
}

TEST(Recurrence, SeesNoFuture) { for_every_code(expect_no_future); }
TEST(Recurrence, OneStepAtATimeIsTheWholeSequence) {
  for_every_code(expect_steps_are_the_sequence);
}
TEST(Recurrence, EveryGradientMatchesFiniteDifferences) { for_every_code(expect_every_gradient); }

}  // namespace lcsm
