#include "lcsm/cuda/step/short_conv_calls.h"

#include <string>

namespace lcsm {
namespace {

constexpr int kTapsInFours = 4;  // with more, four channels would not fit the registers

// Four neighbouring channels are read together.
bool in_fours(const ShortConvWork& work) {
  const ShortConvCuda& c = work.conv;
  const auto begins = [&](const void* at) { return is_aligned(at, work.bfloat16 ? 8 : 16); };
  return work.taps <= kTapsInFours && c.d % 4 == 0 && c.row % 4 == 0 && begins(c.x) &&
         begins(c.y) && begins(c.d_x) && begins(c.d_y) && is_aligned(c.weight, 16);
}

int unit_of(const ShortConvWork& work) { return in_fours(work) ? 4 : 1; }

// "silu_bfloat16_4_1": four taps, one channel at a time.
std::string name_of(const ShortConvWork& work) {
  return std::string(kActivations[static_cast<int>(work.activation)]) +
         (work.bfloat16 ? "_bfloat16_" : "_float32_") + std::to_string(work.taps) + "_" +
         std::to_string(unit_of(work));
}

ShortConvCuda chosen(const ShortConvWork& work) {
  ShortConvCuda conv = work.conv;
  conv.lanes = lanes_of(conv.d, unit_of(work));
  conv.parts = static_cast<int>(parts_of(conv.steps, kConvThreads / conv.lanes * kConvSteps));
  return conv;
}

KernelCall call(const ShortConvWork& work, const char* way) {
  const ShortConvCuda conv = chosen(work);
  return call_of(std::string("short_conv_") + way + "_" + name_of(work),
                 {static_cast<unsigned>(short_conv_blocks(work)),
                  parts_of(conv.d, conv.lanes * unit_of(work)), 1},
                 {kConvThreads, 1, 1}, conv);
}

}  // namespace

KernelCall short_conv_forward_call(const ShortConvWork& work) { return call(work, "forward"); }
KernelCall short_conv_backward_call(const ShortConvWork& work) { return call(work, "backward"); }

long long short_conv_blocks(const ShortConvWork& work) {
  return work.sequences * chosen(work).parts;
}

CudaSource short_conv_source(const ShortConvWork& work) {
  return {.text = "#include \"lcsm/cuda/step/short_conv_cuda.cuh\"\nLCSM_SHORT_CONV_KERNELS(" +
                  name_of(work) + ", static_cast<lcsm::Activation>(" +
                  std::to_string(static_cast<int>(work.activation)) + "), " +
                  (work.bfloat16 ? "lcsm::Bfloat16" : "float") + ", " + std::to_string(work.taps) +
                  ", " + std::to_string(unit_of(work)) + ")\n",
          .name = "short_conv.cu"};
}

}  // namespace lcsm
