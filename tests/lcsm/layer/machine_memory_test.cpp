// Checks that no machine stores anything over time, k and d together.
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "lcsm/measure/peak_memory.h"
#include "tests/lcsm/layer/layer_cases.h"
#include "tests/lcsm/layer/machine_cases.h"

namespace lcsm {
namespace {

struct Usage {
  std::int64_t peak = 0, given = 0;  // given: inputs and output, once
};

// Sixteen random steps, repeated.
at::Tensor repeated(const at::Tensor& drawn, std::int64_t times) {
  return drawn.dim() == 3 ? drawn.repeat({1, times, 1}) : drawn.repeat({1, times});
}

RecurrenceInputs long_inputs(const Variant& v, std::int64_t B, std::int64_t T) {
  RecurrenceInputs in = random_inputs(v, {.B = B, .T = 16}, 12, at::kFloat);
  in.i = repeated(in.i, T / 16);
  if (!v.e_static()) in.e = repeated(in.e, T / 16);
  if (!v.s_static()) in.s = repeated(in.s, T / 16);
  for (auto& [s, tensor] : in.symbols)
    if (stem_of(s).source == Source::kData) tensor = repeated(tensor, T / 16);
  return in;
}

Usage usage_of(const Variant& v, std::int64_t B, std::int64_t T) {
  RecurrenceInputs in = long_inputs(v, B, T);
  const at::Tensor d_y = in.i.clone();
  std::vector<at::Tensor> wanted{in.i, in.e, in.s};
  for (const auto& [s, tensor] : in.symbols)
    if (stem_of(s).source != Source::kFixed) wanted.push_back(tensor);
  Usage usage{0, static_cast<std::int64_t>(d_y.nbytes())};
  for (at::Tensor& tensor : wanted) {
    tensor.requires_grad_();
    usage.given += static_cast<std::int64_t>(tensor.nbytes());
  }
  const PeakMemory memory;
  const at::Tensor y = Recurrence(v)(in, Backend::kMachine).y;
  torch::autograd::grad({y}, wanted, {d_y}, false, false, true);
  usage.peak = memory.peak();
  return usage;
}

}  // namespace

// y and the gradients take as much memory as the inputs; the parts of a gate, tables of decays and
// memories before blocks some times more. [B, T, k, d] would be at least 16 times as much. The
// number of threads is fixed, since each thread inside a sequence has its own sums over channels.
TEST(MachineMemory, StaysWithinEightTimesInputsAndOutputs) {
  const Threads four(4);
  const Catalogue catalogue;
  for (const std::string& code : row_codes()) {
    const Variant v = make_variant(parse_code(code, catalogue), catalogue, {64, 64});
    const Usage usage = usage_of(v, 2, 4096);
    EXPECT_LE(usage.peak, 8 * usage.given)
        << code << ": " << static_cast<double>(usage.peak) / static_cast<double>(usage.given);
  }
}

}  // namespace lcsm
