#include "lcsm/layer/recurrence_modes.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/cos.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/imag.h>
#include <ATen/ops/real.h>
#include <ATen/ops/sin.h>
#include <ATen/ops/zeros_like.h>

#include "lcsm/machines/modes_op.h"

namespace lcsm {
namespace {

using at::Tensor;
using Cells = std::function<Tensor(const Expr&)>;

// A number of the memory: complex if the memory is complex.
Tensor memory_number(const Variant& v, const Tensor& re, const Tensor& im) {
  if (!v.is_complex()) return re;
  return at::complex(re.contiguous(), im.defined() ? im.contiguous() : at::zeros_like(re));
}

Tensor gate(const Compiled& compiled, const Cells& cells) {
  const Variant& v = compiled.v;
  const Expr& log_o = compiled.modes->log_o;
  const Tensor size = log_o ? at::exp(cells(log_o)) : cells(v.gate.real);
  if (!v.is_complex()) return size;
  const Tensor angle = cells(v.gate.angle);
  return memory_number(v, size * at::cos(angle), size * at::sin(angle));
}

// A static e or s times its scale or read.
Tensor weighted(const Variant& v, const Tensor& re, const Tensor& im, const ComplexParts& by,
                const Cells& cells) {
  return memory_number(v, re.to(at::kDouble), im.defined() ? im.to(at::kDouble) : Tensor()) *
         memory_number(v, cells(by.re), by.im ? cells(by.im) : Tensor());
}

// The memory as numbers [B, K, D]; a complex memory has its parts in the two halves of [B, 2K, D].
Tensor memory(const Variant& v, const Tensor& m) {
  const Tensor exact = m.to(at::kDouble);
  if (!v.is_complex()) return exact;
  return memory_number(v, exact.narrow(1, 0, v.sizes.k), exact.narrow(1, v.sizes.k, v.sizes.k));
}

}  // namespace

// u_t = o u_{t-1} + i_t, m = e u, y = Re(s e u). A second sum of modes computes what an initial m
// adds to y and to the last m.
RecurrenceResult recurrence_modes(const Compiled& compiled, const RecurrenceInputs& in,
                                  const Cells& cells, const GpuOrCpu& gpu) {
  const Variant& v = compiled.v;
  const Tensor o = gate(compiled, cells);
  const Tensor e = weighted(v, in.e, Tensor(), compiled.modes->scale, cells);
  const Tensor s = weighted(v, in.s, in.s_imaginary, compiled.modes->read, cells);
  const Tensors out = modes_machine(in.i, {{.q = o, .c = e * s}}, gpu);
  Tensor y = out[0], m = e * out[1];
  if (in.state.m.defined()) {
    const Tensors rest = modes_machine(at::zeros_like(in.i), {{o, s, memory(v, in.state.m)}}, gpu);
    y = y + rest[0];
    m = m + rest[1];
  }
  if (v.is_complex()) m = at::cat({at::real(m), at::imag(m)}, 1);
  return {y, {m.to(state_dtype(in.i.scalar_type())), {}}};
}

}  // namespace lcsm
