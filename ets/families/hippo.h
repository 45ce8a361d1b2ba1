// HiPPO-LegS: the matrix that remembers a function by its Legendre coefficients.
//   A[n,k] = -sqrt((2n+1)(2k+1)) for n > k, -(n+1) for n = k, 0 above
//   A + P P^T = V diag(rates) V^*, normal, with P[n] = sqrt(n + 1/2); the input matrix is
//   B[n] = sqrt(2n+1)
#pragma once

#include <cstdint>
#include <vector>

#include "ets/families/complex.h"

namespace ets {

struct Hippo {
  std::int64_t n = 0;
  std::vector<Complex> rates;    // -1/2 + i w, w ascending; in conjugate pairs
  std::vector<Complex> vectors;  // V, row by row; the phase of each column makes V^* P > 0
  std::vector<double> low_rank;  // V^* P
  std::vector<double> input;     // V^* B; real, because B is sqrt(2) P

  Complex vector(std::int64_t row, std::int64_t column) const {
    return vectors[static_cast<std::size_t>(row * n + column)];
  }
};

const Hippo& hippo(std::int64_t n);  // solved once for each n

}  // namespace ets
