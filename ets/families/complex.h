// Complex values, as tensors hold them: real and imaginary parts interleaved.
#pragma once

#include <complex>
#include <vector>

namespace ets {

using Complex = std::complex<double>;

inline std::vector<double> interleaved(const std::vector<Complex>& values) {
  std::vector<double> parts;
  for (const Complex& value : values) {
    parts.push_back(value.real());
    parts.push_back(value.imag());
  }
  return parts;
}

}  // namespace ets
