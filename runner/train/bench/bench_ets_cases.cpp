// The cases of `bench ets` and their authors' formulations: a kernel over the whole length, then
// FFTs of twice that length.
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/clamp_max.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/einsum.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/expm1.h>
#include <ATen/ops/fft_irfft.h>
#include <ATen/ops/fft_rfft.h>
#include <ATen/ops/imag.h>
#include <ATen/ops/log.h>
#include <ATen/ops/real.h>
#include <ATen/ops/sigmoid.h>
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "runner/train/bench/bench_ets_case.h"

namespace runner {
namespace {

using at::Tensor;

Tensor steps(const Tensor& x) { return at::arange(x.size(1), x.options().requires_grad(false)); }

// The kernel [D, n], n <= 2 T, and the first T numbers of its circular convolution with x.
Tensor convolved(const Tensor& kernel, const Tensor& x) {
  const std::int64_t T = x.size(1);
  const Tensor spectrum = at::fft_rfft(x.transpose(1, 2), 2 * T) * at::fft_rfft(kernel, 2 * T);
  return at::fft_irfft(spectrum, 2 * T).narrow(-1, 0, T).transpose(1, 2);
}

// Joins both directions into one kernel of twice the length; the second begins at lag 1.
Tensor two_sided(const Tensor& kernels, std::int64_t T) {  // [G, D, T]
  if (kernels.size(0) == 1) return kernels[0];
  return at::constant_pad_nd(kernels[0], {0, T}) + at::constant_pad_nd(kernels[1].flip(-1), {T, 0});
}

// ETSMLP: the kernel as exponentials of complex64.
Tensor ces_by_fft(const EtsInputs& in, const ets::Options& options) {
  Tensor q = at::exp(ets::complex_of(in.weights.at("log_rate")));
  q = q * ets::complex_of(at::exp(in.weights.at("log_step")));
  q = at::complex(at::clamp_max(at::real(q), std::log(options.number("max_lambda"))), at::imag(q));
  const Tensor weight = at::exp(ets::complex_of(in.weights.at("log_expand"))) * (1 - at::exp(q));
  const Tensor powers = at::exp(q.unsqueeze(-1) * steps(in.x));
  return convolved(two_sided(at::real(weight.unsqueeze(-1) * powers), in.x.size(1)), in.x);
}

// MEGA: h kernels per channel, summed, truncated if the option says so.
Tensor ema_by_fft(const EtsInputs& in, const ets::Options& options) {
  const Tensor p = at::sigmoid(in.weights.at("smoothing_logit"))[0],
               q = 1 - p * at::sigmoid(in.weights.at("damping_logit"))[0];  // [D, h]
  const std::int64_t cut = options.integer("truncation");
  const Tensor t = cut > 0 ? steps(in.x).narrow(0, 0, std::min(cut, in.x.size(1))) : steps(in.x);
  const Tensor kernel =
      (p * in.weights.at("expand")[0]).unsqueeze(-1) * at::exp(t * at::log(q).unsqueeze(-1));
  const double scale = 1 / std::sqrt(static_cast<double>(p.size(1)));
  return convolved(at::einsum("dhl,dh->dl", {kernel, in.weights.at("shrink")[0] * scale}), in.x);
}

// S4D: the naive Vandermonde product of complex64.
Tensor s4d_by_vandermonde(const EtsInputs& in, const ets::Options&) {
  const auto& w = in.weights;
  const Tensor A = at::complex(-at::exp(w.at("log_decay")), w.at("frequency"));
  const Tensor dtA = A * at::exp(w.at("raw_step")).unsqueeze(-1);
  const Tensor C =
      ets::complex_of(w.at("shrink"))[0] * ets::complex_of(w.at("expand")) * at::expm1(dtA) / A;
  const Tensor powers = at::exp(dtA.unsqueeze(-1) * steps(in.x));
  return convolved(2 * at::real(at::einsum("dn,dnl->dl", {C, powers})), in.x);
}

Tensor long_by_fft(const EtsInputs& in, const ets::Options&) {
  return convolved(in.weights.at("kernel")[0], in.x);
}

ets::Filter long_filter(const ets::Weights& weights, const ets::Options&, std::int64_t,
                        const lcsm::GpuOrCpu&) {
  ets::Filter filter;
  filter.kernel = ets::Taps{weights.at("kernel")};
  return filter;
}

}  // namespace

const std::vector<EtsCaseRow>& ets_case_rows() {
  static const std::vector<EtsCaseRow> rows = {
      {"ces",
       "complex exponential smoothing, both directions",
       &ets::kCes,
       {"bidirectional=true"},
       "fft",
       ets::ces_filter,
       ces_by_fft},
      {"ces1", "the same, one direction", &ets::kCes, {}, "fft", ets::ces_filter, ces_by_fft},
      {"ema",
       "one moving average a channel",
       &ets::kEma,
       {"modes=1"},
       "fft",
       ets::ema_filter,
       ema_by_fft},
      {"ema16",
       "16 of them, cut off after 1024 steps",
       &ets::kEma,
       {"modes=16", "truncation=1024"},
       "fft",
       ets::ema_filter,
       ema_by_fft},
      {"s4d",
       "32 complex modes a channel",
       &ets::kS4d,
       {"modes=32", "output=none"},
       "vandermonde",
       ets::s4d_filter,
       s4d_by_vandermonde},
      {"long",
       "a free kernel as long as the sequence",
       nullptr,
       {},
       "fft",
       long_filter,
       long_by_fft},
  };
  return rows;
}

const EtsCaseRow& ets_case_named(const std::string& name) {
  std::string names;
  for (const EtsCaseRow& row : ets_case_rows()) {
    if (row.name == name) return row;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", row.name);
  }
  throw std::invalid_argument(
      fmt::format("bench ets: --cases expects some of {}, got '{}'", names, name));
}

}  // namespace runner
