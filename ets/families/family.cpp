#include "ets/families/family.h"

namespace ets {

std::span<const lcsm::BlockRow* const> family_rows() { return Families::rows; }

const lcsm::BlockRow* family_named(std::string_view name) {
  for (const lcsm::BlockRow* row : family_rows())
    if (row->name == name) return row;
  return nullptr;
}

}  // namespace ets
