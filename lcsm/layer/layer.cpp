#include "lcsm/layer/layer.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/scalar_tensor.h>

#include <algorithm>
#include <stdexcept>

#include "lcsm/base/nearest.h"
#include "lcsm/base/random.h"
#include "lcsm/code/tables.h"
#include "lcsm/tensors/product.h"
#include "lcsm/tensors/tensor_formula.h"

namespace lcsm {
namespace {

using at::Tensor;

at::TensorOptions wide_options(const Tensor& x) {
  return x.options().dtype(state_dtype(x.scalar_type()));
}

// e or s: [B, T, K], or static [K, D].
Tensor stage(const Variant& v, const Weights& weights, const std::string& name, bool is_static,
             const Tensor& x) {
  if (is_static && v.has_unit_stages()) return at::ones({v.sizes.k, v.sizes.d}, wide_options(x));
  return activated(v.code.a, is_static ? weights.at(name + ".matrix") : project(weights, name, x));
}

Tensor symbol_value(const Variant& v, const Weights& weights, const Symbol& s, const Tensor& x,
                    const GpuOrCpu& gpu) {
  const std::string name = "oscillation." + to_string(s);
  const SymbolStem& stem = stem_of(s);
  if (stem.source != Source::kData) {
    const auto own = weights.find(name);
    return own != weights.end() ? own->second : fixed_tensor(s, v.sizes, wide_options(x), gpu);
  }
  const Tensor p = v.rank(s) > 0
                       ? project(weights, name + ".up", project(weights, name + ".down", x))
                       : project(weights, name, x);
  return s.axes == Axes::kNone && p.size(2) == 1 ? p.squeeze(2) : p;
}

}  // namespace

Tensor activated(int a, const Tensor& value) {
  if (a == 0) return value;
  static const std::vector<Expr> formulas = [] {
    std::vector<Expr> parsed;
    for (const ActivationRow& row : activation_rows())
      parsed.push_back(parse_formula(row.formula, FormulaUse::kActivation));
    return parsed;
  }();
  return evaluate_tensor(
      formulas[static_cast<std::size_t>(a)], [&](const Symbol&) { return value; }, value.options());
}

std::map<Symbol, Tensor> gate_values(const Variant& v, const std::vector<Symbol>& symbols,
                                     const Weights& weights, const Tensor& x, const GpuOrCpu& gpu) {
  std::map<Symbol, Tensor> values;
  for (const Symbol& s : symbols) values[s] = symbol_value(v, weights, s, x, gpu);
  return values;
}

Tensor project(const Weights& weights, const std::string& name, const Tensor& x) {
  const auto bias = weights.find(name + ".bias");
  return affine(x, weights.at(name + ".weight"), bias == weights.end() ? Tensor() : bias->second);
}

std::vector<std::string> projections_of(const Variant& variant) {
  std::vector<std::string> names;
  for (const lcsm::Parameter& tensor : tensors_of(variant))
    if (tensor.shape.size() == 2 && tensor.name.ends_with(".weight"))
      names.push_back(tensor.name.substr(0, tensor.name.size() - 7));
  return names;
}

void check_shapes(const std::string& who,
                  const std::map<std::string, std::vector<std::int64_t>>& shapes,
                  const Weights& weights, at::ScalarType dtype) {
  for (const auto& [name, tensor] : weights) {
    const auto refuse = [&, &name = name](const std::string& what) {
      throw std::invalid_argument(who + ": weight '" + name + "': " + what);
    };
    const auto shape = shapes.find(name);
    if (shape == shapes.end()) {
      std::vector<std::string> known;
      for (const auto& each : shapes) known.push_back(each.first);
      refuse("this layer has no weight of that name" + did_you_mean(name, known));
    }
    if (tensor.sizes() != at::IntArrayRef(shape->second))
      refuse("expected shape " + c10::str(at::IntArrayRef(shape->second)) + ", got " +
             c10::str(tensor.sizes()));
    if (tensor.scalar_type() != dtype)
      refuse(std::string("expected the input's dtype ") + at::toString(dtype) + ", got " +
             at::toString(tensor.scalar_type()));
  }
}

void check_weights(const Variant& variant, const Weights& weights, const Tensor& x) {
  std::map<std::string, std::vector<std::int64_t>> shapes;
  for (const lcsm::Parameter& tensor : tensors_of(variant)) {
    shapes[tensor.name] = tensor.shape;
    if (tensor.learned && !weights.contains(tensor.name))
      throw std::invalid_argument("layer: weight '" + tensor.name + "': expected it, got none");
  }
  for (const std::string& name : projections_of(variant))
    shapes[name + ".bias"] = {shapes.at(name + ".weight")[0]};
  check_shapes("layer", shapes, weights, x.scalar_type());
}

LayerResult Layer::operator()(const Weights& weights, const Tensor& x, const State& state,
                              const On& on) const {
  const Variant& v = recurrence_.variant();
  RecurrenceInputs in;
  in.i = project(weights, "input", x);
  in.e = stage(v, weights, "expand", v.e_static(), x);
  in.s = stage(v, weights, "shrink", v.s_static(), x);
  if (const auto found = weights.find("shrink.imaginary"); found != weights.end())
    in.s_imaginary = found->second;
  in.state = state;
  in.symbols = gate_values(v, recurrence_.symbols(), weights, x, on.gpu);
  const RecurrenceResult result = recurrence_(in, on);
  const Norm norm{.weight = weights.at("norm.weight"), .bias = weights.at("norm.bias")};
  const GpuOrCpu gpu = on.backend == Backend::kReference ? nullptr : on.gpu;
  const Tensor normed = normed_sum(norm, {}, result.y, ReadBy::kProducts, gpu).normed;
  return {project(weights, "output", normed), result.state};
}

Tensor first_values(const Parameter& parameter, const Sizes& whole, std::uint64_t seed) {
  if (parameter.drawn) {
    const std::vector<double> values = parameter.drawn(seed);
    const Tensor tensor = at::empty(parameter.shape, at::kDouble);
    std::copy(values.begin(), values.end(), tensor.mutable_data_ptr<double>());
    return tensor;
  }
  // Each head is initialized as a code of its own share of the rows and channels.
  const Sizes sizes{whole.d / parameter.heads, whole.k / parameter.heads};
  const std::int64_t rows = parameter.shape.empty() ? 1 : parameter.shape[0] / parameter.heads;
  Random random = random_for(seed, parameter.name);
  const auto each = [&](const auto& entry) {
    const Tensor values = at::empty(parameter.shape, at::kDouble);
    double* const out = values.mutable_data_ptr<double>();
    for (std::int64_t n = 0; n < parameter.count(); ++n) out[n] = entry(n);
    return values;
  };
  // Each entry of a symbol's own tensor is a cell; all entries of a projection are drawn by one
  // rule.
  const int columns = over_d(parameter.axes) ? sizes.d : 1;
  const auto value = [&](const Symbol& s) {
    const std::string_view stem = stem_of(s).name;
    if (stem == "normal") return each([&](std::int64_t) { return random.normal(); });
    if (stem == "uniform") return each([&](std::int64_t) { return 2 * random.uniform() - 1; });
    if (parameter.axes == Axes::kNone)
      return at::scalar_tensor(fixed_value(s, sizes, 0, 0), at::kDouble);
    return each([&](std::int64_t n) {
      return fixed_value(s, sizes,
                         over_k(parameter.axes) ? static_cast<int>(n / columns % rows) : 0,
                         over_d(parameter.axes) ? static_cast<int>(n % columns) : 0);
    });
  };
  return evaluate_tensor(parameter.init, value, at::kDouble).expand(parameter.shape).contiguous();
}

Weights initial_weights(const Variant& variant, std::uint64_t seed,
                        const at::TensorOptions& options) {
  Weights weights;
  for (const Parameter& tensor : tensors_of(variant))
    weights[tensor.name] =
        first_values(tensor, variant.sizes, seed).to(options).requires_grad_(tensor.learned);
  return weights;
}

}  // namespace lcsm
