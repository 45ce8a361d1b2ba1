#include "ets/cuda/cauchy_calls.h"

#include <stdexcept>

#include "ets/cuda/kernel_headers.h"

namespace ets {
namespace {

std::vector<lcsm::KernelCall> calls(const std::string& pass, const CauchyCuda& c, int sums,
                                    unsigned tiles) {
  if (sums != 4 && sums != 6)
    throw std::invalid_argument("the sums of S4 on a GPU: expected 4 or 6, got " +
                                std::to_string(sums));
  return {lcsm::call_of("cauchy_" + pass + "_" + std::to_string(sums),
                        {static_cast<unsigned>(c.D), tiles, 1}, {kCauchyLanes, kCauchyWarps, 1},
                        c)};
}

}  // namespace

std::vector<lcsm::KernelCall> cauchy_forward_calls(const CauchyCuda& c, int sums) {
  return calls("forward", c, sums, lcsm::parts_of(c.length / 2 + 1, kCauchyTile));
}
std::vector<lcsm::KernelCall> cauchy_backward_calls(const CauchyCuda& c, int sums) {
  return calls("backward", c, sums, 1);
}

lcsm::CudaSource cauchy_source() {
  return {.text = "#include \"ets/cuda/cauchy_cuda.cuh\"\nETS_CAUCHY_KERNELS()\n",
          .name = "cauchy.cu",
          .headers = kernel_headers()};
}

}  // namespace ets
