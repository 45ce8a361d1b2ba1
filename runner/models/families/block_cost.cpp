#include "runner/models/families/block_cost.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace runner {
namespace {

// Weights that multiply no token: of convolutions, matrices over steps, and networks that make a
// kernel.
constexpr std::array<std::string_view, 5> kNoMatrices = {"conv.", "replay.", "spatial.",
                                                         "position.", "coefficient."};

// The numbers of the matrices that a token is multiplied by.
double matrices_of(const lcsm::Block& v) {
  double count = 0;
  for (const lcsm::Parameter& tensor : lcsm::tensors_of(v)) {
    const bool other = std::any_of(kNoMatrices.begin(), kNoMatrices.end(), [&](auto part) {
      return tensor.name.find(part) != std::string::npos;
    });
    if (tensor.shape.size() == 2 && tensor.name.ends_with(".weight") && !other && !tensor.shared)
      count += lcsm::real(tensor.count());
  }
  return count;
}

}  // namespace

BlockCost cost_of(const lcsm::Block& block, std::int64_t T) {
  lcsm::Mixing mixing = block.row->mixing(block, lcsm::real(T));
  return {std::move(mixing.machine), 2 * matrices_of(block) + mixing.flops,
          sees_later_steps(*block.row, block.options) ? 0 : mixing.state};
}

}  // namespace runner
