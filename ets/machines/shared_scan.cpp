#include "ets/machines/shared_scan.h"

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

#include <algorithm>

#include "ets/cpu/shared_scan_cpu.h"
#include "lcsm/tensors/operation.h"

namespace ets {
namespace {

using at::Tensor;
using lcsm::data;
using lcsm::Tensors;

// Inputs: u, q, then the first state where there is one.
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

  // Sequences, in groups of modes of four of the widest vectors.
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

}  // namespace

Tensor shared_scan(const Tensor& u, const Tensor& q, const Tensor& first, bool back) {
  Tensors inputs{u.contiguous(), q.contiguous()};
  if (first.defined()) inputs.push_back(first.contiguous());
  return lcsm::differentiable(c10::make_intrusive<Scan>(back), inputs)[0];
}

}  // namespace ets
