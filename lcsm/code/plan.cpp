#include "lcsm/code/plan.h"

#include "lcsm/formula/range.h"
#include "lcsm/formula/simplify.h"

namespace lcsm {
namespace {

Type weight_type(const Variant& v, const Expr& weight) {
  return weight ? type_of(with_gate(weight, v.o())) : Type{};
}
Type scale_type(const Variant& v) { return weight_type(v, v.oscillation.scale); }

bool has(const Expr& part) { return !is_constant(part, 0); }

Plan scan(const Plan& so_far, const std::string& why) {
  Plan plan = so_far;
  plan.machine = Machine::kScan;
  plan.why = why;
  return plan;
}

std::string static_ones(const Variant& v) {
  return v.e_static() && v.s_static() ? "e and s are static k x d matrices"
         : v.e_static()               ? "e is a static k x d matrix"
                                      : "s is a static k x d matrix";
}

bool is_all_static(const Variant& v) {
  return v.e_static() && v.s_static() && !type_of(v.o()).data && !scale_type(v).data &&
         !weight_type(v, v.oscillation.read).data && !v.gate.cumulative;
}

// The reason why neither rotating e and s nor a real memory would do.
std::optional<std::string> complex_reason(const Variant& v) {
  if (!v.is_complex())
    return v.oscillation.read ? std::optional("the memory is read by weights") : std::nullopt;
  if (type_of(v.gate.angle).d) return "the angle varies over d";
  if (v.e_static() || v.s_static()) return "o rotates, and " + static_ones(v);
  if (v.oscillation.read) return "o rotates, and the memory is read by weights";
  if (weight_parts(v.oscillation.scale, v.o()).im) return "o rotates, and the scale is complex";
  return std::nullopt;
}

Plan by_logarithm(const Variant& v, Plan plan) {
  if (const Type type = scale_type(v); type.k && type.d)
    return scan(plan, "the scale of the input varies over k and d together");
  const std::optional<Expr> log_o = log_of(v.gate.real);
  if (!log_o) return scan(plan, "o can be 0 or negative, so it has no logarithm");
  if (range_of(v.gate.real).high.value > 1)
    return scan(plan, "o can exceed 1, and the scales of a chunk would overflow");
  const LogParts parts = split(*log_o);
  if (!parts.separable())
    return scan(plan, "log o = " + to_string(*log_o) + " does not separate into k and d parts");
  plan.parts = parts;
  plan.why = "log o is a sum of parts of one axis each";
  if (is_constant(simplify(v.gate.real), 1))
    plan.why = v.is_complex() ? "|o| is 1 everywhere" : "o is 1 everywhere";
  if (plan.cumulative) plan.why = "the decay is a running softmax, computed first";
  return plan;
}

// The operations of an expression, counted by the axes over which each is repeated.
struct Operations {
  std::int64_t time = 0, k = 0, d = 0, kd = 0;

  std::int64_t total(const Sizes& sizes) const {
    return time + k * sizes.k + d * sizes.d + kd * sizes.k * sizes.d;
  }
};

void count_operations(const Expr& e, Operations& into) {
  const Type type = type_of(e);
  if (!e->args.empty() && type.data) {
    std::int64_t& at = type.k && type.d ? into.kd : type.k ? into.k : type.d ? into.d : into.time;
    at += e->op == Op::kCall    ? row_of(e->function).flops
          : e->op == Op::kPower ? row_of(Function::kExp).flops + row_of(Function::kLog).flops
                                : 1;
  }
  for (const Expr& arg : e->args) count_operations(arg, into);
}

std::int64_t gate_flops(const Variant& v, const Plan& plan) {
  Operations operations;
  if (plan.parts) {
    for (const Expr& part : {plan.parts->time, plan.parts->k, plan.parts->d})
      count_operations(part, operations);
  } else {
    count_operations(simplify(v.gate.real), operations);
  }
  if (v.gate.cumulative)
    count_operations(call(Function::kCumsoftmax, {v.gate.cumulative}), operations);
  const auto known = [&](const Symbol& s) {
    const std::string_view stem = stem_of(s).name;
    return (stem == "o" || stem == "q") && !type_of(v.o()).data ? number(1) : nullptr;
  };
  for (const Expr& weight : {v.oscillation.scale, v.oscillation.read})
    if (weight) count_operations(substitute(weight, known), operations);
  if (plan.machine == Machine::kComplex && v.is_complex())
    for (const Function wave : {Function::kCos, Function::kSin})
      count_operations(call(wave, {v.gate.angle}), operations);
  return operations.total(v.sizes);
}

bool is_weighted(const Variant& v) {
  return v.oscillation.scale || v.oscillation.read || v.e_static() || v.s_static();
}

std::int64_t machine_flops(const Variant& v, const Plan& plan) {
  const std::int64_t k = v.sizes.k * (plan.rotates ? 2 : 1), d = v.sizes.d;
  const std::int64_t rotation =
      plan.rotates ? 2 * (2 * row_of(Function::kSigmoid).flops + 2) * v.sizes.k : 0;
  switch (plan.machine) {
    case Machine::kChunk: {
      // The sum of e i and its product with s, 2 k d each; per decaying axis, scales of both sides
      // and their exps.
      std::int64_t scales = 0;
      if (plan.parts && has(plan.parts->k)) scales += (2 + row_of(Function::kExp).flops) * 2 * k;
      if (plan.parts && has(plan.parts->d)) scales += (2 + row_of(Function::kExp).flops) * 2 * d;
      return 4 * k * d + scales + rotation;
    }
    case Machine::kDelta:
      return 6 * k * d;  // as kChunk without scales, and v m
    case Machine::kModes:
      return (v.is_complex() ? 12 : 4) * k * d;  // o u + i, c u and its sum
    case Machine::kComplex:  // o m + w e i, then s r m and its sum; without weights 5 less
      return (v.is_complex() ? is_weighted(v) ? 17 : 12 : 7) * v.sizes.k * d;
    case Machine::kScan:
      break;
  }
  return 5 * k * d + rotation;  // o m + e i: 3, s m and its sum: 2
}

std::int64_t projection_weights(const Variant& v) {
  std::int64_t weights = 0;
  for (const Parameter& tensor : tensors_of(v))
    if (tensor.name.ends_with(".weight") && tensor.shape.size() == 2) weights += tensor.count();
  return weights;
}

}  // namespace

std::string to_string(Machine machine) {
  switch (machine) {
    case Machine::kChunk:
      return "chunk";
    case Machine::kScan:
      return "scan";
    case Machine::kComplex:
      return "complex scan";
    case Machine::kModes:
      return "modes";
    case Machine::kDelta:
      break;
  }
  return "delta";
}

Plan plan_of(const Variant& v) {
  Plan plan{Machine::kChunk, std::nullopt,   v.gate.cumulative != nullptr,
            v.is_complex(),  v.is_complex(), ""};
  if (v.oscillation.matrix) {
    plan.machine = Machine::kDelta;
    plan.why = "the state is multiplied by a matrix I - u v^T";
    return plan;
  }
  if (is_all_static(v)) {
    plan.machine = Machine::kModes;
    plan.rotates = false;
    plan.why = "e, o and s are all static";
    return plan;
  }
  if (const auto reason = complex_reason(v)) {
    plan.machine = Machine::kComplex;
    plan.rotates = false;
    plan.why = *reason;
    return plan;
  }
  if (v.e_static() || v.s_static()) return scan(plan, static_ones(v));
  return by_logarithm(v, plan);
}

namespace {

// The axes along which a chunked machine decays, joined by `by`.
std::string decay_axes(const Plan& plan, const char* by) {
  std::string axes;
  const auto put = [&](const Expr& part, const char* axis) {
    if (has(part)) axes += (axes.empty() ? "" : by) + std::string(axis);
  };
  if (plan.parts) {
    put(plan.parts->time, "time");
    put(plan.parts->k, "k");
    put(plan.parts->d, "d");
  }
  return axes;
}

}  // namespace

std::string summary(const Plan& plan) {
  const std::string rotated = plan.rotates ? ", e and s rotated first" : "";
  switch (plan.machine) {
    case Machine::kScan:
      return "fused scan" + rotated;
    case Machine::kComplex:
      return plan.is_complex ? "fused scan of a complex memory" : "fused scan, read by weights";
    case Machine::kModes:
      return plan.is_complex ? "time-invariant: a sum of complex modes, by recurrence"
                             : "time-invariant: a sum of modes, by recurrence";
    case Machine::kDelta:
      return "delta rule";
    case Machine::kChunk:
      break;
  }
  const std::string axes = decay_axes(plan, " and ");
  if (plan.cumulative)
    return "running softmax, then chunked matrix products" +
           (axes.empty() ? "" : ", further decay over " + axes) + rotated;
  return "chunked matrix products, " + (axes.empty() ? "no decay" : "decay over " + axes) + rotated;
}

std::string short_summary(const Plan& plan) {
  if (plan.machine == Machine::kComplex && !plan.is_complex) return "scan, weighted";
  std::string text = to_string(plan.machine);
  std::string axes = decay_axes(plan, ", ");
  if (plan.cumulative) axes = axes.empty() ? "softmax" : "softmax, " + axes;
  if (plan.machine == Machine::kChunk && !axes.empty()) text += " " + axes;
  return plan.rotates ? text + ", rotated" : text;
}

Cost cost_of(const Variant& v) {
  const Plan plan = plan_of(v);
  const std::int64_t k = v.sizes.k, d = v.sizes.d;
  Cost cost;
  cost.state = k * d * (v.is_complex() ? 2 : 1);
  cost.projection_flops = 2 * projection_weights(v);
  cost.recurrence_flops = machine_flops(v, plan) + gate_flops(v, plan);
  std::int64_t numbers = 2 * d + (v.e_static() ? 0 : k) + (v.s_static() ? 0 : k);
  for (const Symbol& s : gate_symbols(v))
    if (stem_of(s).name == "p") numbers += (over_k(s.axes) ? k : 1) * (over_d(s.axes) ? d : 1);
  cost.recurrence_bytes = 4 * numbers;
  return cost;
}

}  // namespace lcsm
