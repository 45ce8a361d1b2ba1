// The functions of cuFFT that we call, as one struct: found in libcufft at run time, replaced by
// others in tests. Plans are cached by size; the caller owns their work area, so that transforms
// can be captured in a graph.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "lcsm/cuda/driver/driver.h"
#include "lcsm/cuda/driver/kernel_call.h"

namespace ets {

// Handles, kinds and results as in cufft.h, which not every host has.
struct Cufft {
  using Plan = int;
  std::function<int(Plan* plan)> create;
  std::function<int(Plan plan, int automatic)> allocate_work;
  std::function<int(Plan plan, int rank, int* n, int* from_size, int from_step, int from_distance,
                    int* to_size, int to_step, int to_distance, int kind, int batch,
                    std::size_t* work)>
      make;
  std::function<int(Plan plan, lcsm::CudaHandle stream)> set_stream;
  std::function<int(Plan plan, void* work)> set_work;
  std::function<int(Plan plan, float* from, void* to)> to_complex;
  std::function<int(Plan plan, void* from, float* to)> to_real;
  std::function<int(Plan plan)> destroy;
};
constexpr int kCufftToComplex = 0x2a, kCufftToReal = 0x2c;  // CUFFT_R2C, CUFFT_C2R

// Throws lcsm::CudaError if the library, or a function in it, is missing.
Cufft open_cufft(const std::string& library = "");

// Rows of `points` real numbers, `stride` real numbers apart, in place.
struct FftCall {
  int points = 0, stride = 0, rows = 0;
  bool inverse = false;  // to real, not divided by the number of points
  float* data = nullptr;
};

// Threads may share it.
class CufftPlans {
 public:
  explicit CufftPlans(Cufft functions) : functions_(std::move(functions)) {}
  ~CufftPlans();
  CufftPlans(const CufftPlans&) = delete;

  // Queues a transform on the stream. The first call of a size makes the plan, and runs the
  // transform once before: cuFFT then loads its own kernels, which must not be captured. Throws
  // lcsm::CudaError.
  void run(const FftCall& call, lcsm::CudaHandle stream, const lcsm::Allocate& allocate);

 private:
  struct Kept {
    Cufft::Plan plan = 0;
    std::size_t work = 0;
  };
  Kept make(const FftCall& call) const;
  void check(int result, const FftCall& call, const char* work) const;
  int transform(const FftCall& call, const Kept& kept) const;

  const Cufft functions_;
  std::mutex mutex_;
  std::map<std::array<int, 4>, Kept> plans_;
};

}  // namespace ets
