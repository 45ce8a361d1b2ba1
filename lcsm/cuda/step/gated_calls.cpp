#include "lcsm/cuda/step/gated_calls.h"

#include <string>

namespace lcsm {
namespace {

// "silu_bfloat16_float32"
std::string name_of(const GatedWork& work) {
  const auto type = [](bool bfloat16) { return bfloat16 ? "_bfloat16" : "_float32"; };
  return std::string(kActivations[static_cast<int>(work.activation)]) + type(work.bfloat16_gate) +
         type(work.bfloat16_value);
}

// Numbers are read four at a time.
bool in_fours(const GatedWork& work) {
  const auto begins = [](const void* at, bool bfloat16) {
    return is_aligned(at, bfloat16 ? 8 : 16);
  };
  const GatedCuda& g = work.gated;
  const bool bfloat16_out = work.bfloat16_gate && work.bfloat16_value;
  const bool whole = g.gate_row == g.columns;
  return (whole ? g.count % 4 == 0 : g.columns % 4 == 0 && g.gate_row % 4 == 0) &&
         begins(g.gate, work.bfloat16_gate) && begins(g.d_gate, work.bfloat16_gate) &&
         begins(g.value, work.bfloat16_value) && begins(g.d_value, work.bfloat16_value) &&
         begins(g.out, bfloat16_out) && begins(g.d_out, bfloat16_out);
}

KernelCall call(const GatedWork& work, const char* way) {
  const int unit = in_fours(work) ? 4 : 1;
  return call_of(std::string("gated_") + way + "_" + name_of(work) + "_" + std::to_string(unit),
                 {parts_of(work.gated.count, kGatedThreads * kGatedUnits * unit), 1, 1},
                 {kGatedThreads, 1, 1}, work.gated);
}

}  // namespace

KernelCall gated_forward_call(const GatedWork& work) { return call(work, "forward"); }
KernelCall gated_backward_call(const GatedWork& work) { return call(work, "backward"); }

CudaSource gated_source(const GatedWork& work) {
  const auto type = [](bool bfloat16) { return bfloat16 ? "lcsm::Bfloat16" : "float"; };
  return {.text = "#include \"lcsm/cuda/step/gated_cuda.cuh\"\nLCSM_GATED_KERNELS(" +
                  name_of(work) + ", static_cast<lcsm::Activation>(" +
                  std::to_string(static_cast<int>(work.activation)) + "), " +
                  type(work.bfloat16_gate) + ", " + type(work.bfloat16_value) + ")\n",
          .name = "gated.cu"};
}

}  // namespace lcsm
