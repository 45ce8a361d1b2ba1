#include "runner/train/bench/bench_peers_sequence.h"

#include <ATen/ops/log_sigmoid.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/scalar_tensor.h>

#include "lcsm/formula/logarithm.h"
#include "lcsm/formula/simplify.h"
#include "lcsm/tape/lowering.h"
#include "lcsm/tensors/tensor_formula.h"

namespace runner {

using at::Tensor;
using lcsm::Expr;
using lcsm::Function;
using lcsm::Op;
using lcsm::Symbol;

namespace {

std::string_view stem(const Symbol& s) { return lcsm::stem_of(s).name; }

// The value of a subexpression that need not be decomposed; null if it must be.
using Leaf = std::function<Steps(const Expr&)>;

Steps computed(const Expr& e, const Leaf& leaf, const at::TensorOptions& options);

bool is_softplus(const Expr& e) { return lcsm::is_call(e, Function::kSoftplus); }

// Applies one node to its arguments, each replaced by a placeholder symbol.
Steps call(const Expr& e, const Leaf& leaf, const at::TensorOptions& options) {
  auto node = std::make_shared<lcsm::Node>(*e);
  std::vector<Steps> args;
  for (Expr& arg : node->args) {
    if (lcsm::constant(arg)) continue;
    Symbol placeholder = lcsm::parse_symbol("p");
    placeholder.number = static_cast<int>(args.size());
    args.push_back(computed(arg, leaf, options));
    arg = lcsm::symbol(placeholder);
  }
  return [node, args, options](std::int64_t t) {
    return lcsm::evaluate_tensor(
        node, [&](const Symbol& s) { return args[static_cast<std::size_t>(s.number)](t); },
        options);
  };
}

// -softplus(-z) is one operation, log_sigmoid(z). A constant factor is folded into a leaf, which
// may be computed only once.
Steps product(std::vector<Expr> factors, const Leaf& leaf, const at::TensorOptions& options) {
  double number = 1;
  std::vector<Steps> values;
  Expr once;
  for (const Expr& factor : factors) {
    if (const auto constant = lcsm::constant(factor)) {
      number *= *constant;
    } else if (const Steps value = leaf(factor)) {
      if (once) values.push_back(leaf(once));
      once = factor;
    } else if (is_softplus(factor)) {
      const Steps z = computed(lcsm::simplify(lcsm::negate(factor->args[0])), leaf, options);
      values.push_back([z](std::int64_t t) { return at::log_sigmoid(z(t)); });
      number = -number;
    } else {
      values.push_back(call(factor, leaf, options));
    }
  }
  const Expr scaled =
      once && number != 1 ? lcsm::simplify(lcsm::multiply(lcsm::number(number), once)) : nullptr;
  const Steps value = scaled ? leaf(scaled) : nullptr;
  if (value) number = 1;
  if (once) values.push_back(value ? value : leaf(once));
  return [values, number](std::int64_t t) {
    Tensor result = values[0](t);
    for (std::size_t n = 1; n < values.size(); ++n) result = at::mul(result, values[n](t));
    return number == 1 ? result : at::mul(result, number);
  };
}

Steps computed(const Expr& e, const Leaf& leaf, const at::TensorOptions& options) {
  if (const Steps value = leaf(e)) return value;
  const std::vector<Expr> factors = lcsm::factors_of(lcsm::simplify(e));
  return factors.size() > 1 || is_softplus(factors[0]) ? product(factors, leaf, options)
                                                       : call(factors[0], leaf, options);
}

}  // namespace

Sequence::Sequence(const lcsm::Variant& variant, const lcsm::RecurrenceInputs& inputs)
    : v_(variant), in_(inputs) {}

lcsm::Type Sequence::type(const Expr& e) const {
  lcsm::Type type;
  const auto include = [&](const lcsm::Type& other) {
    type = {type.k || other.k, type.d || other.d, type.data || other.data};
  };
  for (const Symbol& s : lcsm::symbols_of(e)) {
    if (stem(s) == "o") {
      include(this->type(v_.gate.real));
      if (v_.gate.cumulative) include(this->type(v_.gate.cumulative));
    } else if (stem(s) != "size") {
      include({lcsm::over_k(s.axes), lcsm::over_d(s.axes),
               lcsm::stem_of(s).source == lcsm::Source::kData});
    }
  }
  return type;
}

bool Sequence::varies(const Expr& e) const {
  const lcsm::Type t = type(e);
  return t.k && t.d && t.data;
}

Tensor Sequence::value(const Symbol& s, bool over_both) const {
  if (stem(s) == "tau") return at::scalar_tensor(v_.tau(), in_.i.options());
  if (stem(s) == "o") return gate_whole_;
  if (stem(s) == "e") return in_.e;
  const Tensor& tensor = in_.symbols.at(s);
  if (lcsm::stem_of(s).source == lcsm::Source::kData)
    return s.axes == lcsm::Axes::kNone ? tensor.unsqueeze(2) : tensor;
  return over_both && s.axes == lcsm::Axes::kK && tensor.dim() == 1 ? tensor.unsqueeze(1) : tensor;
}

Tensor Sequence::whole(const Expr& e) const {
  const lcsm::Type t = type(e);
  const Leaf leaf = [&](const Expr& part) -> Steps {
    if (part->op != Op::kSymbol) return nullptr;
    return [value = value(part->symbol, t.k && t.d)](std::int64_t) { return value; };
  };
  return computed(with_tau(e, v_), leaf, in_.i.options())(0);
}

Steps Sequence::steps(const Expr& e) const {
  const Leaf leaf = [this](const Expr& part) -> Steps {
    if (!varies(part)) return steps_of(whole(part), type(part));
    if (part->op != Op::kSymbol) return nullptr;
    return [now = gate_now_](std::int64_t) { return *now; };
  };
  return computed(with_tau(e, v_), leaf, in_.i.options());
}

Expr Sequence::gate() const {
  const auto log_o = lcsm::log_of(v_.gate.real);
  if (!log_o || lcsm::find_call(*log_o, Function::kLog)) return with_tau(v_.gate.real, v_);
  return lcsm::call(Function::kExp, {with_tau(*log_o, v_)});
}

std::optional<lcsm::LogParts> Sequence::log_parts() const {
  const auto log_o = lcsm::log_of(v_.gate.real);
  if (!log_o) return std::nullopt;
  const lcsm::LogParts parts = lcsm::split(with_tau(*log_o, v_));
  if (!parts.separable()) return std::nullopt;
  return parts;
}

Steps steps_of(const Tensor& whole, const lcsm::Type& type) {
  if (whole.dim() == 3) {
    std::vector<Tensor> steps = whole.unsqueeze(type.k ? 3 : 2).unbind(1);
    return [steps = std::move(steps)](std::int64_t t) { return steps[static_cast<size_t>(t)]; };
  }
  const Tensor fixed = whole.dim() == 2   ? whole
                       : whole.dim() == 0 ? whole.view({1, 1})
                                          : whole.unsqueeze(type.k ? 1 : 0);
  return [fixed](std::int64_t) { return fixed; };
}

}  // namespace runner
