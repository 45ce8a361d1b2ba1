// The symbols of a formula, one row per stem, with their meanings.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lcsm/formula/interval.h"

namespace lcsm {

enum class Axes : std::uint8_t { kNone, kK, kD, kKD };

// The origin of a symbol's values.
enum class Source : std::uint8_t {
  kData,     // from the input, new at each step
  kLearned,  // a parameter of the layer
  kFixed,    // computed once from sizes
  kOption,   // a number of the code's options
  kRandom,   // drawn when a parameter is initialized
};

// The place where a formula is used.
enum class FormulaUse : std::uint8_t {
  kGate,        // o of an oscillation
  kScale,       // scale and read, which may also use the gate, `o` and `q`
  kInit,        // the first value of a parameter: sizes, indices, random numbers
  kRank,        // inner size of a low-rank projection: sizes
  kActivation,  // a function of the symbol x
  kAny,         // our own tables
};

struct Symbol {
  std::uint8_t stem = 0;  // row of the table in symbols.cpp
  Axes axes = Axes::kNone;
  int number = 0;  // tells several of a kind apart: p_k is 0, p_k2 is 2
  friend auto operator<=>(const Symbol&, const Symbol&) = default;
};

struct SymbolStem {
  std::string_view name;
  std::string_view axes;  // the spellings allowed after "_", space-separated; "." = no suffix
  bool numbered;          // may carry a number
  Source source;
  Interval range;
  std::string_view uses;  // letters: g(ate) s(cale) i(nit) r(ank) a(ctivation)
  std::string_view unicode, latex;
  std::string_view help;
};

const SymbolStem& stem_of(const Symbol& s);

// A symbol by its name ("p_k2"); throws std::invalid_argument with the reason.
Symbol parse_symbol(std::string_view name, FormulaUse use = FormulaUse::kAny);

std::string to_string(const Symbol& s);
std::string_view to_string(Axes axes);  // "", "k", "d", "kd"
bool over_k(Axes axes);
bool over_d(Axes axes);

}  // namespace lcsm
