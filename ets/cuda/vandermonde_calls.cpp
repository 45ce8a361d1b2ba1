#include "ets/cuda/vandermonde_calls.h"

#include "ets/cuda/kernel_headers.h"

namespace ets {
namespace {
constexpr std::array<unsigned, 3> kBlock = {kVandermondeLanes, kVandermondeWarps, 1};
}  // namespace

std::vector<lcsm::KernelCall> vandermonde_forward_calls(const VandermondeCuda& v) {
  return {lcsm::call_of(
      "vandermonde_forward",
      {static_cast<unsigned>(v.rows), lcsm::parts_of(v.length, kVandermondeTile), 1}, kBlock, v)};
}
std::vector<lcsm::KernelCall> vandermonde_backward_calls(const VandermondeCuda& v) {
  return {lcsm::call_of("vandermonde_backward", {static_cast<unsigned>(v.rows), 1, 1}, kBlock, v)};
}

lcsm::CudaSource vandermonde_source() {
  return {.text = "#include \"ets/cuda/vandermonde_cuda.cuh\"\nETS_VANDERMONDE_KERNELS()\n",
          .name = "vandermonde.cu",
          .headers = kernel_headers()};
}

}  // namespace ets
