#include "lcsm/cuda/step/map_cuda.cuh"

// log(sigmoid(p_d)) w_d, as tape_source.h prints it.
struct Gate {
  static constexpr int kLeaves = 2;
  static constexpr bool kByLog = false;
  using Factors = lcsm::ScanFactors<1>;
  __host__ __device__ static constexpr lcsm::Spread spread(int n) {
    return n == 0 ? lcsm::Spread::kCells : lcsm::Spread::kChannels;
  }
  static __device__ void gate(const float* x, Factors& by) {
    by.o.x[0] = -lcsm::softplus_of(-x[0], lcsm::exp_down(x[0])) * x[1];
  }
  template <class Pass>
  static __device__ void gradient(const float* x, const Pass& pass, float* d) {
    Factors by, d_by = {};
    gate(x, by);
    pass(by, 1.0f, d_by);
    d[0] += d_by.o.x[0] * x[1] * lcsm::sigmoid_of(-x[0], lcsm::exp_down(x[0]));
    d[1] += d_by.o.x[0] * -lcsm::softplus_of(-x[0], lcsm::exp_down(x[0]));
  }
};
LCSM_MAP_KERNELS(map_float32_float32, Gate, float, float)
LCSM_MAP_KERNELS(map_bfloat16_bfloat16, Gate, lcsm::Bfloat16, lcsm::Bfloat16)
