#include "runner/train/bench/bench_eos_case.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/randn.h>
#include <fmt/format.h>

#include <cmath>

#include "lcsm/layer/layer.h"
#include "runner/train/bench/bench_peers.h"

namespace runner {

using at::Tensor;

namespace {

std::string_view stem(const lcsm::Symbol& s) { return lcsm::stem_of(s).name; }

class CaseMaker {
 public:
  CaseMaker(const lcsm::Variant& v, const BenchShape& shape, at::TensorOptions options,
            lcsm::GpuOrCpu gpu)
      : v_(v),
        B_(shape.B),
        T_(shape.T),
        options_(options),
        gpu_(std::move(gpu)),
        weights_(first_weights(v)) {}

  BenchCase make() {
    const std::int64_t K = v_.sizes.k, D = v_.sizes.d;
    lcsm::RecurrenceInputs& in = case_.inputs;
    in.i = put("i", normal({B_, T_, D}));
    in.e = put("e", v_.e_static() ? normal({K, D}) : keys());
    in.s = put("s", v_.s_static() ? normal({K, D}) : normal({B_, T_, K}) / std::sqrt(K));
    for (const lcsm::Symbol& s : lcsm::given_symbols(v_)) in.symbols[s] = value(s);
    case_.d_y = normal({B_, T_, D}).to(options_);
    return case_;
  }

 private:
  // Uses the gate's tensors only, no projections.
  static lcsm::Weights first_weights(const lcsm::Variant& v) {
    const at::NoGradGuard none;
    return lcsm::initial_weights(v, 1, at::kDouble);
  }

  Tensor normal(at::IntArrayRef shape) { return at::randn(shape, generator_, at::kDouble); }

  // Keys of norm near 1: with a matrix I - u v^T the memory grows if u . v exceeds 2, and with a
  // gate that uses e, if e leaves [0, 1].
  Tensor keys() {
    const Tensor e = normal({B_, T_, v_.sizes.k});
    if (v_.oscillation.matrix) return e / e.norm(2, {2}, true);
    for (const lcsm::Symbol& s : lcsm::gate_symbols(v_))
      if (stem(s) == "e") return e.abs().div(std::sqrt(v_.sizes.k)).clamp_max(1);
    return e / std::sqrt(v_.sizes.k);
  }

  Tensor value(const lcsm::Symbol& s) {
    const std::string name = lcsm::to_string(s);
    if (lcsm::stem_of(s).source == lcsm::Source::kFixed)
      return lcsm::fixed_tensor(s, v_.sizes, options_, gpu_);
    if (lcsm::stem_of(s).source == lcsm::Source::kLearned)
      return put(name, weights_.at("oscillation." + name));
    if (v_.oscillation.matrix && lcsm::over_k(s.axes))  // erases nearly along the key it writes
      return put(name, case_.inputs.e.detach().to(at::kCPU, at::kDouble) +
                           normal({B_, T_, v_.sizes.k}) / (10 * std::sqrt(v_.sizes.k)));
    if (lcsm::over_k(s.axes)) return put(name, normal({B_, T_, v_.sizes.k}));
    return put(name, lcsm::over_d(s.axes) ? normal({B_, T_, v_.sizes.d}) : normal({B_, T_}));
  }

  Tensor put(const std::string& name, const Tensor& value) {
    case_.names.push_back(name);
    case_.leaves.push_back(value.detach().to(options_).clone().requires_grad_());
    return case_.leaves.back();
  }

  const lcsm::Variant& v_;
  const std::int64_t B_, T_;
  const at::TensorOptions options_;
  const lcsm::GpuOrCpu gpu_;
  const lcsm::Weights weights_;
  at::Generator generator_ = at::make_generator<at::CPUGeneratorImpl>(1);
  BenchCase case_;
};

}  // namespace

std::int64_t BenchCase::bytes() const {
  std::int64_t bytes = static_cast<std::int64_t>(d_y.nbytes() + inputs.i.nbytes() +
                                                 inputs.e.nbytes() + inputs.s.nbytes());
  for (const auto& [symbol, tensor] : inputs.symbols)
    bytes += static_cast<std::int64_t>(tensor.nbytes());
  return bytes;
}

BenchCase make_case(const lcsm::Variant& variant, const BenchShape& shape, at::ScalarType dtype,
                    const ComputeDevice& device) {
  return CaseMaker(variant, shape, at::TensorOptions(dtype).device(device.memory), device.gpu)
      .make();
}

// Summing over T, K and D in a different order changes float32 results by 1e-6 of their norm; the
// summed logarithms of a running softmax and the summed angles of a rotation by 3e-5 at T = 1024,
// and more for longer T. bfloat16 rounds results and the operands of products on the way to 8 bits,
// a relative error of at most 2^-8, on both sides.
ContestRules eos_rules(const std::string& code, const BenchShape& shape, at::ScalarType dtype,
                       double budget) {
  const double tolerance = dtype == at::kDouble ? 1e-9 : dtype == at::kFloat ? 1e-3 : 8e-3;
  return {fmt::format("bench eos: {} at {},{},{},{} in {}", code, shape.B, shape.T, shape.sizes.d,
                      shape.sizes.k, c10::toString(dtype)),
          tolerance, "'lcsm-train apply' computes the definition", budget};
}

BenchResult bench_case(const std::string& code, const lcsm::Variant& variant,
                       const BenchShape& shape, at::ScalarType dtype, double budget,
                       const ComputeDevice& device, bool alone) {
  const BenchCase of = make_case(variant, shape, dtype, device);
  const lcsm::Recurrence ours(variant);
  std::vector<Entrant> entrants = {{"ours", [&] { return ours(of.inputs, device.gpu).y; }}};
  if (!alone)
    entrants.push_back({"loop", [&] { return loop_over_time(variant, of.inputs); },
                        loop_refusal(variant, of.inputs)});
  return {code, shape, of.bytes(),
          contest(entrants, of, eos_rules(code, shape, dtype, budget), device)};
}

}  // namespace runner
