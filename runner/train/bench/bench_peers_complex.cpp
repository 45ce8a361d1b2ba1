// The loop over time for complex memories, and for memories that are read by weights.
#include <ATen/TensorOperators.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/cos.h>
#include <ATen/ops/real.h>
#include <ATen/ops/sin.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros_like.h>

#include "runner/train/bench/bench_peers.h"
#include "runner/train/bench/bench_peers_sequence.h"

namespace runner {
namespace {

using at::Tensor;

// Numbers that vary with the steps are computed at each of them, others once.
class ComplexLoop {
 public:
  ComplexLoop(const lcsm::Variant& v, const lcsm::RecurrenceInputs& in)
      : v_(v), sequence_(v, in), q_(gate()) {
    w_ = product(stage(in.e), weight(v.oscillation.scale));
    const Steps s = stage(in.s);
    if (in.s_imaginary.defined()) {
      const Tensor whole = number(in.s, in.s_imaginary);
      r_ = product([whole](std::int64_t) { return whole; }, weight(v.oscillation.read));
    } else {
      r_ = product(s, weight(v.oscillation.read));
    }
  }

  Tensor run(const Tensor& i) const {
    std::vector<Tensor> y;
    Tensor m;  // [B, K, D]
    for (std::int64_t t = 0; t < i.size(1); ++t) {
      const Tensor written = w_(t) * i.select(1, t).unsqueeze(1);
      m = m.defined() ? q_(t) * m + written : written;
      const Tensor read = (r_(t) * m).sum(1);
      y.push_back(v_.is_complex() ? at::real(read) : read);
    }
    return at::stack(y, 1);
  }

 private:
  // Complex where the memory is.
  Tensor number(const Tensor& re, const Tensor& im) const {
    if (!v_.is_complex()) return re;
    return at::complex(re.contiguous(), (im.defined() ? im : at::zeros_like(re)).contiguous());
  }

  // Computes once what does not vary with the steps, and the rest at each step.
  static Steps at_steps(const std::function<Tensor(std::int64_t)>& work, bool data) {
    if (data) return work;
    const Tensor once = work(0);
    return [once](std::int64_t) { return once; };
  }

  Steps gate() const {
    const Steps size = sequence_.steps(v_.gate.real);
    if (!v_.is_complex()) return size;
    const Steps angle = sequence_.steps(v_.gate.angle);
    const auto work = [=, this](std::int64_t t) {
      const Tensor a = angle(t), by = size(t);
      return number(by * at::cos(a), by * at::sin(a));
    };
    return at_steps(work, lcsm::type_of(v_.o()).data);
  }

  Steps weight(const lcsm::Expr& formula) const {
    const lcsm::ComplexParts parts = lcsm::weight_parts(formula, v_.o());
    const Steps re = sequence_.steps(parts.re);
    const Steps im = parts.im ? sequence_.steps(parts.im) : nullptr;
    const auto work = [=, this](std::int64_t t) {
      const Tensor real = re(t), imaginary = im ? im(t) : Tensor();
      return im ? number(real + at::zeros_like(imaginary), imaginary + at::zeros_like(real))
                : number(real, Tensor());
    };
    const bool data = lcsm::type_of(parts.re).data || (parts.im && lcsm::type_of(parts.im).data);
    return at_steps(work, data);
  }

  static Steps stage(const Tensor& whole) {
    return steps_of(whole, {true, whole.dim() == 2, whole.dim() == 3});
  }
  static Steps product(const Steps& stage, const Steps& weight) {
    return [=](std::int64_t t) { return stage(t) * weight(t); };
  }

  const lcsm::Variant& v_;
  const Sequence sequence_;
  const Steps q_;
  Steps w_, r_;
};

}  // namespace

Tensor complex_loop(const lcsm::Variant& v, const lcsm::RecurrenceInputs& in) {
  return ComplexLoop(v, in).run(in.i);
}

}  // namespace runner
