// The families of exponential smoothing, state spaces and their kin, one row each.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ets/families/options.h"
#include "lcsm/code/variant.h"

namespace ets {

struct FamilyRow;

// A family with its options and the number of channels filled in.
struct Variant {
  const FamilyRow* family = nullptr;
  Options options;
  std::int64_t d = 0;

  std::int64_t directions() const;
};

// A tensor of a layer. Names are a format: weights are saved under them.
struct Parameter {
  std::string name;
  std::vector<std::int64_t> shape;  // a complex tensor ends in 2: real, imaginary
  std::string init;                 // its first value, for people
  lcsm::ParameterGroup group = lcsm::ParameterGroup::kGate;
  // Draws the first values by name: they depend only on the seed, whatever else the layer contains.
  std::function<std::vector<double>(std::uint64_t seed)> first;
  bool of_kernel = true;  // false: around the convolution
  bool shared = false;    // one for all layers of a model

  std::int64_t count() const;
};

using Parameters = std::vector<Parameter>;

// The first lag of the backward direction's sum: 0 counts the present step twice.
enum class Lag : std::uint8_t { kZero = 0, kOne = 1, kCausalOnly };

struct FamilyRow {
  std::string_view name, help;
  Lag backward_lag;
  std::span<const OptionRow> options;
  Parameters (*tensors)(const Variant&);
  // Rules between options and sizes; throws std::invalid_argument.
  void (*check)(const Variant&);
};

std::span<const FamilyRow* const> family_rows();

// Null if there is none of that name.
const FamilyRow* family_named(std::string_view name);

// Throws std::invalid_argument where options or sizes do not fit together.
Variant make_variant(const FamilyRow& family, const Options& options, std::int64_t d);

// Lists the tensors in the order of the equations.
Parameters tensors_of(const Variant& variant);

// The part of a layer that belongs to another family: options of equal names have equal values.
Variant part_of(const Variant& whole, const FamilyRow& family, std::int64_t d);

// True if an output depends on later inputs, by the options "bidirectional" and "causal".
bool is_two_sided(const Variant& variant);

// ----- The rows, each in a file of its name -----

extern const FamilyRow kCes, kEma, kS4d, kS4, kDss, kS5, kH3, kTnn, kEtsmlp, kMegaFeed, kMega,
    kS4pp;

}  // namespace ets
