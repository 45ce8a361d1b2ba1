// The tensors of a code's layer and its parts.

#include "lcsm/base/random.h"
#include "lcsm/formula/evaluate.h"
#include "runner/systems/eos_parts.h"

namespace runner {
namespace {

using lcsm::Axes;
using lcsm::Expr;
using lcsm::Parameter;

using Shape = std::vector<std::int64_t>;

Expr init(const std::string& formula) {
  return lcsm::parse_formula(formula, lcsm::FormulaUse::kInit);
}
Expr uniform_by(std::int64_t inputs) {
  return init("uniform/sqrt(" + std::to_string(inputs) + ")");
}

class Builder {
 public:
  explicit Builder(const EosParts& parts) : p_(parts), head_(parts.head_sizes()) {}

  std::vector<Parameter> build() {
    for (Parameter& tensor : lcsm::tensors_of(p_.variant)) {
      if (tensor.name == "norm.weight") around();
      if (tensor.name == "norm.bias" && !is_layer_norm()) continue;
      put(resized(std::move(tensor)));
    }
    return std::move(tensors_);
  }

 private:
  bool is_layer_norm() const {
    return p_.norm == OutputNorm::kLayer || p_.norm == OutputNorm::kHeadLayer;
  }

  // Adds a tensor, and the bias of its projection if there is one.
  void put(Parameter tensor) {
    const std::int64_t outputs = tensor.shape.empty() ? 1 : tensor.shape[0];
    const bool of_gate = tensor.of_gate;
    const std::string name = tensor.name;
    tensors_.push_back(std::move(tensor));
    if (!name.ends_with(".weight")) return;
    const std::string bias = name.substr(0, name.size() - 7);
    if (const auto found = p_.biases.find(bias); found != p_.biases.end()) {
      tensors_.push_back({bias + ".bias", {outputs}, found->second});
      tensors_.back().of_gate = of_gate;
    }
  }
  void put_linear(const std::string& name, std::int64_t outputs, std::int64_t inputs) {
    Parameter tensor{name + ".weight", {outputs, inputs}, uniform_by(inputs)};
    tensor.linear = true;
    put(std::move(tensor));
  }

  // A projection reads x; a tensor of a head exists once per head.
  Parameter resized(Parameter tensor) const {
    const bool is_projection = tensor.shape.size() == 2 && tensor.name.ends_with(".weight");
    if (is_projection) {
      const bool is_single = tensor.shape[0] == 1 && tensor.name.starts_with("oscillation.") &&
                             !tensor.name.ends_with(".down.weight");
      if (is_single) tensor.shape[0] = p_.heads;  // p, without axes
      if (p_.d == p_.variant.sizes.d) return tensor;
      std::int64_t& inputs = tensor.shape[1];
      if (tensor.name == "output.weight") {
        tensor.shape[0] = p_.d;
      } else if (!tensor.name.ends_with(".up.weight")) {
        inputs = p_.d;
      }
      if (tensor.linear) tensor.init = uniform_by(inputs);
      return tensor;
    }
    if (tensor.name.starts_with("norm.") || (p_.heads == 1 && !p_.of_heads)) return tensor;
    if (tensor.shape.size() == 2) tensor.shape[1] = head_.d;  // [k, d / heads]
    if (tensor.shape.empty()) tensor.shape = {p_.heads};
    tensor.heads = p_.heads;
    if (p_.of_heads && tensor.name == "oscillation.w") {
      tensor.init = p_.of_heads;
      tensor.axes = Axes::kK;
      tensor.heads = 1;
    }
    return tensor;
  }

  void around() {
    const std::int64_t d = p_.variant.sizes.d, k = p_.variant.sizes.k;
    if (p_.taps > 0) {
      conv("input", d);
      if (!p_.variant.e_static()) conv("expand", k);
      if (!p_.variant.s_static()) conv("shrink", k);
    }
    if (p_.bonus) tensors_.push_back({"bonus", {k}, init("0.1 * normal")});
    if (p_.skip) tensors_.push_back({"skip", {p_.heads}, init("1")});
    if (p_.decays) {
      put_linear("decay", p_.heads, p_.d);
      tensors_.push_back({"decay.log_rate", {p_.heads}, init("log(8.5 + 7.5 * uniform)")});
      tensors_.back().of_gate = true;
    }
    if (p_.gate != OutputGate::kNone) put_linear("gate", d, p_.d);
  }
  void conv(const std::string& name, std::int64_t channels) {
    put({name + "_conv.weight", {channels, p_.taps}, uniform_by(p_.taps)});
  }

  const EosParts& p_;
  const lcsm::Sizes head_;
  std::vector<Parameter> tensors_;
};

bool is_drawn(const Expr& e) {
  for (const lcsm::Symbol& s : lcsm::symbols_of(e))
    if (lcsm::stem_of(s).source == lcsm::Source::kRandom) return true;
  return false;
}

// Draws the values in the order of lcsm::first_values, entry by entry.
std::vector<double> drawn(const Parameter& tensor, const lcsm::Sizes& whole, std::uint64_t seed) {
  const lcsm::Sizes sizes{whole.d / tensor.heads, whole.k / tensor.heads};
  lcsm::Random random = lcsm::random_for(seed, tensor.name);
  const std::int64_t columns = lcsm::over_d(tensor.axes) ? tensor.shape.back() : 1;
  const std::int64_t rows = tensor.shape.empty() ? 1 : tensor.shape[0] / tensor.heads;
  std::vector<double> values(static_cast<std::size_t>(tensor.count()));
  for (std::size_t n = 0; n < values.size(); ++n) {
    const auto cell = static_cast<std::int64_t>(n);
    values[n] = lcsm::evaluate(tensor.init, [&](const lcsm::Symbol& s) {
      const std::string_view stem = lcsm::stem_of(s).name;
      if (stem == "normal") return random.normal();
      if (stem == "uniform") return 2 * random.uniform() - 1;
      const bool along_k = lcsm::over_k(tensor.axes), along_d = lcsm::over_d(tensor.axes);
      return lcsm::fixed_value(s, sizes, along_k ? static_cast<int>(cell / columns % rows) : 0,
                               along_d ? static_cast<int>(cell % columns) : 0);
    });
  }
  return values;
}

}  // namespace

std::vector<Parameter> tensors_of(const EosParts& parts) { return Builder(parts).build(); }

lcsm::Parameters block_tensors(const EosParts& parts) {
  lcsm::Parameters all;
  for (const Parameter& tensor : tensors_of(parts)) {
    if (!tensor.learned && !is_drawn(tensor.init)) continue;
    all.push_back({.name = tensor.name,
                   .shape = tensor.shape,
                   .init = nullptr,
                   .group = lcsm::group_of(tensor),
                   .start = lcsm::to_string(tensor.init),
                   .drawn = [tensor, sizes = parts.variant.sizes](std::uint64_t seed) {
                     return drawn(tensor, sizes, seed);
                   }});
  }
  return all;
}

}  // namespace runner
