#include "ets/kernels/cauchy.h"

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/imag.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/polar.h>
#include <ATen/ops/real.h>
#include <ATen/ops/view_as_complex.h>

#include <numbers>

#include "ets/cpu/cauchy_cpu.h"
#include "ets/kernels/cauchy_cuda.h"
#include "lcsm/tensors/operation.h"

namespace ets {
namespace {

using at::Tensor;
using lcsm::data;
using lcsm::Tensors;

// Inputs in float64: Re L and |L|^2 [D, M], Re v and Re(v conj(L)) [sums, D, M]; the result is
// [..., 2].
class CauchySums : public lcsm::Operation {
 public:
  CauchySums(std::int64_t length, at::ScalarType dtype) : length_(length), dtype_(dtype) {}

  Tensors forward(const Tensors& in) const override {
    const Tensor r = at::empty({in[2].size(0), in[0].size(0), length_ / 2 + 1, 2},
                               in[0].options().dtype(dtype_));
    AT_DISPATCH_FLOATING_TYPES(dtype_, "cauchy_sums", [&] {
      Cauchy<scalar_t> c = cauchy_of<scalar_t>(in);
      c.r = data<scalar_t>(r);
      each_share(in, [&](std::int64_t first, std::int64_t last) {
        cauchy_kernels<scalar_t>().forward(c, first, last);
      });
    });
    return {r};
  }

  Tensors backward(const Tensors& in, const Tensors&, const Tensors& d_out) const override {
    if (!d_out[0].defined()) return Tensors(in.size());
    const Tensor d_r = d_out[0].contiguous();
    Tensors d_in;
    for (const Tensor& each : in) d_in.push_back(at::empty_like(each));
    AT_DISPATCH_FLOATING_TYPES(dtype_, "cauchy_sums_backward", [&] {
      Cauchy<scalar_t> c = cauchy_of<scalar_t>(in);
      c.d_r = data<scalar_t>(d_r);
      c.d_real = data<double>(d_in[0]);
      c.d_square = data<double>(d_in[1]);
      c.d_v_real = data<double>(d_in[2]);
      c.d_v_rate = data<double>(d_in[3]);
      each_share(in, [&](std::int64_t first, std::int64_t last) {
        cauchy_kernels<scalar_t>().backward(c, first, last);
      });
    });
    return d_in;
  }

 private:
  template <class T>
  Cauchy<T> cauchy_of(const Tensors& in) const {
    Cauchy<T> c;
    c.D = in[0].size(0);
    c.M = in[0].size(1);
    c.length = length_;
    c.sums = in[2].size(0);
    c.real = data<double>(in[0]);
    c.square = data<double>(in[1]);
    c.v_real = data<double>(in[2]);
    c.v_rate = data<double>(in[3]);
    return c;
  }

  template <class Work>
  void each_share(const Tensors& in, const Work& work) const {
    constexpr std::int64_t kTerms = 1 << 14;  // worth a thread
    const std::int64_t channel = in[0].size(1) * (length_ / 2 + 1);
    at::parallel_for(0, in[0].size(0), (kTerms + channel - 1) / channel, work);
  }

  const std::int64_t length_;
  const at::ScalarType dtype_;
};

}  // namespace

Tensor roots_of_unity(std::int64_t L, const Tensor& like) {
  const Tensor angle = at::arange(L / 2 + 1, like.options().dtype(at::kDouble)) *
                       (-2 * std::numbers::pi / static_cast<double>(L));
  return at::polar(at::ones_like(angle), angle).to(like.options());
}

Tensor cauchy_formula(const Tensor& v, const Tensor& rates, std::int64_t L) {
  const Tensor w = roots_of_unity(L, rates), a = 2 * (1 - w), b = 1 + w;
  const auto term = [&](const Tensor& x, const Tensor& rate) {
    return (x.unsqueeze(-1) / (a - b * rate.unsqueeze(-1))).sum(-2);
  };
  return term(v, rates) + term(v.conj(), rates.conj());
}

Tensor cauchy_sums(const Tensor& v, const Tensor& rates, std::int64_t L,
                   const lcsm::GpuOrCpu& gpu) {
  TORCH_CHECK(v.dim() == 3 && (v.size(0) == 4 || v.size(0) == 6),
              "cauchy: expected v [4 or 6, D, M], got ", v.sizes());
  const Tensor wide = rates.to(at::kComplexDouble), values = v.to(at::kComplexDouble);
  const Tensor real = at::real(wide), imaginary = at::imag(wide);
  const at::ScalarType dtype = rates.scalar_type() == at::kComplexDouble ? at::kDouble : at::kFloat;
  const Tensors inputs{real.contiguous(), (real * real + imaginary * imaginary).contiguous(),
                       at::real(values).contiguous(), at::real(values * wide.conj()).contiguous()};
  return at::view_as_complex(
      gpu ? cauchy_sums_cuda(gpu, inputs, L)
          : lcsm::differentiable(c10::make_intrusive<CauchySums>(L, dtype), inputs)[0]);
}

}  // namespace ets
