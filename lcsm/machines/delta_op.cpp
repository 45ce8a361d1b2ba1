#include "lcsm/machines/delta_op.h"

#include <ATen/Dispatch.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <functional>

#include "lcsm/cpu/delta_cpu.h"
#include "lcsm/machines/chunk_op.h"
#include "lcsm/tensors/shares.h"

namespace lcsm {
namespace {

using at::Tensor;

class DeltaMachine : public Operation {
 public:
  DeltaMachine() { results = 2; }

  // Returns y, m and w.
  Tensors forward(const Tensors& inputs) const override {
    const DeltaInputs in = named(inputs);
    const Tensor y = at::empty_like(in.i), w = at::empty_like(in.i), m = first_memory(in);
    const Tensor a = in.log_a.defined() ? at::exp(in.log_a) : Tensor();
    AT_DISPATCH_FLOATING_TYPES(in.i.scalar_type(), "delta_machine", [&] {
      each_sequence(in.i.size(0), flops(in, 6), [&](std::int64_t b, const Share& share) {
        run<scalar_t>(in, a, b, share, {}, y, w, m, delta_kernels<scalar_t>().forward);
      });
    });
    return {y, m, w};
  }

  // Without decay, m_t = m_0 + sum u w^T has the gradient g_t = g_T + sum s d_y^T - sum v d_w^T. So
  // each term of the gradients of s, v and u is one outer sum.
  Tensors backward(const Tensors& inputs, const Tensors& outputs,
                   const Tensors& d_outputs) const override {
    const DeltaInputs in = named(inputs);
    const Tensor& w = outputs[2];
    const Tensor d_y =
        d_outputs[0].defined() ? d_outputs[0].contiguous() : at::zeros_like(outputs[0]);
    const Tensor d_m = d_outputs[1].defined() ? d_outputs[1].clone(at::MemoryFormat::Contiguous)
                                              : at::zeros_like(outputs[1]);
    const Tensor d_w = at::empty_like(w), d_u = at::empty_like(in.u), d_v = at::empty_like(in.v),
                 d_s = at::empty_like(in.s);
    if (in.log_a.defined()) return decayed_backward(in, outputs, d_y, d_m, d_w);
    const Tensor m = transposed(first_memory(in)), g = transposed(d_m), none = at::zeros_like(m);
    const Tensor same = m.clone(), minus = at::empty_like(d_w);
    const Chunks chunks = even_chunks(in.i.size(1));
    AT_DISPATCH_FLOATING_TYPES(in.i.scalar_type(), "delta_machine_backward", [&] {
      using T = scalar_t;
      each_sequence(in.i.size(0), flops(in, 22), [&](std::int64_t b, const Share& share) {
        const auto sum = [&](Order order, const Tensor& a, const Tensor& x, const Tensor& c,
                             const Tensor& y, const Tensor& memory, bool add) {
          outer_sum<T>(chunks, b, share, order, a, x, c, y, memory, add);
        };
        run<T>(in, {}, b, share, d_y, {}, d_w, d_m, delta_kernels<T>().backward);
        std::transform(data<T>(d_w, b), data<T>(d_w, b) + d_w.stride(0), data<T>(minus, b),
                       std::negate<T>());
        sum(Order::kForward, w, in.u, d_y, d_s, m, false);
        sum(Order::kExclusive, w, in.u, minus, d_v, same, false);
        sum(Order::kReverse, d_y, in.s, w, d_u, g, false);
        sum(Order::kReverseExclusive, minus, in.v, w, d_u, none, true);
      });
    });
    Tensors result{d_w, d_u, d_v, d_s};
    if (inputs.size() > 4) result.push_back(d_m);
    return result;
  }

 private:
  static DeltaInputs named(const Tensors& inputs) {
    const auto given = [&](std::size_t n) { return inputs.size() > n ? inputs[n] : Tensor(); };
    return {inputs[0], inputs[1], inputs[2], inputs[3], given(4), given(5)};
  }

  // With decay, the chunk machine computes the four gradient sums, with rows and columns exchanged:
  // over m_t = a_t m_{t-1} + u_t w_t^T and, back in time, over g_t = s_t d_y_t^T + a_{t+1} (g_{t+1}
  // - v_{t+1} d_w_{t+1}^T).
  static Tensors decayed_backward(const DeltaInputs& in, const Tensors& outputs, const Tensor& d_y,
                                  const Tensor& d_m, const Tensor& d_w) {
    const Tensor& w = outputs[2];
    const Tensor g = d_m.clone(), m = transposed(first_memory(in));
    const Tensor a = at::exp(in.log_a);
    AT_DISPATCH_FLOATING_TYPES(in.i.scalar_type(), "delta_machine_backward", [&] {
      each_sequence(in.i.size(0), flops(in, 6), [&](std::int64_t b, const Share& share) {
        run<scalar_t>(in, a, b, share, d_y, {}, d_w, g, delta_kernels<scalar_t>().backward);
      });
    });
    const std::int64_t B = in.i.size(0), T = in.i.size(1);
    const Tensor log_a = in.log_a.unsqueeze(2);
    const Tensor later =
        at::cat({at::zeros({B, 1, 1}, log_a.options()), log_a.flip(1).narrow(1, 0, T - 1)}, 1);
    const auto ahead = [&](const Tensor& i, const Tensor& e, const Tensor& s) {
      return chunk_machine({i, e, s, log_a, {}, m})[0];
    };
    const auto back = [&](const Tensor& i, const Tensor& e, const Tensor& s, const Tensor& last) {
      return chunk_machine({i.flip(1), e.flip(1), s.flip(1), later, {}, last})[0].flip(1);
    };
    const Tensor own = (w * d_w).sum(2, /*keepdim=*/true);  // the term of the step itself
    const Tensor d_s = ahead(in.u, w, d_y);
    const Tensor d_v = in.u * own - ahead(in.u, w, d_w);
    const Tensor d_u = back(in.s, d_y, w, transposed(d_m)) - back(in.v, d_w, w, {}) + in.v * own;
    // d log a_t = <a_t m_{t-1}, its gradient> = y_t d_y_t - i_t d_w_t + d log a_{t+1}
    const Tensor each = (outputs[0] * d_y - in.i * d_w).sum(2);
    const Tensor after = (outputs[1] * d_m).sum(at::IntArrayRef{1, 2}).unsqueeze(1);
    const Tensor d_log_a = at::cumsum(each.flip(1), 1).flip(1) + after;
    return {d_w, d_u, d_v, d_s, g, d_log_a};
  }

  static Tensor first_memory(const DeltaInputs& in) {
    return in.m.defined() ? in.m.clone()
                          : at::zeros({in.i.size(0), in.u.size(2), in.i.size(2)}, in.i.options());
  }
  static Tensor transposed(const Tensor& memory) {
    return memory.transpose(1, 2).clone(at::MemoryFormat::Contiguous);
  }

  // `by` k d floating-point operations per step.
  static double flops(const DeltaInputs& in, int by) {
    return by * static_cast<double>(in.i.numel() * in.u.size(2));
  }

  template <class T>
  static void run(const DeltaInputs& in, const Tensor& a, std::int64_t b, const Share& share,
                  const Tensor& d_y, const Tensor& y, const Tensor& w, const Tensor& memory,
                  void (*kernel)(const Delta<T>&)) {
    Delta<T> delta;
    delta.steps = in.i.size(1);
    delta.K = in.u.size(2);
    delta.D = in.i.size(2);
    delta.a = data<T>(a, b);
    delta.u = data<T>(in.u, b);
    delta.v = data<T>(in.v, b);
    delta.s = data<T>(in.s, b);
    delta.i = data<T>(in.i, b);
    delta.d_y = data<T>(d_y, b);
    delta.y = data<T>(y, b);
    delta.w = data<T>(w, b);
    delta.memory = data<T>(memory, b);
    each_column_group<T>(delta.D, share.threads, [&](std::int64_t first, std::int64_t last) {
      Delta<T> part = delta;
      part.first = first;
      part.last = last;
      kernel(part);
    });
  }

  // y[k] = sum_d c[d] M[d,k] with M = memory + sum a (x) x.
  template <class T>
  static void outer_sum(const Chunks& chunks, std::int64_t b, const Share& share, Order order,
                        const Tensor& a, const Tensor& x, const Tensor& c, const Tensor& y,
                        const Tensor& memory, bool add) {
    OuterSum<T> sum;
    sum.deep = a.size(2);
    sum.wide = x.size(2);
    sum.a = data<T>(a, b);
    sum.c = data<T>(c, b);
    sum.x = data<T>(x, b);
    sum.y = data<T>(y, b);
    sum.order = order;
    sum.add = add;
    sum.chunks = &chunks;
    sum.memory = data<T>(memory, b);
    run_outer_sum(sum, share.threads);
  }
};

}  // namespace

Tensors delta_machine(const DeltaInputs& in) {
  Tensors inputs{in.i.contiguous(), in.u.contiguous(), in.v.contiguous(), in.s.contiguous()};
  const bool decays = in.log_a.defined();
  if (in.m.defined() || decays)
    inputs.push_back(in.m.defined()
                         ? in.m.contiguous()
                         : at::zeros({in.i.size(0), in.u.size(2), in.i.size(2)}, in.i.options()));
  if (decays) inputs.push_back(in.log_a.contiguous());
  return differentiable(c10::make_intrusive<DeltaMachine>(), inputs);
}

}  // namespace lcsm
