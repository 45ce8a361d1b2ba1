// The blocks that every test of blocks runs: each row once or more, with the options that matter.
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
