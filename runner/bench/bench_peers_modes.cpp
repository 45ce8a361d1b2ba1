// The loop over time where e, o and s are static, for complex memories and those read by weights.
#include <ATen/TensorOperators.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/polar.h>
#include <ATen/ops/real.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros_like.h>

#include "lcsm/tensors/tensor_formula.h"
#include "runner/bench/bench_peers.h"

namespace runner {
namespace {

using at::Tensor;

// [K, D] or what broadcasts to it.
Tensor cells(const lcsm::Expr& formula, const lcsm::Variant& v, const lcsm::RecurrenceInputs& in) {
  const auto value = [&](const lcsm::Symbol& s) {
    if (lcsm::stem_of(s).name == "tau") return at::scalar_tensor(v.tau(), in.i.options());
    const Tensor& given = in.symbols.at(s);
    return s.axes == lcsm::Axes::kK && given.dim() == 1 ? given.unsqueeze(1) : given;
  };
  return lcsm::evaluate_tensor(formula, value, in.i.options());
}

// Complex where the memory is.
Tensor number(const Tensor& re, const Tensor& im, const lcsm::Variant& v) {
  if (!v.is_complex()) return re;
  return at::complex(re.contiguous(), (im.defined() ? im : at::zeros_like(re)).contiguous());
}

Tensor weight(const lcsm::Expr& formula, const lcsm::Variant& v, const lcsm::RecurrenceInputs& in) {
  const lcsm::ComplexParts parts = lcsm::weight_parts(formula, v.o());
  const auto all = [&](const lcsm::Expr& e) {
    return e ? cells(e, v, in).expand({v.sizes.k, v.sizes.d}) : Tensor();
  };
  return number(all(parts.re), all(parts.im), v);
}

}  // namespace

Tensor loop_of_modes(const lcsm::Variant& v, const lcsm::RecurrenceInputs& in) {
  Tensor q = cells(v.gate.real, v, in).expand({v.sizes.k, v.sizes.d});
  if (v.is_complex())
    q = at::polar(q.contiguous(), cells(v.gate.angle, v, in).expand_as(q).contiguous());
  const Tensor e = in.e * weight(v.oscillation.scale, v, in);
  const Tensor c = number(in.s, in.s_imaginary, v) * weight(v.oscillation.read, v, in);
  std::vector<Tensor> y;
  Tensor m;  // [B, K, D]
  for (const Tensor& i : in.i.unbind(1)) {
    const Tensor written = e * i.unsqueeze(1);
    m = m.defined() ? q * m + written : written;
    const Tensor read = (c * m).sum(1);
    y.push_back(v.is_complex() ? at::real(read) : read);
  }
  return at::stack(y, 1);
}

}  // namespace runner
