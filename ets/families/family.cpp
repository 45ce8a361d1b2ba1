#include "ets/families/family.h"

#include <array>
#include <stdexcept>

namespace ets {
namespace {

// In the order of the files, so that other tables can follow it.
const std::array<const FamilyRow*, 8>& rows() {
  static const std::array<const FamilyRow*, 8> all = {&kCes, &kEma, &kS4d, &kS4,
                                                      &kDss, &kS5,  &kH3,  &kTnn};
  return all;
}

}  // namespace

std::span<const FamilyRow* const> family_rows() { return rows(); }

const FamilyRow* family_named(std::string_view name) {
  for (const FamilyRow* row : rows())
    if (row->name == name) return row;
  return nullptr;
}

std::int64_t Variant::directions() const {
  return family->backward_lag != Lag::kCausalOnly && options.flag("bidirectional") ? 2 : 1;
}

std::int64_t Parameter::count() const {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) count *= size;
  return count;
}

Variant make_variant(const FamilyRow& family, const Options& options, std::int64_t d) {
  options.check();
  Variant variant{&family, options, d};
  if (family.check) family.check(variant);
  return variant;
}

Parameters tensors_of(const Variant& variant) { return variant.family->tensors(variant); }

}  // namespace ets
