// The blocks in every test of blocks: each row at least once, with relevant options.
#pragma once

#include <string>
#include <vector>

#include "runner/models/blocks/block.h"

namespace runner {

struct BlockCase {
  std::string block;
  std::vector<std::string> settings;
  std::int64_t d = 8;

  std::string name() const;  // "mamba state=3"
  lcsm::Block variant() const;
};
const std::vector<BlockCase>& block_cases();

}  // namespace runner
