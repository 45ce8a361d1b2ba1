#include "ets/families/s4.h"

#include <cmath>

#include "ets/families/hippo.h"

namespace ets {
namespace {

using Group = lcsm::BlockTensors::Group;

// The discrete state matrix of one channel by its action on a row vector: y -> y A, where
// A = (I - step/2 (L - p p^*))^-1 (I + step/2 (L - p p^*)) over the modes and their conjugates.
class RowStep {
 public:
  RowStep(const std::vector<Complex>& rates, const lcsm::Values& p, double step) : p_(p) {
    Complex sum = 0;
    for (std::size_t n = 0; n < rates.size(); ++n) {
      plus_.push_back(1.0 + 0.5 * step * rates[n]);
      inverse_.push_back(1.0 / (1.0 - 0.5 * step * rates[n]));
      sum += inverse_[n] * p[n] * p[n];
    }
    half_ = 0.5 * step;
    woodbury_ = half_ / (1 + half_ * 2 * sum.real());
  }

  // Applies the step to a row vector whose entries are y and conj(y); p is real.
  void apply(std::vector<Complex>* y) const {
    double through = 0;  // y (I - ...)^-1 by the Woodbury formula
    for (std::size_t n = 0; n < y->size(); ++n)
      through += 2 * ((*y)[n] * inverse_[n]).real() * p_[n];
    double back = 0;
    for (std::size_t n = 0; n < y->size(); ++n) {
      (*y)[n] = ((*y)[n] - woodbury_ * through * p_[n]) * inverse_[n];
      back += 2 * (*y)[n].real() * p_[n];
    }
    for (std::size_t n = 0; n < y->size(); ++n) (*y)[n] = (*y)[n] * plus_[n] - half_ * back * p_[n];
  }

 private:
  const lcsm::Values p_;
  std::vector<Complex> plus_, inverse_;
  double half_ = 0, woodbury_ = 0;
};

lcsm::Values first_shrink_s4(const S4& s, std::int64_t d, std::uint64_t seed) {
  const std::int64_t M = s.modes;
  const Hippo& start = hippo(2 * M);
  const std::vector<Complex> rates(start.rates.begin(), start.rates.begin() + M);
  const lcsm::Values p(start.low_rank.begin(), start.low_rank.begin() + M);
  const lcsm::Values steps = lcsm::first_steps({s.step_min, s.step_max}, "raw_step", d, seed);
  lcsm::Random random = lcsm::random_for(seed, "shrink");
  std::vector<Complex> all, c(static_cast<std::size_t>(M));
  for (std::int64_t row = 0; row < s.directions() * d; ++row) {
    for (Complex& entry : c) {
      const double real = random.normal();
      entry = std::sqrt(0.5) * Complex(real, random.normal());
    }
    std::vector<Complex> later = c;
    const RowStep a(rates, p, steps[static_cast<std::size_t>(row % d)]);
    for (std::int64_t t = 0; t < s.length; ++t) a.apply(&later);
    for (std::size_t n = 0; n < c.size(); ++n)
      all.push_back(s.length == 0 ? c[n] : c[n] - later[n]);
  }
  return interleaved(all);
}

}  // namespace

lcsm::Parameters S4::tensors(std::int64_t d) const {
  const std::int64_t S = systems_of(kName, d), M = modes;
  const Hippo& start = hippo(2 * M);
  lcsm::Values frequencies, low_rank, input;
  for (std::size_t n = 0; n < static_cast<std::size_t>(M); ++n) {
    frequencies.push_back(start.rates[n].imag());
    low_rank.insert(low_rank.end(), {start.low_rank[n], 0});
    input.insert(input.end(), {start.input[n], 0});
  }
  lcsm::BlockTensors tensors;
  tensors.put_constant("log_decay", {S, M}, Group::kGate, std::log(0.5));
  tensors.put_rows("frequency", {S, M}, Group::kGate, "HiPPO-LegS, negative imaginary parts",
                   frequencies);
  tensors.put_rows("low_rank", {S, M, 2}, Group::kGate, "V^* P of HiPPO-LegS", low_rank);
  tensors.put_step({step_min, step_max}, "raw_step", {d}, step == "softplus");
  tensors.put_rows("expand", {S, M, 2}, Group::kGate, "V^* B of HiPPO-LegS", input);
  tensors.put("shrink", {directions(), d, M, 2}, Group::kMatrices,
              "C (I - A^length), C complex normal of variance 1",
              [s = *this, d](std::uint64_t seed) { return first_shrink_s4(s, d, seed); });
  put_around(d, &tensors);
  put_replay(d, &tensors);
  return tensors.take();
}

void S4::check(std::int64_t d) const { systems_of(kName, d); }

// The low-rank term couples each mode with its conjugate, so the state holds both.
lcsm::Mixing S4::mixing(std::int64_t d, double steps) const {
  const double width = lcsm::real(d);
  return with_replay(d, {"convolution by FFT", lcsm::fft_convolution_flops(width, 2 * steps),
                         4 * lcsm::real(modes) * width});
}

}  // namespace ets
