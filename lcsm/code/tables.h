// The paper's tables, one row each: oscillations (Table 3 and its relatives) and activations.
// Layer, plan, parameter count, help, tests and completion all read these rows.
#pragma once

#include <array>
#include <span>
#include <string_view>

namespace lcsm {

// "symbol", "formula"; both empty = none.
struct NamedFormula {
  std::string_view symbol, formula;
};

struct OscillationRow {
  std::string_view name;  // as written in a code; in a `whole` row, the code itself
  std::string_view o;     // the gate; in a `matrix` row, the vector v of o = I - (scale e) v^T
  std::string_view help;
  std::string_view fixed = "";  // the gate with @o=fixed, "" = no such form
  std::string_view scale = "";  // multiplies e_t i_t, "" = 1
  std::string_view read = "";   // multiplies s_t, "" = 1; where given, a static e or s is 1
  std::array<NamedFormula, 6> inits = {};  // other than 0.1 * normal
  NamedFormula rank = {};                  // inner size of a low-rank projection
  std::string_view stored = "";  // numbers that the official layer keeps frozen and counts
  bool whole = false;            // is a code by itself: e = s = 1, no activation
  bool matrix = false;           // psi is the matrix product
  bool growth = false;           // may leave (-1, 1]
};

// Another form of an oscillation, `0-ces-0-0@form=real`: its differences from the row.
struct FormRow {
  std::string_view oscillation, form, help;
  std::string_view o = "", scale = "", read = "";  // "" = as in the row
  std::array<NamedFormula, 6> inits = {};          // initial values in place of the row's
};

struct ActivationRow {
  int a;
  std::string_view formula;  // of x
};

std::span<const OscillationRow> oscillation_rows();
std::span<const FormRow> form_rows();
std::span<const ActivationRow> activation_rows();  // row number = a

}  // namespace lcsm
