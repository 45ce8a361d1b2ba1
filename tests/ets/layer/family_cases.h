// One layer per family and form.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ets/layer/layer.h"

namespace ets {

struct FamilyCase {
  std::string family;
  std::vector<std::string> settings;

  std::string name() const;  // "ces bidirectional=true"
  lcsm::Block variant(std::int64_t d = 4) const;
};

// Every family with its options in turn, one direction and both.
std::vector<FamilyCase> family_cases();

// Wraps a part of another block as a block, with default texts.
template <class Family>
lcsm::Block part_block(const Family& fields, std::int64_t d) {
  const lcsm::BlockRow& row = lcsm::block_row<Family>;
  return {&row, lcsm::options_of(row), d, fields};
}

// The initial values of a layer, float64, requiring gradients.
lcsm::Weights weights_of(const lcsm::Block& variant, std::uint64_t seed = 1);

}  // namespace ets
