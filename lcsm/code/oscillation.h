// An oscillation: the gate of a code, built in or a user's own. Both are made here, from text, and
// refused here when they make no sense.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lcsm/code/tables.h"
#include "lcsm/formula/formula.h"

namespace lcsm {

// A gate taken apart: o = real * cumsoftmax(cumulative) * rotate(angle); null = no such factor.
struct Gate {
  Expr real;  // the number 1 when there is nothing else
  Expr cumulative, angle;
};
Gate gate_of(const Expr& o);  // throws FormulaError where rotate or cumsoftmax is no factor

// A scale with the gate's own formula, and so its type and range, in place of `o`.
Expr with_gate(const Expr& scale, const Expr& o);

struct Oscillation {
  std::string name;
  Expr o;
  Expr fixed, scale;  // null = none
  std::map<Symbol, Expr> inits, ranks;
  Expr stored;  // null = nothing
  bool whole = false, matrix = false, growth = false;
  std::string help;
  std::string origin;  // where a user's own was defined, "file:line"; built in: empty
};

// What a user writes in `[oscillation.NAME]`.
struct OscillationText {
  std::string name{}, o{}, scale{}, help{};
  std::map<std::string, std::string> inits{}, ranks{};  // symbol -> formula
  bool growth = false;
  std::string origin{};
};

// Refused: which key ("o", "scale", "init.w_d", "name"), the column in its text, and why.
struct OscillationError : FormulaError {
  OscillationError(std::string key_, std::size_t column_, const std::string& what_)
      : FormulaError(column_, what_), key(std::move(key_)) {}
  std::string key;
  std::vector<OscillationError> more;  // what else is wrong with the same text
};

// Throws OscillationError: the first mistake, the others with it.
Oscillation make_oscillation(const OscillationText& text);

// What an oscillation says about itself that a user may not have meant; sentences.
std::vector<std::string> warnings_of(const Oscillation& oscillation);

// Every oscillation there is: the rows of the table, then the user's own in the order given.
class Catalogue {
 public:
  Catalogue();
  void add(Oscillation oscillation);  // throws OscillationError when the name is taken
  const Oscillation* find(std::string_view name) const;
  std::span<const Oscillation> all() const { return all_; }
  std::vector<std::string> names() const;

 private:
  std::vector<Oscillation> all_;
};

}  // namespace lcsm
