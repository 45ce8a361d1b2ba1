#include "ets/families/family.h"

#include <array>

namespace ets {
namespace {

// Lists the families in the order of the files, so that other tables can follow it.
const std::array<const lcsm::BlockRow*, 12>& rows() {
  static const std::array<const lcsm::BlockRow*, 12> all = {
      &kCes, &kEma, &kS4d, &kS4, &kDss, &kS5, &kH3, &kTnn, &kEtsmlp, &kMegaFeed, &kMega, &kS4pp};
  return all;
}

}  // namespace

std::span<const lcsm::BlockRow* const> family_rows() { return rows(); }

const lcsm::BlockRow* family_named(std::string_view name) {
  for (const lcsm::BlockRow* row : rows())
    if (row->name == name) return row;
  return nullptr;
}

}  // namespace ets
