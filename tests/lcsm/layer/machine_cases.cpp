#include "tests/lcsm/layer/machine_cases.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/logical_and.h>
#include <ATen/ops/zeros_like.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "lcsm/base/random.h"

namespace lcsm {
namespace {

at::Tensor normals(at::IntArrayRef shape, double reach, Random& random) {
  at::Tensor values = at::empty(shape, at::kDouble);
  double* const out = values.mutable_data_ptr<double>();
  for (std::int64_t n = 0; n < values.numel(); ++n) out[n] = reach * random.normal();
  return values;
}

std::vector<std::int64_t> shape_of(const Symbol& s, const Sizes& sizes, const CaseShape& shape) {
  std::vector<std::int64_t> of;
  if (stem_of(s).source == Source::kData) of = {shape.B, shape.T};
  if (over_k(s.axes)) of.push_back(sizes.k);
  if (over_d(s.axes)) of.push_back(sizes.d);
  return of;
}

// The inputs by `data`, and the state by `state`.
template <class Data, class State>
RecurrenceInputs each_of(const RecurrenceInputs& in, const Data& data, const State& state) {
  const auto by = [](const auto& f, const at::Tensor& x) { return x.defined() ? f(x) : x; };
  RecurrenceInputs all{by(data, in.i), by(data, in.e), by(data, in.s), {}, {}};
  all.s_imaginary = by(data, in.s_imaginary);
  all.log_decay = by(data, in.log_decay);
  for (const auto& [symbol, tensor] : in.symbols) all.symbols[symbol] = by(data, tensor);
  all.state = {by(state, in.state.m), by(state, in.state.log_sum)};
  return all;
}

}  // namespace

RecurrenceInputs random_inputs(const Variant& v, const CaseShape& shape, std::uint64_t seed,
                               at::ScalarType dtype) {
  Random random(seed);
  const std::int64_t B = shape.B, T = shape.T, K = v.sizes.k, D = v.sizes.d;
  const auto draw = [&](std::vector<std::int64_t> sizes, double reach) {
    return normals(sizes, reach, random).to(dtype);
  };
  const auto stage = [&](bool is_static) {
    return is_static ? draw({K, D}, 0.5) : draw({B, T, K}, 0.5);
  };
  RecurrenceInputs in;
  in.i = draw({B, T, D}, 1);
  in.e = stage(v.e_static());
  in.s = stage(v.s_static());
  if (v.s_static() && v.is_complex() && !v.has_unit_stages()) in.s_imaginary = stage(true);
  if (v.oscillation.matrix)  // I - u v^T stays near a contraction, so nothing grows over time
    in.e = in.e / (in.e.norm(2, -1, true) + 0.5);
  for (const Symbol& s : given_symbols(v))
    in.symbols[s] = stem_of(s).source == Source::kFixed
                        ? fixed_tensor(s, v.sizes, dtype)
                        : draw(shape_of(s, v.sizes, shape), shape.reach);
  if (v.oscillation.matrix)
    for (auto& [s, p] : in.symbols)
      if (over_k(s.axes)) p = p / (p.norm(2, -1, true) + 0.5);
  if (shape.continues) {
    const at::ScalarType sums = state_dtype(dtype);
    in.state.m = normals({B, v.gate.angle ? 2 * K : K, D}, 1, random).to(sums);
    if (v.gate.cumulative) {
      const Type type = type_of(v.gate.cumulative);
      std::vector<std::int64_t> of{B};
      if (type.k || type.d) of.push_back(type.k ? K : D);
      in.state.log_sum = normals(of, 1, random).to(sums);
    }
  }
  return in;
}

RecurrenceInputs moved(const RecurrenceInputs& in, const at::TensorOptions& to) {
  const auto sums = to.dtype(state_dtype(c10::typeMetaToScalarType(to.dtype())));
  return each_of(
      in, [&](const at::Tensor& x) { return x.to(to); },
      [&](const at::Tensor& x) { return x.to(sums); });
}

RecurrenceInputs at_odd_places(const RecurrenceInputs& in) {
  const auto odd = [](const at::Tensor& x) {
    return at::empty({x.numel() + 1}, x.options()).narrow(0, 1, x.numel()).view(x.sizes()).copy_(x);
  };
  return each_of(in, odd, odd);
}

std::map<std::string, at::Tensor> everything(const Variant& v, const RecurrenceInputs& inputs,
                                             const On& on) {
  RecurrenceInputs in;
  std::map<std::string, at::Tensor> leaves;
  const auto leaf = [&](const std::string& name, const at::Tensor& tensor) {
    return tensor.defined() ? leaves[name] = tensor.detach().requires_grad_() : tensor;
  };
  in.i = leaf("d i", inputs.i);
  in.e = leaf("d e", inputs.e);
  in.s = leaf("d s", inputs.s);
  in.s_imaginary = leaf("d s_imaginary", inputs.s_imaginary);
  in.log_decay = leaf("d log_decay", inputs.log_decay);
  for (const auto& [s, tensor] : inputs.symbols)
    in.symbols[s] =
        stem_of(s).source == Source::kFixed ? tensor : leaf("d " + to_string(s), tensor);
  in.state = {leaf("d state.m", inputs.state.m), leaf("d state.log_sum", inputs.state.log_sum)};

  const RecurrenceResult r = Recurrence(v)(in, on);
  Random random(99);
  const auto weights = [&](const at::Tensor& of) {
    return normals(of.sizes(), 1, random).to(of.device());
  };
  // A gradient of y that bfloat16 holds: its rounding would be summed over all steps.
  const at::Tensor of_y = weights(r.y).to(at::kBFloat16).to(at::kDouble);
  at::Tensor loss =
      (r.y.to(at::kDouble) * of_y).sum() + (r.state.m.to(at::kDouble) * weights(r.state.m)).sum();
  std::map<std::string, at::Tensor> all{{"y", r.y.detach()}, {"state.m", r.state.m.detach()}};
  if (r.state.log_sum.defined()) {
    loss = loss + (r.state.log_sum.to(at::kDouble) * weights(r.state.log_sum)).sum();
    all["state.log_sum"] = r.state.log_sum.detach();
  }
  std::vector<at::Tensor> wanted;
  for (const auto& [name, tensor] : leaves) wanted.push_back(tensor);
  const auto gradients = torch::autograd::grad({loss}, wanted, {}, false, false, true);
  std::size_t n = 0;
  for (const auto& [name, tensor] : leaves) {
    all[name] = gradients[n].defined() ? gradients[n] : at::zeros_like(tensor);
    ++n;
  }
  for (auto& [name, tensor] : all) tensor = tensor.cpu();
  return all;
}

void expect_near(const std::map<std::string, at::Tensor>& got,
                 const std::map<std::string, at::Tensor>& expected, double tolerance,
                 double floor) {
  ASSERT_EQ(got.size(), expected.size());
  for (const auto& [name, value] : expected) {
    const at::Tensor theirs = value.to(at::kDouble), ours = got.at(name).to(at::kDouble);
    ASSERT_EQ(ours.sizes(), theirs.sizes()) << name;
    const double most = theirs.abs().max().item<double>();
    const double off = (ours - theirs).abs().max().item<double>();
    EXPECT_TRUE(off <= tolerance * most + floor)
        << name << ": off by " << off << ", " << off / most << " of the largest magnitude " << most;
  }
}

void expect_alike(const std::map<std::string, at::Tensor>& got,
                  const std::map<std::string, at::Tensor>& expected, double tolerance,
                  double floor) {
  expect_near(got, expected, tolerance, floor);
  for (const auto& [name, value] : expected) {
    if (!name.starts_with("d ")) continue;
    EXPECT_FALSE(at::logical_and(value == 0, got.at(name) != 0).any().item<bool>())
        << name << " is not 0 where it should be";
  }
}

}  // namespace lcsm
