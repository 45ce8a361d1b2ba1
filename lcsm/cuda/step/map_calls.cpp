#include "lcsm/cuda/step/map_calls.h"

#include <algorithm>
#include <string>

#include "lcsm/base/name_hash.h"
#include "lcsm/cuda/scan/tape_source.h"

namespace lcsm {
namespace {

constexpr int kRowLanes = 32;  // where all cells are one row
constexpr int kSumBlocks = 4;  // of a processor; each has sums of its own

// "map_0123456789abcdef_bfloat16_float32"
std::string name_of(const MapWork& work) {
  const auto type = [](bool bfloat16) { return bfloat16 ? "_bfloat16" : "_float32"; };
  return "map_" + name_hash(tape_source(*work.tape, "Gate")) + type(work.bfloat16_leaves) +
         type(work.bfloat16_out);
}

// If no leaf has an axis of its own, all cells may be one row.
bool has_rows(const Tape& tape) {
  return std::ranges::any_of(tape.values, [](const TapeValue& value) {
    return value.leaf >= 0 && (value.spread == Spread::kSteps || value.spread == Spread::kChannels);
  });
}

// Four neighbouring cells are read together.
bool in_fours(const MapWork& work) {
  const auto begins = [](const void* at, bool bfloat16) {
    return is_aligned(at, bfloat16 ? 8 : 16);
  };
  const MapCuda& map = work.map;
  for (std::size_t n = 0; n < kMapLeaves && n < work.tape->values.size(); ++n) {
    const TapeValue& value = work.tape->values[n];
    if (value.leaf < 0 || value.spread != Spread::kCells) continue;
    if (!begins(map.leaves[n], work.bfloat16_leaves) ||
        !begins(map.d_leaves[n], work.bfloat16_leaves))
      return false;
  }
  return (has_rows(*work.tape) ? map.columns : map.count) % 4 == 0 &&
         begins(map.out, work.bfloat16_out) && begins(map.d_out, work.bfloat16_out);
}

int unit_of(const MapWork& work) { return in_fours(work) ? 4 : 1; }

MapCuda laid_out(const MapWork& work) {
  MapCuda map = work.map;
  const int unit = unit_of(work);
  if (!has_rows(*work.tape)) map.columns = kRowLanes * unit;
  map.rows = parts_of(map.count, map.columns);
  map.lanes = lanes_of(map.columns, unit);
  return map;
}

int tiles_of(const MapCuda& map, int unit) {
  return static_cast<int>(parts_of(map.columns, map.lanes * unit));
}

// Each block writes sums of its own, so where sums are wanted few blocks take many rows each.
long long blocks_of(const MapWork& work, const MapCuda& map, bool sums) {
  const long long all = parts_of(map.rows, kMapThreads / map.lanes * kMapRows);
  const int most = kSumBlocks * work.processors / tiles_of(map, unit_of(work));
  return sums ? std::clamp<long long>(most, 1, all) : all;
}

KernelCall call(const MapWork& work, const char* way, bool sums) {
  const MapCuda map = laid_out(work);
  const int unit = unit_of(work);
  return call_of(name_of(work) + "_" + way + "_" + std::to_string(unit),
                 {static_cast<unsigned>(blocks_of(work, map, sums)),
                  static_cast<unsigned>(tiles_of(map, unit)), 1},
                 {kMapThreads, 1, 1}, map);
}

}  // namespace

MapSums map_sums(const MapWork& work) {
  const MapCuda map = laid_out(work);
  return {blocks_of(work, map, work.sums), map.columns, tiles_of(map, unit_of(work))};
}

KernelCall map_forward_call(const MapWork& work) { return call(work, "forward", false); }
KernelCall map_backward_call(const MapWork& work) { return call(work, "backward", work.sums); }

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
