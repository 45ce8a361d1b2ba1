#include "lcsm/delta_op.h"

#include <ATen/Dispatch.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include "lcsm/delta_cpu.h"
#include "lcsm/sweeps.h"

namespace lcsm {
namespace {

using at::Tensor;

template <class T>
T* data(const Tensor& tensor, std::int64_t b) {
  return tensor.defined() ? const_cast<T*>(tensor.const_data_ptr<T>()) + b * tensor.stride(0)
                          : nullptr;
}

class DeltaMachine : public Operation {
 public:
  DeltaMachine() { results = 2; }

  // y, m and w.
  Tensors forward(const Tensors& inputs) const override {
    const DeltaInputs in = named(inputs);
    const Tensor y = at::empty_like(in.i), w = at::empty_like(in.i), m = first_memory(in);
    AT_DISPATCH_FLOATING_TYPES(in.i.scalar_type(), "delta_machine", [&] {
      run<scalar_t>(in, {}, y, w, m, delta_kernels<scalar_t>().forward);
    });
    return {y, m, w};
  }

  // m_t = m_0 + sum u w^T and its gradient g_t = g_T + sum s d_y^T - sum v d_w^T are sums without
  // decay, so each gradient over k is one sweep for each sum.
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
    const Tensor m = turned(first_memory(in)), g = turned(d_m), none = at::zeros_like(m);
    AT_DISPATCH_FLOATING_TYPES(in.i.scalar_type(), "delta_machine_backward", [&] {
      run<scalar_t>(in, d_y, {}, d_w, d_m, delta_kernels<scalar_t>().backward);
      sweep<scalar_t>(Order::kForward, w, in.u, d_y, d_s, m.clone());
      sweep<scalar_t>(Order::kExclusive, w, in.u, d_w, d_v, m);
      sweep<scalar_t>(Order::kReverse, d_y, in.s, w, d_u, g);
      sweep<scalar_t>(Order::kReverseExclusive, d_w.neg(), in.v, w, d_u, none, /*add=*/true);
    });
    Tensors result{d_w, d_u, d_v.neg_(), d_s};
    if (inputs.size() > 4) result.push_back(d_m);
    return result;
  }

 private:
  static DeltaInputs named(const Tensors& inputs) {
    return {inputs[0], inputs[1], inputs[2], inputs[3], inputs.size() > 4 ? inputs[4] : Tensor()};
  }
  static Tensor first_memory(const DeltaInputs& in) {
    return in.m.defined() ? in.m.clone()
                          : at::zeros({in.i.size(0), in.u.size(2), in.i.size(2)}, in.i.options());
  }
  static Tensor turned(const Tensor& memory) {
    return memory.transpose(1, 2).clone(at::MemoryFormat::Contiguous);
  }

  template <class T>
  static void run(const DeltaInputs& in, const Tensor& d_y, const Tensor& y, const Tensor& w,
                  const Tensor& memory, void (*kernel)(const Delta<T>&)) {
    const std::int64_t T_ = in.i.size(1), K = in.u.size(2), D = in.i.size(2);
    each_columns<T>(in.i.size(0), D, 6.0 * static_cast<double>(in.i.numel() * K),
                    [&](std::int64_t b, std::int64_t first, std::int64_t last) {
                      Delta<T> delta;
                      delta.steps = T_;
                      delta.K = K;
                      delta.D = D;
                      delta.u = data<T>(in.u, b);
                      delta.v = data<T>(in.v, b);
                      delta.s = data<T>(in.s, b);
                      delta.i = data<T>(in.i, b);
                      delta.d_y = data<T>(d_y, b);
                      delta.y = data<T>(y, b);
                      delta.w = data<T>(w, b);
                      delta.memory = data<T>(memory, b);
                      delta.first = first;
                      delta.last = last;
                      kernel(delta);
                    });
  }

  // y[k] = sum_d c[d] M[d,k] with M = memory + sum a (x) x.
  template <class T>
  static void sweep(Order order, const Tensor& a, const Tensor& x, const Tensor& c,
                    const Tensor& y, const Tensor& memory, bool add = false) {
    const Chunks chunks = plain_chunks(x.size(1));
    run_sweeps<T>(x.size(0), column_groups<T>(x.size(0), x.size(2)),
                  [&](std::int64_t b, std::int64_t) {
                    Sweep<T> sweep;
                    sweep.deep = a.size(2);
                    sweep.wide = x.size(2);
                    sweep.a = data<T>(a, b);
                    sweep.c = data<T>(c, b);
                    sweep.x = data<T>(x, b);
                    sweep.y = data<T>(y, b);
                    sweep.order = order;
                    sweep.add = add;
                    sweep.chunks = &chunks;
                    sweep.memory = data<T>(memory, b);
                    return sweep;
                  });
  }
};

}  // namespace

Tensors delta_machine(const DeltaInputs& in) {
  Tensors inputs{in.i.contiguous(), in.u.contiguous(), in.v.contiguous(), in.s.contiguous()};
  if (in.m.defined()) inputs.push_back(in.m.contiguous());
  return differentiable(c10::make_intrusive<DeltaMachine>(), inputs);
}

}  // namespace lcsm
