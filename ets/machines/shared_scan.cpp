#include "ets/machines/shared_scan.h"

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>

#include "ets/cpu/shared_scan_cpu.h"
#include "lcsm/machines/modes_op.h"
#include "lcsm/tensors/operation.h"

namespace ets {
namespace {

using at::Tensor;
using lcsm::data;
using lcsm::Tensors;

// Inputs: u, q, then the first state if there is one.
class Scan : public lcsm::Operation {
 public:
  explicit Scan(bool back) : back_(back) {}

  Tensors forward(const Tensors& in) const override {
    const Tensor h = at::empty_like(in[0]);
    AT_DISPATCH_FLOATING_TYPES(h.scalar_type(), "shared_scan", [&] {
      each_share(in[0], [&](std::int64_t b, std::int64_t first, std::int64_t last) {
        SharedScan<scalar_t> scan = scan_of<scalar_t>(in, h, b);
        shared_scan_kernels<scalar_t>().forward(scan, first, last);
      });
    });
    return {h};
  }

  Tensors backward(const Tensors& in, const Tensors& out, const Tensors& d_out) const override {
    if (!d_out[0].defined()) return Tensors(in.size());
    const Tensor d_h = d_out[0].contiguous(), d_u = at::empty_like(d_h);
    const Tensor d_q = at::empty({d_h.size(0), 2, d_h.size(3)}, in[1].options());
    const Tensor d_first = in.size() > 2 ? at::empty_like(in[2]) : Tensor();
    AT_DISPATCH_FLOATING_TYPES(d_h.scalar_type(), "shared_scan_backward", [&] {
      each_share(in[0], [&](std::int64_t b, std::int64_t first, std::int64_t last) {
        SharedScan<scalar_t> scan = scan_of<scalar_t>(in, out[0], b);
        scan.d_h = data<scalar_t>(d_h, b);
        scan.d_u = data<scalar_t>(d_u, b);
        scan.d_q = data<double>(d_q, b);
        scan.d_first = data<double>(d_first, b);
        shared_scan_kernels<scalar_t>().backward(scan, first, last);
      });
    });
    Tensors d_in{d_u, d_q.sum(0)};
    if (in.size() > 2) d_in.push_back(d_first);
    return d_in;
  }

 private:
  template <class T>
  SharedScan<T> scan_of(const Tensors& in, const Tensor& h, std::int64_t b) const {
    SharedScan<T> scan;
    scan.length = in[0].size(1);
    scan.M = in[0].size(3);
    scan.back = back_;
    scan.q = data<double>(in[1]);
    if (in.size() > 2) scan.first = data<double>(in[2], b);
    scan.u = data<T>(in[0], b);
    scan.h = data<T>(h, b);
    return scan;
  }

  // Calls work(b, first, last) for each sequence and group of modes; a group has four of the widest
  // vectors.
  template <class Work>
  static void each_share(const Tensor& u, const Work& work) {
    constexpr std::int64_t kModes = 32, kSteps = 1 << 12;  // worth a thread
    const std::int64_t M = u.size(3), groups = (M + kModes - 1) / kModes;
    at::parallel_for(0, u.size(0) * groups, (kSteps + u.size(1) - 1) / u.size(1),
                     [&](std::int64_t begin, std::int64_t end) {
                       for (std::int64_t n = begin; n < end; ++n)
                         work(n / groups, n % groups * kModes,
                              std::min(M, (n % groups + 1) * kModes));
                     });
  }

  const bool back_;
};

// Uses the sum of modes, whose inputs are real: the real and imaginary results for the real and the
// imaginary inputs are 4 M channels of one mode each.
Tensor scan_by_modes(const Tensor& u, const Tensor& q, const Tensor& first, bool back,
                     const lcsm::GpuOrCpu& gpu) {
  const std::int64_t B = u.size(0), T = u.size(1), M = u.size(3);
  const Tensor x = u.unsqueeze(3).expand({B, T, 2, 2, M}).reshape({B, T, 4 * M});
  const Tensor one = at::ones({M}, q.options().requires_grad(false)), none = at::zeros_like(one);
  lcsm::Direction direction{.back = back};
  direction.q = at::complex(q[0], q[1]).repeat({4}).unsqueeze(0);
  direction.c = at::complex(at::cat({one, none}), at::cat({none, -one})).repeat({2}).unsqueeze(0);
  if (first.defined()) {
    const Tensor whole =
        at::complex(first.select(1, 0).contiguous(), first.select(1, 1).contiguous());
    direction.u =
        at::cat({whole, whole, at::zeros_like(whole), at::zeros_like(whole)}, 1).unsqueeze(1);
  }
  const Tensor y = lcsm::modes_machine(x, {direction}, gpu)[0].view({B, T, 2, 2, M});
  const Tensor of_real = y.select(2, 0), of_imaginary = y.select(2, 1);  // [B, T, 2, M]
  return at::stack({of_real.select(2, 0) - of_imaginary.select(2, 1),
                    of_real.select(2, 1) + of_imaginary.select(2, 0)},
                   2);
}

}  // namespace

Tensor shared_scan(const Tensor& u, const Tensor& q, const Tensor& first, bool back,
                   const lcsm::GpuOrCpu& gpu) {
  if (gpu) return scan_by_modes(u, q, first, back, gpu);
  Tensors inputs{u.contiguous(), q.contiguous()};
  if (first.defined()) inputs.push_back(first.contiguous());
  return lcsm::differentiable(c10::make_intrusive<Scan>(back), inputs)[0];
}

}  // namespace ets
