#include "runner/models/blocks/eos.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rms_norm.h>
#include <ATen/ops/rsqrt.h>
#include <ATen/ops/softplus.h>
#include <ATen/ops/stack.h>

#include <cmath>
#include <optional>

#include "lcsm/layer/layer.h"
#include "lcsm/tensors/gated.h"
#include "lcsm/tensors/short_conv.h"
#include "runner/models/blocks/steps.h"

namespace runner {

using at::Tensor;
using lcsm::Axes;
using lcsm::Symbol;

struct CompiledEos {
  explicit CompiledEos(EosParts given)
      : parts(std::move(given)),
        symbols(lcsm::given_symbols(parts.variant)),
        of_a_head(head_variant(parts, false)) {
    for (const lcsm::Parameter& tensor : tensors_of(parts))
      if (!tensor.learned)
        constants[tensor.name] = lcsm::first_values(tensor, parts.variant.sizes, 0);
    if (parts.heads > 1 && can_batch_heads(parts)) of_batch.emplace(head_variant(parts, true));
  }

  const EosParts parts;
  const std::vector<Symbol> symbols;
  lcsm::Weights constants;  // follow from the sizes alone; not stored with the weights
  const lcsm::Recurrence of_a_head;
  std::optional<lcsm::Recurrence> of_batch;  // heads as elements of a batch
};

namespace {

constexpr double kUnitEpsilon = 1e-6;  // of the l2 norm

class EosPass {
 public:
  EosPass(const CompiledEos& compiled, const lcsm::Weights& weights, const Tensor& x,
          const lcsm::BlockContext& context)
      : c_(compiled),
        p_(compiled.parts),
        w_(weights),
        x_(context.padding.defined() ? x.masked_fill(context.padding.unsqueeze(-1), 0) : x),
        wide_(x.options().dtype(lcsm::state_dtype(x.scalar_type()))),
        context_(context),
        B_(x.size(0)),
        T_(x.size(1)),
        H_(p_.heads),
        rows_(p_.head_sizes().k),
        width_(p_.head_sizes().d) {}

  lcsm::BlockResult run() {
    in_.i = stage("input", false);
    in_.e = stage("expand", p_.variant.e_static());
    in_.s = stage("shrink", p_.variant.s_static());
    if (p_.scaled) in_.s = in_.s / std::sqrt(static_cast<double>(rows_));
    if (const auto found = w_.find("shrink.imaginary"); found != w_.end())
      in_.s_imaginary = found->second;
    in_.symbols = lcsm::gate_values(p_.variant, c_.symbols, with_constants(), x_, context_.gpu);
    if (p_.decays)  // [B, T, H]
      in_.log_decay =
          -at::exp(w_.at("decay.log_rate")) * at::softplus(projected("decay").to(wide_));
    const bool dense = is_dense();
    // An observer distinguishes learned symbols from data; a batch of heads does not.
    const bool by_heads = dense || lcsm::RecurrenceObserver::is_there();
    Tensor y = !by_heads && c_.of_batch ? batched() : one_by_one(dense);
    if (p_.bonus) y = y + bonus();
    if (p_.skip) y = y + (heads_of(in_.i, 2) * w_.at("skip").unsqueeze(1)).flatten(2);
    const Tensor gate = p_.gate == OutputGate::kNone ? Tensor() : projected("gate");
    if (gate.defined() && p_.gates_first) y = gated(gate, y);
    y = normed(y);
    if (gate.defined() && !p_.gates_first) y = gated(gate, y);
    return {projected("output", y), std::move(state_)};
  }

 private:
  bool is_dense() const { return context_.backend == lcsm::Backend::kReference; }
  Tensor projected(const std::string& name, const Tensor& x) const {
    return lcsm::project(w_, name, x).to(x.scalar_type());
  }
  Tensor projected(const std::string& name) const { return projected(name, x_); }

  lcsm::Weights with_constants() const {
    lcsm::Weights all = w_;
    for (const auto& [name, tensor] : c_.constants)
      if (!all.contains(name)) all[name] = tensor.to(wide_);
    return all;
  }

  Tensor without_padding(const Tensor& x) const {
    return context_.padding.defined() ? x.masked_fill(context_.padding.unsqueeze(-1), 0) : x;
  }

  // [B, T, channels], or the static matrix.
  Tensor stage(const std::string& name, bool is_static) {
    const lcsm::Variant& v = p_.variant;
    const bool is_input = name == "input";
    if (is_static && v.has_unit_stages()) return at::ones({v.sizes.k, width_}, wide_);
    if (is_static) return lcsm::activated(v.code.a, w_.at(name + ".matrix"));
    Tensor value = projected(name);
    if (p_.taps > 0) {
      const std::string conv = name + "_conv";
      const auto found = context_.state.find(conv), bias = w_.find(conv + ".bias");
      const Tensor before = found == context_.state.end() ? Tensor() : found->second;
      state_[conv] = lcsm::short_conv_state(value, p_.taps, before);
      value = convolved(lcsm::Activation::kSilu, value, w_.at(conv + ".weight"),
                        bias == w_.end() ? Tensor() : bias->second, before, context_.on());
    }
    if (is_input) return without_padding(value);  // a convolution sees past it
    if (v.code.a != 0) value = lcsm::activated(v.code.a, value.to(wide_));
    if (p_.stage_norm == StageNorm::kNone) return value;
    value = value.to(wide_);
    const Tensor each = heads_of(value, 2, value.size(2) / rows_);
    if (p_.stage_norm == StageNorm::kRms)
      return at::rms_norm(each, {rows_}, std::nullopt, lcsm::kNormEpsilon).flatten(2);
    return (each * at::rsqrt((each * each).sum(-1, /*keepdim=*/true) + kUnitEpsilon)).flatten(2);
  }

  // Splits an axis into [heads, share].
  Tensor heads_of(const Tensor& x, std::int64_t axis, std::int64_t heads) const {
    return x.unflatten(axis, {heads, heads > 0 ? x.size(axis) / heads : H_});
  }
  Tensor heads_of(const Tensor& x, std::int64_t axis) const { return heads_of(x, axis, H_); }

  Tensor given(const char* name) const {
    const auto found = context_.state.find(name);
    return found == context_.state.end() ? Tensor() : found->second;
  }

  // ----- Each head by itself -----

  // Head h of a tensor with an axis over all heads.
  Tensor of_head(const Tensor& x, std::int64_t axis, std::int64_t h) const {
    const std::int64_t share = x.size(axis) / H_;
    return x.narrow(axis, h * share, share);
  }
  Tensor stage_of_head(const Tensor& e, std::int64_t h) const {
    return e.dim() == 3 && p_.shares_stages ? e : of_head(e, e.dim() == 3 ? 2 : 0, h);
  }
  Tensor symbol_of_head(const Symbol& s, const Tensor& value, std::int64_t h) const {
    const std::string_view stem = lcsm::stem_of(s).name;
    if (H_ == 1 && !(s.axes == Axes::kNone && value.dim() == (stem == "p" ? 3 : 1))) return value;
    if (stem == "size" || stem == "index")
      return lcsm::fixed_tensor(s, p_.head_sizes(), wide_, context_.gpu);
    if (s.axes == Axes::kNone) return value.select(-1, h);
    return of_head(value, stem == "p" ? 2 : 0, h);
  }

  Tensor one_by_one(bool dense) {
    std::vector<Tensor> ys, memories, sums;
    for (std::int64_t h = 0; h < H_; ++h) {
      lcsm::RecurrenceInputs in;
      in.i = of_head(in_.i, 2, h);
      in.e = stage_of_head(in_.e, h);
      in.s = stage_of_head(in_.s, h);
      if (in_.s_imaginary.defined()) in.s_imaginary = of_head(in_.s_imaginary, 0, h);
      for (const auto& [s, value] : in_.symbols) in.symbols[s] = symbol_of_head(s, value, h);
      if (p_.decays) in.log_decay = in_.log_decay.select(2, h);
      if (const Tensor m = given("memory"); m.defined()) in.state.m = m.select(1, h);
      if (const Tensor sum = given("log_sum"); sum.defined()) in.state.log_sum = sum.select(1, h);
      const lcsm::RecurrenceResult result = c_.of_a_head(
          in, {dense ? lcsm::Backend::kReference : lcsm::Backend::kMachine, context_.gpu});
      ys.push_back(result.y);
      memories.push_back(result.state.m);
      if (result.state.log_sum.defined()) sums.push_back(result.state.log_sum);
    }
    state_["memory"] = at::stack(memories, 1);
    if (!sums.empty()) state_["log_sum"] = at::stack(sums, 1);
    return H_ == 1 ? ys[0] : at::cat(ys, 2);
  }

  // ----- The heads as elements of a batch, [B H, T, share] -----

  Tensor into_batch(const Tensor& x) const {
    return heads_of(x, 2).transpose(1, 2).flatten(0, 1).contiguous();
  }
  Tensor stage_into_batch(const Tensor& e) const {
    if (!p_.shares_stages) return into_batch(e);
    return e.unsqueeze(1).expand({B_, H_, T_, rows_}).flatten(0, 1);
  }
  Tensor symbol_into_batch(const Symbol& s, const Tensor& value) const {
    if (!is_static_symbol(s)) {
      const Tensor batch = into_batch(value);
      return s.axes == Axes::kNone ? batch.squeeze(2) : batch;
    }
    const Tensor own = s.axes == Axes::kNone ? value.view({1, H_, 1})
                                             : heads_of(value, 0).unsqueeze(0).unsqueeze(2);
    if (s.axes == Axes::kNone) return own.expand({B_, H_, T_}).flatten(0, 1);
    return own.expand({B_, H_, T_, own.size(3)}).flatten(0, 1);
  }

  Tensor batched() {
    lcsm::RecurrenceInputs in;
    in.i = into_batch(in_.i);
    in.e = stage_into_batch(in_.e);
    in.s = stage_into_batch(in_.s);
    for (const auto& [s, value] : in_.symbols) {
      const std::string_view stem = lcsm::stem_of(s).name;
      if (stem == "size")
        in.symbols[s] = lcsm::fixed_tensor(s, p_.head_sizes(), wide_, context_.gpu);
      else if (stem == "index")
        in.symbols[batched_symbol(s)] = symbol_into_batch(
            s, lcsm::fixed_tensor(s, p_.head_sizes(), wide_, context_.gpu).repeat({H_}));
      else
        in.symbols[is_static_symbol(s) ? batched_symbol(s) : s] = symbol_into_batch(s, value);
    }
    if (p_.decays) in.log_decay = in_.log_decay.transpose(1, 2).flatten(0, 1);
    if (const Tensor m = given("memory"); m.defined()) in.state.m = m.flatten(0, 1);
    if (const Tensor sum = given("log_sum"); sum.defined()) in.state.log_sum = sum.flatten(0, 1);
    const lcsm::RecurrenceResult result = (*c_.of_batch)(in, context_.gpu);
    state_["memory"] = heads_of(result.state.m, 0, B_);
    if (result.state.log_sum.defined()) state_["log_sum"] = heads_of(result.state.log_sum, 0, B_);
    return heads_of(result.y, 0, B_).transpose(1, 2).flatten(2);
  }

  // ----- After the recurrence -----

  // s_t . (u e_t) i_t of each head.
  Tensor bonus() const {
    const Tensor now = heads_of(in_.s * w_.at("bonus") * in_.e, 2).sum(3, /*keepdim=*/true);
    return (now * heads_of(in_.i, 2)).flatten(2);
  }

  Tensor gated(const Tensor& gate, const Tensor& y) const {
    using enum lcsm::Activation;
    const lcsm::Activation activation = p_.gate == OutputGate::kSilu      ? kSilu
                                        : p_.gate == OutputGate::kSigmoid ? kSigmoid
                                                                          : kIdentity;
    return lcsm::gated(activation, gate, y, is_dense() ? nullptr : context_.gpu);
  }

  Tensor normed(const Tensor& y) const {
    const bool by_heads = p_.norm == OutputNorm::kHeadLayer || p_.norm == OutputNorm::kHeadRms;
    const Tensor each = by_heads ? heads_of(y, 2) : y;
    const bool is_rms = p_.norm == OutputNorm::kRms || p_.norm == OutputNorm::kHeadRms;
    const Tensor unit = lcsm::normed_sum({.centered = !is_rms}, {}, each, lcsm::ReadBy::kAnything,
                                         is_dense() ? nullptr : context_.gpu)
                            .normed;
    const Tensor scaled = (by_heads ? unit.flatten(2) : unit) * w_.at("norm.weight");
    return (is_rms ? scaled : scaled + w_.at("norm.bias")).to(x_.scalar_type());
  }

  const CompiledEos& c_;
  const EosParts& p_;
  const lcsm::Weights& w_;
  const Tensor x_;
  const at::TensorOptions wide_;  // of numbers that x's type would round
  const lcsm::BlockContext& context_;
  const std::int64_t B_, T_, H_, rows_, width_;
  lcsm::RecurrenceInputs in_;  // of all heads
  lcsm::BlockState state_;
};

}  // namespace

EosLayer::EosLayer(EosParts parts)
    : compiled_(std::make_shared<const CompiledEos>(std::move(parts))) {}

lcsm::BlockResult EosLayer::operator()(const lcsm::Weights& weights, const Tensor& x,
                                       const lcsm::BlockContext& context) const {
  return EosPass(*compiled_, weights, x, context).run();
}

}  // namespace runner
