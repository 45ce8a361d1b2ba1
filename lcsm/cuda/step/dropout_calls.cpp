#include "lcsm/cuda/step/dropout_calls.h"

namespace lcsm {

KernelCall dropout_call(DropoutCuda dropout, bool bfloat16) {
  const auto begins = [](const void* at) { return is_aligned(at, 16); };
  dropout.aligned = begins(dropout.x) && begins(dropout.out);
  constexpr int kOfBlock = kDropoutThreads * kDropoutPlaces;
  return call_of(bfloat16 ? "dropout_bfloat16" : "dropout_float32",
                 {parts_of(dropout.count, kOfBlock), 1, 1}, {kDropoutThreads, 1, 1}, dropout);
}

CudaSource dropout_source() {
  return {.text = "#include \"lcsm/cuda/step/dropout_cuda.cuh\"\nLCSM_DROPOUT_KERNELS()\n",
          .name = "dropout.cu"};
}

}  // namespace lcsm
