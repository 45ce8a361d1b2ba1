// Splits formulas with complex values into two real ones. rotate(a) is exp(i a), complex(a, b) is a
// + i b.
#pragma once

#include "lcsm/formula/formula.h"

namespace lcsm {

struct ComplexParts {
  Expr re, im;  // im: null where the value is real
};

// The simplified parts. + - * /, whole powers up to 8, abs, exp, rotate and complex accept complex
// arguments. Throws FormulaError if another function has one, or if the parts become too large.
ComplexParts complex_parts(const Expr& e);

// |e|, simplified: exact where e is a product with rotations.
Expr magnitude(const Expr& e);

}  // namespace lcsm
