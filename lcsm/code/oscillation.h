// An oscillation, the gate of a code, built in or custom. Both are built from text here; invalid
// ones are refused here.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "lcsm/code/tables.h"
#include "lcsm/formula/complex_parts.h"
#include "lcsm/formula/formula.h"

namespace lcsm {

// A gate by its factors: o = real * cumsoftmax(cumulative) * rotate(angle); null = no such factor.
struct Gate {
  Expr real;  // the number 1 when there is nothing else
  Expr cumulative, angle;
};
Gate gate_of(const Expr& o);  // throws FormulaError where rotate or cumsoftmax is not a factor

// A scale or read with the formulas of the gate in place of `o` and `q`.
Expr with_gate(const Expr& weight, const Expr& o);
// Replaces o by the gate size * rotate(angle); angle null = the gate is real.
Expr with_gate(const Expr& weight, const Expr& size, const Expr& angle);

struct Oscillation {
  std::string name;
  Expr o;
  Expr fixed, scale, read;  // null = none
  std::map<Symbol, Expr> inits, ranks;
  Expr stored;  // null = nothing
  bool whole = false, matrix = false, growth = false;
  std::string help;
  std::string origin;              // "file:line" of a custom oscillation; empty = built in
  std::string form;                // the name of this form; empty = the row itself
  std::vector<Oscillation> forms;  // the other forms
};

// The form with this name, "" = the oscillation itself; null = it has no such form.
const Oscillation* form_of(const Oscillation& oscillation, std::string_view form);

// The symbols of the gate, its scale and read, each once.
std::vector<Symbol> symbols_of(const Oscillation& oscillation);

// The real and imaginary parts of a weight, simplified; 1 for null.
ComplexParts weight_parts(const Expr& weight, const Expr& o);

// The text of a user's `[oscillation.NAME]` table.
struct OscillationText {
  std::string name{}, o{}, scale{}, read{}, help{};
  std::map<std::string, std::string> inits{}, ranks{};  // symbol -> formula
  bool growth = false;
  std::string origin{};
};

// A mistake: the key ("o", "scale", "read", "init.w_d", "name"), the column in its text, and the
// reason.
struct OscillationError : FormulaError {
  OscillationError(std::string key_, std::size_t column_, const std::string& what_)
      : FormulaError(column_, what_), key(std::move(key_)) {}
  std::string key;
  std::vector<OscillationError> more;  // further mistakes in the same text
};

// Throws OscillationError for the first mistake, with the others in `more`.
Oscillation make_oscillation(const OscillationText& text);

// True if the gate can leave (-1, 1], so that the memory could grow without bound.
bool can_grow(const Oscillation& oscillation);

// Warnings about what a user may not have intended, one sentence each.
std::vector<std::string> warnings_of(const Oscillation& oscillation);

// All oscillations: the table's rows, then custom ones in the order in which they were added.
class Catalogue {
 public:
  Catalogue();
  void add(Oscillation oscillation);  // throws OscillationError if the name is in use
  const Oscillation* find(std::string_view name) const;
  std::span<const Oscillation> all() const { return all_; }
  std::vector<std::string> names() const;

 private:
  std::vector<Oscillation> all_;
  std::unordered_map<std::string, std::size_t> places_;  // in all_, by name
};

}  // namespace lcsm
