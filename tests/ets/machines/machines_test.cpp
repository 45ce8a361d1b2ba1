// Compares every family's fast machine with the definition, and the definition with itself: cut
// into steps, and padded.
#include "ets/machines/machines.h"

#include <ATen/TensorOperators.h>
#include <ATen/autocast_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <array>
#include <map>
#include <set>

#include "tests/ets/layer/family_cases.h"
#include "tests/ets/layer/official_cases.h"
#include "tests/lcsm/layer/layer_cases.h"
#include "tests/message_of.h"

namespace ets {
namespace {

using at::Tensor;

struct Outcome {
  Tensor output;
  std::map<std::string, Tensor> gradients;
};

Outcome run(const lcsm::Block& v, const lcsm::Weights& weights, const Tensor& x,
            FilterMachine machine) {
  const Tensor output = layer_forward(v, weights, x, {}, machine).output;
  std::vector<Tensor> asked = {x};
  for (const auto& [name, tensor] : weights) asked.push_back(tensor);
  const Tensor d = lcsm::random_input(x.size(0), x.size(1), x.size(2), 9);
  const auto gradients = torch::autograd::grad({output}, asked, {d}, false, false, true);
  Outcome outcome{output.detach(), {{"input", gradients[0]}}};
  std::size_t n = 1;
  for (const auto& [name, tensor] : weights) outcome.gradients[name] = gradients[n++];
  return outcome;
}

// A gradient that vanishes (of one step, normalized) is rounding of the others.
void expect_gradients(const Outcome& got, const Outcome& expected) {
  double largest = 0;
  for (const auto& [name, gradient] : expected.gradients)
    largest = std::max(largest, gradient.abs().max().item<double>());
  for (const auto& [name, gradient] : expected.gradients) {
    const double scale = std::max(gradient.abs().max().item<double>(), 1e-6 * largest);
    EXPECT_LE((got.gradients.at(name) - gradient).abs().max().item<double>(), 1e-9 * scale) << name;
  }
}

// True if a family carries a state, that is, if the definition returns one after one step.
bool defines_a_state(const lcsm::Block& v, const lcsm::Weights& weights) {
  const Tensor x = lcsm::random_input(1, 1, v.d, 1);
  return !layer_forward(v, weights, x, {.backend = lcsm::Backend::kReference}).state.empty();
}

}  // namespace

// Sums in another order, over up to 1000 steps, of terms that cancel in part. Lengths around the
// block sizes of machines; a thousand steps, of which the definition takes most of the time, of the
// first form of each family. Whatever takes a family is compared.
TEST(Machines, AgreeWithTheDefinition) {
  const lcsm::Threads one(1);
  std::map<FilterMachine, int> compared;
  std::set<std::string> families;
  for (const FamilyCase& c : family_cases()) {
    const std::int64_t longest = families.insert(c.family).second ? 1000 : 200;
    for (const std::int64_t T : std::array<std::int64_t, 7>{1, 2, 7, 63, 64, 65, longest}) {
      const lcsm::Block v = c.variant();
      const lcsm::Weights weights = weights_of(v);
      const Tensor x = lcsm::random_input(2, T, v.d, 3).requires_grad_();
      const Outcome expected = run(v, weights, x, FilterMachine::kReference);
      for (const FilterMachineRow& row : machine_rows()) {
        SCOPED_TRACE(c10::str(c.name(), " T=", T, " by ", row.name));
        Outcome got;
        try {
          got = run(v, weights, x, row.machine);
        } catch (const std::invalid_argument&) {
          EXPECT_NE(row.machine, FilterMachine::kFastest);
          continue;
        }
        ++compared[row.machine];
        EXPECT_LE(relative_error(got.output, expected.output), 1e-10);
        expect_gradients(got, expected);
      }
    }
  }
  for (const FilterMachineRow& row : machine_rows())
    EXPECT_GT(compared[row.machine], 20) << row.name;
}

// Products round to 3 digits; machines may round what they read, not what they add.
TEST(Machines, UnderAutocastAreNearTheDefinition) {
  const lcsm::Threads one(1);
  for (const FamilyCase& c : family_cases())
    for (const std::int64_t T : {12, 200}) {
      SCOPED_TRACE(c10::str(c.name(), " T=", T));
      const lcsm::Block v = c.variant();
      const lcsm::Weights exact = weights_of(v);
      lcsm::Weights weights;
      for (const auto& [name, tensor] : exact)
        weights[name] = tensor.detach().to(at::kFloat).requires_grad_();
      const Tensor x = lcsm::random_input(2, T, v.d, 3);
      const Tensor expected = layer_forward(v, exact, x, {}, FilterMachine::kReference).output;
      at::autocast::set_autocast_enabled(at::kCPU, true);
      at::autocast::set_autocast_dtype(at::kCPU, at::kBFloat16);
      Tensor got;
      EXPECT_NO_THROW(
          got = layer_forward(v, weights, x.to(at::kFloat), {}, FilterMachine::kFastest).output);
      at::autocast::set_autocast_enabled(at::kCPU, false);
      at::autocast::clear_cache();
      if (!got.defined()) continue;
      EXPECT_LE(relative_error(got.to(at::kDouble), expected), 6e-2);
      got.sum().backward();
      for (const auto& [name, tensor] : weights) {
        EXPECT_TRUE(!tensor.grad().defined() || tensor.grad().isfinite().all().item<bool>())
            << name;
      }
    }
}

TEST(Machines, RefuseWhatTheyCannotCompute) {
  const auto refusal = [](const std::string& family, FilterMachine machine) {
    const lcsm::Block v = FamilyCase{family, {}}.variant();
    return message_of<std::invalid_argument>(
        [&] { layer_forward(v, weights_of(v), lcsm::random_input(1, 3, v.d, 1), {}, machine); });
  };
  EXPECT_EQ(refusal("s4", FilterMachine::kModes),
            "machine 'modes': expected a sum of modes, got a free kernel; use 'cpu', which "
            "chooses");
  EXPECT_EQ(refusal("s5", FilterMachine::kFft),
            "machine 'fft': expected one kernel per channel, got modes that all channels share, "
            "which have no kernel per channel; use 'cpu', which chooses");
  EXPECT_EQ(refusal("s4", FilterMachine::kFft), "");
}

// Nothing is subtracted for modes that have died out when their kernel ends; slow modes are
// subtracted.
TEST(Machines, SubtractOnlyWhatLastsBeyondTheKernelsEnd) {
  for (const double decay : {-0.1, -4.0}) {
    const Tensor log_decay = at::full({1, 3, 2}, decay, at::kDouble);
    Filter filter;
    filter.kernel = Modes{log_decay, {}, at::ones({1, 3, 2}, at::kDouble), {}, {}};
    filter.truncation = 16;
    EXPECT_EQ(lasting_modes(filter, 64), decay == -4.0 ? 0 : 2);
    EXPECT_EQ(lasting_modes(filter, 16), 0);
    const Tensor x = lcsm::random_input(1, 64, 3, 8);
    const Tensor expected = filtered_reference(filter, x).y;
    EXPECT_LE(relative_error(filtered_by_modes(filter, x).y, expected), 1e-13);
  }
}

TEST(Machines, RunStepByStepAsAtOnce) {
  const lcsm::Threads one(1);
  int carried = 0;
  for (const FamilyCase& c : family_cases()) {
    const lcsm::Block v = c.variant();
    const lcsm::Weights weights = weights_of(v);
    SCOPED_TRACE(c.name());
    const Tensor x = lcsm::random_input(2, 20, v.d, 4);
    const Tensor whole = layer_forward(v, weights, x).output;
    const bool carries = defines_a_state(v, weights);
    carried += carries ? 1 : 0;
    for (const bool by_definition : {true, false}) {
      lcsm::BlockState state;
      std::vector<Tensor> pieces;
      std::int64_t begin = 0;
      for (const std::int64_t length : {7, 1, 1, 1, 1, 1, 8}) {
        // The first piece has no state to start from.
        const bool dense = begin == 0 && by_definition;
        lcsm::BlockResult piece =
            layer_forward(v, weights, x.narrow(1, begin, length),
                          {.state = state,
                           .wants_state = true,
                           .backend = dense ? lcsm::Backend::kReference : lcsm::Backend::kMachine});
        ASSERT_EQ(!piece.state.empty(), carries);
        if (!carries) break;
        pieces.push_back(piece.output);
        state = piece.state;
        begin += length;
      }
      if (carries) {
        EXPECT_LE(relative_error(at::cat(pieces, 1), whole), 1e-11);
      }
    }
  }
  EXPECT_EQ(carried, 30);
}

// Values at padded positions make no difference elsewhere, and padding at the end acts as if it
// were not there (for softmax and S4 without a length, the kernel depends on the length itself).
TEST(Machines, LetPaddedPositionsContributeNothing) {
  const lcsm::Threads one(1);
  for (const FamilyCase& c : family_cases())
    for (const FilterMachine machine : {FilterMachine::kReference, FilterMachine::kFastest}) {
      SCOPED_TRACE(c.name());
      const lcsm::Block v = c.variant();
      const lcsm::Weights weights = weights_of(v);
      const Tensor x = lcsm::random_input(1, 10, v.d, 5), other = x.clone();
      other.narrow(1, 7, 3).fill_(100);
      const Tensor padding = at::zeros({1, 10}, at::kBool);
      padding.narrow(1, 7, 3).fill_(true);
      const auto seen = [&](const Tensor& input, const Tensor& pads) {
        return layer_forward(v, weights, input, {.padding = pads}, machine).output.narrow(1, 0, 7);
      };
      EXPECT_TRUE(at::equal(seen(x, padding), seen(other, padding)));
      const bool of_length =
          c.family == "dss" || c.family == "s4" || c.name().find("=dss") != std::string::npos;
      if (!of_length) {
        EXPECT_LE(relative_error(seen(x, padding), seen(x.narrow(1, 0, 7), {})), 1e-12);
      }
    }
}

TEST(Machines, RefuseAStateThatDoesNotFit) {
  const lcsm::Block v = FamilyCase{"ces", {}}.variant(),
                    both = FamilyCase{"ces", {"bidirectional=true"}}.variant();
  const Tensor x = lcsm::random_input(1, 3, 4, 1);
  const auto refusal = [&](const lcsm::Block& variant, const lcsm::BlockState& state) {
    return message_of<std::invalid_argument>(
        [&] { layer_forward(variant, weights_of(variant), x, {.state = state}); });
  };
  const Tensor fits = at::zeros({1, 4, 1, 2}, at::kDouble);
  EXPECT_EQ(refusal(v, {{"modes", fits}}), "");
  EXPECT_EQ(refusal(v, {{"modes", fits[0]}}),
            "state 'modes': expected shape [1, 4, 1, 2], got [4, 1, 2]");
  EXPECT_EQ(refusal(v, {{"mode", fits}}), "state 'mode': this layer carries no such state");
  EXPECT_EQ(refusal(both, {{"modes", fits}}),
            "state 'modes': this layer carries no such state (nor any other)");
}

}  // namespace ets
