// cuFFT's functions over the judge's or the host's memory, as plain float64 transforms. Calls that
// cuFFT would refuse, or does not support during graph capture, are errors.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <map>
#include <numbers>
#include <vector>

#include "ets/cuda/cufft.h"
#include "tests/ptx/memory.h"

namespace ets::test {

class FakeCufft {
 public:
  explicit FakeCufft(ptx::Memory& memory) : memory_(&memory) {}
  FakeCufft() = default;

  static constexpr std::size_t kWork = 64;
  int plans = 0, destroyed = 0, transforms = 0;

  Cufft functions() {
    Cufft cufft;
    cufft.create = [this](int* plan) { return *plan = ++plans, 0; };
    cufft.allocate_work = [this](int plan, int automatic) {
      return made_[plan].own_work = automatic == 0, 0;
    };
    cufft.make = [this](int plan, int rank, int* n, int* from_size, int from_step, int from,
                        int* to_size, int to_step, int to, int kind, int batch, std::size_t* work) {
      Made& made = made_[plan];
      const int complex = kind == kCufftToComplex ? to : from, real = from + to - complex;
      if (rank != 1 || from_step != 1 || to_step != 1 || from_size == nullptr ||
          to_size == nullptr || real != 2 * complex || real < 2 * (n[0] / 2 + 1))
        return kInvalid;
      made.points = n[0], made.stride = real, made.rows = batch, made.kind = kind;
      *work = kWork;
      return 0;
    };
    cufft.set_stream = [](int, lcsm::CudaHandle) { return 0; };
    cufft.set_work = [this](int plan, void* work) { return made_[plan].work = work, 0; };
    cufft.to_complex = [this](int plan, float* from, void* to) {
      return run(plan, kCufftToComplex, from, to);
    };
    cufft.to_real = [this](int plan, void* from, float* to) {
      return run(plan, kCufftToReal, from, to);
    };
    cufft.destroy = [this](int) { return ++destroyed, 0; };
    return cufft;
  }

 private:
  using Number = std::complex<double>;
  static constexpr int kInvalid = 4;  // CUFFT_INVALID_VALUE

  struct Made {
    int points = 0, stride = 0, rows = 0, kind = 0;
    bool own_work = false;
    void* work = nullptr;
  };

  int run(int plan, int kind, void* from, void* to) {
    const Made& made = made_[plan];
    if (made.kind != kind || from != to || !made.own_work || made.work == nullptr) return kInvalid;
    ++transforms;
    const auto N = static_cast<std::size_t>(made.points),
               stride = static_cast<std::size_t>(made.stride);
    std::vector<Number> turns(N);
    for (std::size_t n = 0; n < N; ++n)
      turns[n] = std::polar(1.0, 2 * std::numbers::pi * static_cast<double>(n) / made.points);
    std::vector<float> row(stride);
    for (int n = 0; n < made.rows; ++n) {
      float* const at = static_cast<float*>(from) + static_cast<std::size_t>(n) * stride;
      const auto address = reinterpret_cast<ptx::u64>(at);
      if (memory_ == nullptr)
        std::copy_n(at, stride, row.data());
      else
        memory_->read(address, row.data(), 4 * stride);
      kind == kCufftToComplex ? to_complex(turns, row) : to_real(turns, row);
      std::fill(row.begin() + made.points + 2, row.end(), NAN);  // the padding of a row
      if (memory_ == nullptr)
        std::copy_n(row.data(), stride, at);
      else
        memory_->write(address, row.data(), 4 * stride);
    }
    return 0;
  }
  static void to_complex(const std::vector<Number>& turns, std::vector<float>& row) {
    const std::size_t N = turns.size();
    const std::vector<float> x(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(N));
    for (std::size_t f = 0; f <= N / 2; ++f) {
      Number sum = 0;
      for (std::size_t t = 0; t < N; ++t)
        sum += static_cast<double>(x[t]) * std::conj(turns[f * t % N]);
      row[2 * f] = static_cast<float>(sum.real()), row[2 * f + 1] = static_cast<float>(sum.imag());
    }
  }
  static void to_real(const std::vector<Number>& turns, std::vector<float>& row) {
    const std::size_t N = turns.size();
    const std::vector<float> x = row;
    for (std::size_t t = 0; t < N; ++t) {
      double sum = 0;
      for (std::size_t f = 0; f <= N / 2; ++f) {
        const Number at(static_cast<double>(x[2 * f]), static_cast<double>(x[2 * f + 1]));
        sum += (f == 0 || 2 * f == N ? 1 : 2) * (at * turns[f * t % N]).real();
      }
      row[t] = static_cast<float>(sum);
    }
  }

  ptx::Memory* const memory_ = nullptr;
  std::map<int, Made> made_;
};

}  // namespace ets::test
