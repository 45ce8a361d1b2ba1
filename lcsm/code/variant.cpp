#include "lcsm/code/variant.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "lcsm/formula/evaluate.h"

namespace lcsm {
namespace {

double sizes_only(const Expr& e, const Sizes& sizes) {
  return evaluate(e, [&](const Symbol& s) { return fixed_value(s, sizes, 0, 0); });
}

// PyTorch's default init of a linear layer: uniform in (-1, 1) / sqrt(number of inputs).
Expr linear_init(const Expr& inputs) {
  return divide(symbol(parse_symbol("uniform")), call(Function::kSqrt, {inputs}));
}

Expr default_init() { return parse_formula("0.1 * normal", FormulaUse::kInit); }

std::int64_t size_along(Axes axes, const Sizes& sizes) {
  return (over_k(axes) ? std::int64_t{sizes.k} : 1) * (over_d(axes) ? sizes.d : 1);
}

std::vector<std::int64_t> shape_of(Axes axes, const Sizes& sizes) {
  std::vector<std::int64_t> shape;
  if (over_k(axes)) shape.push_back(sizes.k);
  if (over_d(axes)) shape.push_back(sizes.d);
  return shape;
}

class VariantBuilder {
 public:
  explicit VariantBuilder(const Variant& variant) : v_(variant) {}

  std::vector<Parameter> build() {
    const std::int64_t d = v_.sizes.d;
    put_linear("input.weight", d);
    stage("expand", v_.e_static());
    for (const Symbol& s : gate_symbols(v_)) gate_tensor(s);
    stage("shrink", v_.s_static());
    if (v_.s_static() && v_.is_complex() && !v_.has_unit_stages())
      put("shrink.imaginary", {v_.sizes.k, v_.sizes.d}, default_init());
    put("norm.weight", {d}, number(1));
    put("norm.bias", {d}, number(0));
    put_linear("output.weight", d);
    return std::move(tensors_);
  }

 private:
  void put(std::string name, std::vector<std::int64_t> shape, Expr init) {
    tensors_.push_back({std::move(name), std::move(shape), std::move(init)});
  }

  // init: null = the default of linear layers
  void put_linear(std::string name, std::int64_t outputs, const Expr& init = nullptr) {
    put_linear(std::move(name), outputs, v_.sizes.d, symbol(parse_symbol("size_d")), init);
  }
  void put_linear(std::string name, std::int64_t outputs, std::int64_t inputs, const Expr& size,
                  const Expr& init) {
    put(std::move(name), {outputs, inputs}, init ? init : linear_init(size));
    tensors_.back().linear = !init;
  }

  void stage(const std::string& name, bool is_static) {
    const std::int64_t k = v_.sizes.k, d = v_.sizes.d;
    if (is_static && v_.has_unit_stages()) return;
    if (is_static)
      put(name + ".matrix", {k, d}, default_init());
    else
      put_linear(name + ".weight", k);
  }

  void gate_tensor(const Symbol& s) {
    const std::string name = "oscillation." + to_string(s);
    const std::string_view stem = stem_of(s).name;
    const std::size_t first = tensors_.size();
    if (stem == "p") {
      const auto own = v_.oscillation.inits.find(s);
      projection(s, name, own != v_.oscillation.inits.end() ? own->second : nullptr);
    } else if (stem == "w") {
      put(name, shape_of(s.axes, v_.sizes), first_value(v_, s));
      tensors_.back().learned = !v_.code.frozen;
    } else if (stem == "slope" || stem == "theta") {
      put(name, shape_of(s.axes, v_.sizes), symbol(s));
      tensors_.back().learned = false;
    }
    for (std::size_t i = first; i < tensors_.size(); ++i) tensors_[i].of_gate = true;
    if (stem != "p" && first < tensors_.size()) tensors_.back().axes = s.axes;
  }

  void projection(const Symbol& s, const std::string& name, const Expr& init) {
    const std::int64_t outputs = size_along(s.axes, v_.sizes);
    const int r = v_.rank(s);
    if (r == 0) {
      put_linear(name + ".weight", outputs, init);
    } else {
      put_linear(name + ".down.weight", r, init);
      tensors_.back().learned = !v_.code.frozen;
      put_linear(name + ".up.weight", outputs, r, number(r), init);
    }
    tensors_.back().learned = !v_.code.frozen;
  }

  const Variant& v_;
  std::vector<Parameter> tensors_;
};

// ALiBi's slope i of n: 2^(-8 (i+1) / n) for powers of two; otherwise the slopes of the next lower
// power, then every second one of the next higher power.
double alibi_slope(std::int64_t i, std::int64_t n) {
  const auto below = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(n)));
  if (i < below) return std::exp2(-8.0 * static_cast<double>(i + 1) / static_cast<double>(below));
  return std::exp2(-8.0 * static_cast<double>(2 * (i - below) + 1) /
                   static_cast<double>(2 * below));
}

}  // namespace

int Variant::rank(const Symbol& p) const {
  const auto found = oscillation.ranks.find(p);
  if (found == oscillation.ranks.end()) return 0;
  if (code.r) return *code.r;
  const double value = std::floor(sizes_only(found->second, sizes));
  return value >= 1 ? static_cast<int>(std::min(value, 1048576.0)) : 1;
}

Variant make_variant(const Code& code, const Catalogue& catalogue, Sizes model) {
  const Oscillation* oscillation = catalogue.find(code.o);
  if (oscillation) oscillation = form_of(*oscillation, code.form);
  if (!oscillation)
    throw std::invalid_argument("unknown oscillation '" + code.o + "', form '" + code.form + "'");
  Variant variant{code, *oscillation, {}, {code.d.value_or(model.d), code.k.value_or(model.k)}};
  if (variant.oscillation.matrix)
    variant.gate.real = variant.o();
  else
    variant.gate = gate_of(variant.o());
  return variant;
}

std::int64_t Parameter::count() const {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) count *= size;
  return count;
}

std::vector<Symbol> gate_symbols(const Variant& v) {
  Oscillation selected = v.oscillation;
  selected.o = v.o();
  return symbols_of(selected);
}

std::vector<Symbol> given_symbols(const Variant& v) {
  std::vector<Symbol> given = gate_symbols(v);
  std::erase_if(given, [](const Symbol& s) {
    const std::string_view stem = stem_of(s).name;
    return stem == "tau" || stem == "e" || stem == "o" || stem == "q";
  });
  return given;
}

Expr first_value(const Variant& v, const Symbol& w) {
  const auto own = v.oscillation.inits.find(w);
  return own != v.oscillation.inits.end() ? own->second : default_init();
}

std::vector<Parameter> tensors_of(const Variant& variant) {
  return VariantBuilder(variant).build();
}

ParameterGroup group_of(const Parameter& parameter) {
  if (parameter.group) return *parameter.group;
  if (parameter.of_gate) return ParameterGroup::kGate;
  return parameter.shape.size() < 2 ? ParameterGroup::kNorm : ParameterGroup::kMatrices;
}

std::string start_text(const Parameter& parameter) {
  return parameter.init ? to_string(parameter.init) : parameter.start;
}

std::string_view to_string(ParameterGroup group) {
  return group == ParameterGroup::kGate   ? "gate"
         : group == ParameterGroup::kNorm ? "norm"
                                          : "matrices";
}

std::int64_t stored_count(const Variant& variant) {
  const Expr& stored = variant.oscillation.stored;
  return stored ? static_cast<std::int64_t>(sizes_only(stored, variant.sizes)) : 0;
}

double fixed_value(const Symbol& symbol, const Sizes& sizes, int k, int d) {
  const std::string_view stem = stem_of(symbol).name;
  const bool along_k = over_k(symbol.axes), along_d = over_d(symbol.axes);
  if (stem == "size") return along_k ? sizes.k : sizes.d;
  if (stem == "index") return along_k ? k : d;
  if (stem == "theta") return std::pow(10000.0, -2.0 * k / sizes.d);
  if (stem == "slope") {
    const std::int64_t i = along_k && along_d ? std::int64_t{k} * sizes.d + d : along_k ? k : d;
    return alibi_slope(i, size_along(symbol.axes, sizes));
  }
  throw std::logic_error("'" + to_string(symbol) + "' is not fixed");
}

}  // namespace lcsm
