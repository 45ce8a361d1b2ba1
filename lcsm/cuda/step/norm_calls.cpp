#include "lcsm/cuda/step/norm_calls.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace lcsm {
namespace {

// Blocks that a processor runs at once; a backward pass has sums of its own in each.
constexpr int kForwardBlocks = 6, kBackwardBlocks = 2;

const char* type_name(bool bfloat16) { return bfloat16 ? "bfloat16" : "float32"; }

std::string types_of(const NormWork& work) {
  return std::string(type_name(work.bfloat16_x)) + "_" + type_name(work.bfloat16_y);
}

bool begins(const void* at, bool bfloat16 = false) { return is_aligned(at, bfloat16 ? 8 : 16); }
// Rows are read four numbers at a time.
bool in_fours(const NormWork& work) {
  const NormCuda& n = work.norm;
  return n.d % 4 == 0 && begins(n.x, work.bfloat16_x) && begins(n.d_x, work.bfloat16_x) &&
         begins(n.y, work.bfloat16_y) && begins(n.d_y, work.bfloat16_y) && begins(n.residual) &&
         begins(n.sum) && begins(n.d_sum) && begins(n.d_residual);
}

int team_of(int d) {
  if (d < 1 || d > kNormMost)
    throw std::invalid_argument("norm on a GPU: expected 1 to " + std::to_string(kNormMost) +
                                " channels, got " + std::to_string(d));
  const auto threads = static_cast<unsigned>((d + kNormNumbers - 1) / kNormNumbers);
  return static_cast<int>(std::max(unsigned{kNormTeam}, std::bit_ceil(threads)));
}

unsigned blocks_of(const NormWork& work, int of_processor) {
  const int at_once = kNormThreads / team_of(work.norm.d);
  return std::min(lcsm::parts_of(work.norm.rows, at_once),
                  static_cast<unsigned>(work.processors * of_processor));
}

KernelCall rows_call(const NormWork& work, const std::string& way, unsigned blocks) {
  NormCuda norm = work.norm;
  norm.team = team_of(norm.d);
  norm.aligned = begins(norm.weight) && begins(norm.bias);
  return call_of("norm_" + way + "_" + types_of(work) + (in_fours(work) ? "_4" : "_1"),
                 {blocks, 1, 1}, {kNormThreads, 1, 1}, norm);
}

}  // namespace

std::vector<KernelCall> norm_forward_calls(const NormWork& work) {
  const unsigned blocks = blocks_of(work, kForwardBlocks);
  if (blocks == 0) return {};
  return {rows_call(work, "forward", blocks)};
}

std::vector<KernelCall> norm_backward_calls(const NormWork& given, const Allocate& allocate) {
  NormWork work = given;
  const unsigned blocks = blocks_of(work, kBackwardBlocks);
  const auto d = static_cast<std::size_t>(work.norm.d);
  const bool sums = work.d_weight != nullptr || work.d_bias != nullptr;
  work.norm.partial =
      sums && blocks > 0
          ? static_cast<float*>(allocate("sums of columns", blocks * 2 * d * sizeof(float)))
          : nullptr;
  std::vector<KernelCall> calls;
  if (blocks > 0) calls.push_back(rows_call(work, "backward", blocks));
  if (sums)
    calls.push_back(call_of("norm_sum", {lcsm::parts_of(2ll * work.norm.d, kNormSumThreads), 1, 1},
                            {kNormSumThreads, kNormSumThreads, 1},
                            NormSumCuda{work.norm.d, static_cast<int>(blocks), work.norm.partial,
                                        work.d_weight, work.d_bias}));
  return calls;
}

CudaSource norm_source(const NormWork& work) {
  const auto type = [](bool bfloat16) { return bfloat16 ? "lcsm::Bfloat16" : "float"; };
  return {.text = "#include \"lcsm/cuda/step/norm_cuda.cuh\"\nLCSM_NORM_KERNELS(" + types_of(work) +
                  ", " + type(work.bfloat16_x) + ", " + type(work.bfloat16_y) +
                  ")\nLCSM_NORM_SUM()\n",
          .name = "norm.cu"};
}

}  // namespace lcsm
