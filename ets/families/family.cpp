#include "ets/families/family.h"

#include <array>
#include <stdexcept>

#include "lcsm/base/row_names.h"

namespace ets {
namespace {

// Lists the families in the order of the files, so that other tables can follow it.
const std::array<const FamilyRow*, 12>& rows() {
  static const std::array<const FamilyRow*, 12> all = {
      &kCes, &kEma, &kS4d, &kS4, &kDss, &kS5, &kH3, &kTnn, &kEtsmlp, &kMegaFeed, &kMega, &kS4pp};
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

Variant part_of(const Variant& whole, const FamilyRow& family, std::int64_t d) {
  Options options(family.name, family.options);
  for (const OptionRow& row : family.options)
    if (lcsm::row_named(whole.options.rows(), row.name) != nullptr &&
        whole.options.is_set(row.name))
      options.set(row.name, whole.options.text(row.name));
  return make_variant(family, options, d);
}

bool is_two_sided(const Variant& variant) {
  const auto is = [&](std::string_view name, bool value) {
    return lcsm::row_named(variant.options.rows(), name) != nullptr &&
           variant.options.flag(name) == value;
  };
  return is("bidirectional", true) || is("causal", false);
}

}  // namespace ets
