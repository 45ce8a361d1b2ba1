#include "ets/families/hippo.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>
#include <utility>

namespace ets {
namespace {

// Eigenvalues and eigenvectors of a Hermitian matrix by cyclic Jacobi rotations.
class Jacobi {
 public:
  Jacobi(std::int64_t n, std::vector<Complex> matrix) : n_(n), m_(std::move(matrix)) {
    v_.assign(m_.size(), 0);
    for (std::int64_t i = 0; i < n_; ++i) at(v_, i, i) = 1;
  }

  void solve() {
    double total = 0;
    for (const Complex& entry : m_) total += std::norm(entry);
    // Sweeps converge quadratically, so this stops within ten, or as soon as only rounding errors
    // are left.
    double before = total, left = off_diagonal();
    while (left > 1e-34 * total && left <= before) {
      for (std::int64_t p = 0; p < n_; ++p)
        for (std::int64_t q = p + 1; q < n_; ++q) rotate(p, q);
      before = std::exchange(left, off_diagonal());
    }
  }

  double value(std::int64_t i) { return at(m_, i, i).real(); }
  Complex entry(std::int64_t row, std::int64_t column) { return at(v_, row, column); }

 private:
  Complex& at(std::vector<Complex>& matrix, std::int64_t row, std::int64_t column) const {
    return matrix[static_cast<std::size_t>(row * n_ + column)];
  }

  double off_diagonal() {
    double sum = 0;
    for (std::int64_t p = 0; p < n_; ++p)
      for (std::int64_t q = 0; q < n_; ++q)
        if (p != q) sum += std::norm(at(m_, p, q));
    return sum;
  }

  void rotate(std::int64_t p, std::int64_t q) {
    const Complex m = at(m_, p, q);
    const double size = std::abs(m);
    if (size == 0) return;
    const double tau = (at(m_, q, q).real() - at(m_, p, p).real()) / (2 * size);
    const double t = (tau < 0 ? -1 : 1) / (std::abs(tau) + std::sqrt(1 + tau * tau));
    const double c = 1 / std::sqrt(1 + t * t);
    const Complex s = t * c * m / size;
    for (std::int64_t i = 0; i < n_; ++i) {
      turn(at(m_, i, p), at(m_, i, q), c, std::conj(s), s);
      turn(at(v_, i, p), at(v_, i, q), c, std::conj(s), s);
    }
    for (std::int64_t i = 0; i < n_; ++i) turn(at(m_, p, i), at(m_, q, i), c, s, std::conj(s));
    at(m_, p, q) = at(m_, q, p) = 0;
  }

  static void turn(Complex& a, Complex& b, double c, Complex of_a, Complex of_b) {
    const Complex old = a;
    a = c * old - of_a * b;
    b = of_b * old + c * b;
  }

  const std::int64_t n_;
  std::vector<Complex> m_, v_;
};

double low_rank_entry(std::int64_t i) { return std::sqrt(static_cast<double>(i) + 0.5); }

Hippo solved(std::int64_t n) {
  // A + P P^T + I/2 is skew: sqrt((2n+1)(2k+1)) / 2 above the diagonal. Times -i it is Hermitian.
  std::vector<Complex> matrix(static_cast<std::size_t>(n * n));
  for (std::int64_t row = 0; row < n; ++row)
    for (std::int64_t column = 0; column < n; ++column)
      matrix[static_cast<std::size_t>(row * n + column)] = {0, (row < column   ? -1
                                                                : row > column ? 1
                                                                               : 0) *
                                                                   low_rank_entry(row) *
                                                                   low_rank_entry(column)};
  Jacobi jacobi(n, std::move(matrix));
  jacobi.solve();
  std::vector<std::int64_t> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](std::int64_t a, std::int64_t b) { return jacobi.value(a) < jacobi.value(b); });

  Hippo result;
  result.n = n;
  result.vectors.resize(static_cast<std::size_t>(n * n));
  for (std::int64_t column = 0; column < n; ++column) {
    const std::int64_t from = order[static_cast<std::size_t>(column)];
    Complex p = 0;
    for (std::int64_t row = 0; row < n; ++row)
      p += std::conj(jacobi.entry(row, from)) * low_rank_entry(row);
    const Complex phase = p / std::abs(p);
    for (std::int64_t row = 0; row < n; ++row)
      result.vectors[static_cast<std::size_t>(row * n + column)] = jacobi.entry(row, from) * phase;
    result.rates.emplace_back(-0.5, jacobi.value(from));
    result.low_rank.push_back(std::abs(p));
    result.input.push_back(std::sqrt(2.0) * std::abs(p));
  }
  return result;
}

}  // namespace

const Hippo& hippo(std::int64_t n) {
  static std::mutex mutex;
  static std::map<std::int64_t, Hippo> known;
  const std::lock_guard lock(mutex);
  auto found = known.find(n);
  if (found == known.end()) found = known.emplace(n, solved(n)).first;
  return found->second;
}

}  // namespace ets
