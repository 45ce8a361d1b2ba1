// The functions of the formula language, one row each.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "lcsm/formula/interval.h"

namespace lcsm {

enum class Function : std::uint8_t {
  kExp,
  kLog,
  kSigmoid,
  kSoftplus,
  kTanh,
  kRelu,
  kElu,
  kSilu,
  kSqrt,
  kAbs,
  kMin,
  kMax,
  kStep,
  kCos,
  kSin,
  kRotate,
  kCumsoftmax,
  kComplex,
};

struct FunctionRow {
  Function function;
  std::string_view name;
  int arity;
  double (*value)(double, double);  // null: has no value at a single step
  Interval (*range)(const Interval&, const Interval&);
  int flops;                        // of a vector library's polynomial, for the cost model
  std::string_view unicode, latex;  // how the name prints
  std::array<std::string_view, 2> derivative;  // by x and by y, as formulas; "" where none
  std::string_view help;
};

std::span<const FunctionRow> functions();  // row number = the enum's value
const FunctionRow& row_of(Function f);

}  // namespace lcsm
