#include "lcsm/cuda/step/map_calls.h"

#include <algorithm>
#include <string>

#include "lcsm/base/name_hash.h"
#include "lcsm/cuda/scan/tape_source.h"

namespace lcsm {
namespace {

// "map_0123456789abcdef_bfloat16_float32"
std::string name_of(const MapWork& work) {
  const auto type = [](bool bfloat16) { return bfloat16 ? "_bfloat16" : "_float32"; };
  return "map_" + name_hash(tape_source(*work.tape, "Gate")) + type(work.bfloat16_leaves) +
         type(work.bfloat16_out);
}

// Numbers are read four at a time.
bool in_fours(const MapWork& work) {
  const auto begins = [](bool bfloat16) {
    return [bfloat16](const void* at) { return is_aligned(at, bfloat16 ? 8 : 16); };
  };
  const MapCuda& map = work.map;
  return map.count % 4 == 0 && std::ranges::all_of(map.leaves, begins(work.bfloat16_leaves)) &&
         std::ranges::all_of(map.d_leaves, begins(work.bfloat16_leaves)) &&
         begins(work.bfloat16_out)(map.out) && begins(work.bfloat16_out)(map.d_out);
}

KernelCall call(const MapWork& work, const char* way) {
  const int unit = in_fours(work) ? 4 : 1;
  return call_of(name_of(work) + "_" + way + "_" + std::to_string(unit),
                 {parts_of(work.map.count, kMapThreads * kMapUnits * unit), 1, 1},
                 {kMapThreads, 1, 1}, work.map);
}

}  // namespace

KernelCall map_forward_call(const MapWork& work) { return call(work, "forward"); }
KernelCall map_backward_call(const MapWork& work) { return call(work, "backward"); }

CudaSource map_source(const MapWork& work) {
  const auto type = [](bool bfloat16) { return bfloat16 ? "lcsm::Bfloat16" : "float"; };
  const std::string name = name_of(work);
  return {.text = "#include \"lcsm/cuda/step/map_cuda.cuh\"\nnamespace lcsm::" + name + " {\n" +
                  tape_source(*work.tape, "Gate") + "}\nLCSM_MAP_KERNELS(" + name +
                  ", lcsm::" + name + "::Gate, " + type(work.bfloat16_leaves) + ", " +
                  type(work.bfloat16_out) + ")\n",
          .name = name + ".cu"};
}

}  // namespace lcsm
