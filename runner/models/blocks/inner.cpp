#include "runner/models/blocks/inner.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/log1p.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/softplus.h>
#include <ATen/ops/zeros_like.h>

#include <array>
#include <cmath>
#include <stdexcept>

#include "runner/models/blocks/gates.h"

namespace runner {
namespace {

using at::Tensor;

class Inner {
 public:
  Inner(const InnerInputs& inputs, const lcsm::Options& options, const lcsm::On& on)
      : inputs_(inputs), options_(options), on_(on) {}

  bool has(std::string_view name) const { return inputs_.contains(name); }
  const Tensor& at(std::string_view name) const { return inputs_.find(name)->second; }
  Tensor heads(std::string_view name) const { return heads_into_batch(at(name)); }
  template <class T>
  T options() const {
    return lcsm::read_options<T>(options_);
  }
  const lcsm::On& on() const { return on_; }

  // c q^T S_t, [B, T, H, V].
  Tensor attention(std::string_view gate, const Tensor& q, const Tensor& k, const Tensor& v,
                   std::map<lcsm::Symbol, Tensor> symbols = {}) const {
    return finished(gated(gate, {v, k, q, std::move(symbols), {}}, on_).y);
  }
  Tensor finished(const Tensor& o) const {
    return heads_from_batch(o, at("input.q").size(2)) * scale();
  }

 private:
  double scale() const {
    const double given = options<OutputScale>().scale;
    return given > 0 ? given : 1 / std::sqrt(static_cast<double>(at("input.q").size(3)));
  }

  const InnerInputs& inputs_;
  const lcsm::Options& options_;
  const lcsm::On& on_;
};

Tensor linear_attention(const Inner& in) {
  const auto options = in.options<LinearAttentionOptions>();
  const bool exp = options.feature == "exp";
  const auto feature = [&](const Tensor& x) { return exp ? at::exp(x) : x; };
  const Tensor q = feature(in.heads("input.q")), k = feature(in.heads("input.k")),
               v = in.heads("input.v");
  if (!options.normalize) return in.attention("10", q, k, v);
  const Tensor sums = gated("10",
                            {.i = at::cat({v, at::ones_like(v.narrow(2, 0, 1))}, 2),
                             .e = k,
                             .s = q,
                             .symbols = {},
                             .state = {}},
                            in.on())
                          .y;
  const Tensor scaled = in.finished(sums);
  const std::int64_t V = v.size(2);
  return scaled.narrow(3, 0, V) / (scaled.narrow(3, V, 1) + 1e-10);
}

Tensor simple_gla(const Inner& in) {
  const Tensor g = in.heads("input.g").squeeze(2);
  return in.attention("decay", in.heads("input.q"), in.heads("input.k"), in.heads("input.v"),
                      {{kP, g}});
}

Tensor gla(const Inner& in) {
  return in.attention("decay_k", in.heads("input.q"), in.heads("input.k"), in.heads("input.v"),
                      {{kPk, in.heads("input.gk")}});
}

Tensor retention(const Inner& in) {
  const Tensor q = in.heads("input.q");
  const std::int64_t H = in.at("input.q").size(2), B = in.at("input.q").size(0);
  const Tensor log_decay =
      at::log1p(-at::pow(2, -5 - at::arange(H, q.options().dtype(at::kDouble))));
  return in.attention(
      "bounded", q, in.heads("input.k"), in.heads("input.v"),
      {{kP, log_decay.to(q.scalar_type()).repeat({B}).unsqueeze(1).expand({B * H, q.size(1)})}});
}

// Delays by a step: zeros, then all steps but the last.
Tensor later(const Tensor& x) {
  return at::cat({at::zeros_like(x.narrow(1, 0, 1)), x.narrow(1, 0, x.size(1) - 1)}, 1);
}

// S_(t-1) is a recurrence of the delayed inputs.
Tensor rwkv6(const Inner& in) {
  const Tensor q = in.heads("input.q"), k = in.heads("input.k"), v = in.heads("input.v");
  const Tensor past =
      in.attention("decay_k", q, later(k), later(v), {{kPk, later(in.heads("input.w"))}});
  const Tensor share = (in.at("input.q") * in.at("input.u") * in.at("input.k")).sum(3, true);
  return past + in.finished(heads_into_batch(share * in.at("input.v")));
}

Tensor delta_rule(const Inner& in) {
  const Tensor k = in.heads("input.k");
  return in.attention("m2", in.heads("input.q"), k * in.heads("input.beta"), in.heads("input.v"),
                      {{kPk, k}});
}

Tensor two_keys(const Inner& in) {
  return in.attention("m2", in.heads("input.q"), in.heads("input.k"), in.heads("input.v"),
                      {{kPk, in.heads("input.kbar")}});
}

Tensor hgrn_scan(const Inner& in) {
  return gated("decay_d", {in.at("input.x"), {}, {}, {{kPd, in.at("input.g")}}, {}}, in.on()).y;
}

Tensor grouped(const Tensor& x) { return x.dim() == 3 ? x.unsqueeze(2) : x; }

Tensor selective_scan_row(const Inner& in) {
  Tensor step = in.at("input.delta");
  if (in.has("weight.delta_bias")) step = step + in.at("weight.delta_bias");
  if (in.options<SelectiveScanOptions>().softplus) step = at::softplus(step);
  const Tensor u = in.at("input.u");
  Tensor y =
      selective_scan(
          {u, step, grouped(in.at("input.B")), grouped(in.at("input.C")), in.at("weight.A"), {}},
          in.on())
          .y;
  if (in.has("weight.D")) y = y + in.at("weight.D") * u;
  return in.has("input.z") ? y * at::silu(in.at("input.z")) : y;
}

struct Equation {
  std::string_view name;
  Tensor (*forward)(const Inner&);
};

constexpr std::array kEquations = {
    Equation{"linear-attention", linear_attention},
    Equation{"simple-gla", simple_gla},
    Equation{"gla", gla},
    Equation{"retention", retention},
    Equation{"rwkv6", rwkv6},
    Equation{"hgrn-scan", hgrn_scan},
    Equation{"delta-rule", delta_rule},
    Equation{"two-keys", two_keys},
    Equation{"selective-scan", selective_scan_row},
};

// ----- What is refused -----

[[noreturn]] void refuse(const InnerRow& row, const InnerInput& input, const std::string& got) {
  std::string axes(input.axes);
  if (!input.other_axes.empty()) axes += " or " + std::string(input.other_axes);
  throw std::invalid_argument(std::string(row.name) + ": expected '" + std::string(input.name) +
                              "' over " + axes + ", got " + got);
}

bool fits(const Tensor& x, std::string_view axes, std::map<char, std::int64_t>& sizes) {
  if (x.dim() != static_cast<std::int64_t>(axes.size())) return false;
  for (std::size_t n = 0; n < axes.size(); ++n)
    if (sizes.emplace(axes[n], x.size(static_cast<int>(n))).first->second !=
        x.size(static_cast<int>(n)))
      return false;
  return true;
}

void check(const InnerRow& row, const InnerInputs& inputs) {
  std::map<char, std::int64_t> sizes;
  const Tensor* first = nullptr;
  for (const InnerInput& input : row.inputs) {
    const auto found = inputs.find(input.name);
    if (found == inputs.end()) {
      if (input.optional) continue;
      refuse(row, input, "none");
    }
    const Tensor& x = found->second;
    if (first == nullptr) first = &x;
    const std::string_view axes =
        x.dim() == static_cast<std::int64_t>(input.axes.size()) ? input.axes : input.other_axes;
    if (!fits(x, axes, sizes) || x.numel() == 0) refuse(row, input, c10::str(x.sizes()));
    if (x.scalar_type() != first->scalar_type() ||
        (x.scalar_type() != at::kDouble && x.scalar_type() != at::kFloat))
      refuse(row, input,
             std::string(at::toString(x.scalar_type())) + "; all are float64, or all float32");
  }
  if (sizes.contains('G') && sizes['D'] % sizes['G'] != 0)
    throw std::invalid_argument(std::string(row.name) + ": expected groups that divide the " +
                                std::to_string(sizes['D']) + " channels, got " +
                                std::to_string(sizes['G']));
}

}  // namespace

lcsm::RecurrenceResult selective_scan(const SelectiveScan& scan, const lcsm::On& on) {
  const std::int64_t G = scan.B.size(2), share = scan.u.size(2) / G;
  std::vector<Tensor> y, state;
  for (std::int64_t g = 0; g < G; ++g) {
    const auto own = [&](const Tensor& x, std::int64_t axis) {
      return x.narrow(axis, g * share, share);
    };
    const lcsm::RecurrenceResult part =
        gated("state_space",
              {own(scan.u, 2),
               scan.B.select(2, g),
               scan.C.select(2, g),
               {{kPd, own(scan.step, 2)}, {kWkd, own(scan.A, 0).t()}},
               {scan.state.defined() ? own(scan.state, 2) : Tensor(), {}}},
              on);
    y.push_back(part.y);
    state.push_back(part.state.m);
  }
  return G == 1 ? lcsm::RecurrenceResult{y[0], {state[0], {}}}
                : lcsm::RecurrenceResult{at::cat(y, 2), {at::cat(state, 2), {}}};
}

Tensor inner_forward(const InnerRow& row, const lcsm::Options& options, const InnerInputs& inputs,
                     const lcsm::On& on) {
  options.check();
  check(row, inputs);
  for (const Equation& equation : kEquations)
    if (equation.name == row.name) return equation.forward({inputs, options, on});
  throw std::logic_error("no equation named " + std::string(row.name));
}

}  // namespace runner
