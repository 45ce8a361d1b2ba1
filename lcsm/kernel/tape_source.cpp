#include "lcsm/kernel/tape_source.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <stdexcept>

namespace lcsm {
namespace {

// The operations of cpu/tape_cpu-inl.h: `a`, `b` and `c` stand for the operands.
struct Row {
  TapeOp op;
  const char* source;
  const char* slope = "";  // of kSigmoidPower, into Tape::slope
};
constexpr std::array kRows = {
    Row{TapeOp::kAdd, "a + b"},
    Row{TapeOp::kSubtract, "a - b"},
    Row{TapeOp::kMultiply, "a * b"},
    Row{TapeOp::kDivide, "a / b"},
    Row{TapeOp::kMin, "smaller(a, b)"},
    Row{TapeOp::kMax, "larger(a, b)"},
    Row{TapeOp::kExpTimes, "expf(a * b)"},
    Row{TapeOp::kSigmoidOf, "sigmoid_of(a, b)"},
    Row{TapeOp::kSoftplusOf, "softplus_of(a, b)"},
    Row{TapeOp::kSigmoidPower, "sigmoid_power(a * b, c)", "sigmoid_power_slope(a * b, c)"},
    Row{TapeOp::kNegate, "-a"},
    Row{TapeOp::kAbs, "fabsf(a)"},
    Row{TapeOp::kStep, "step_of(a)"},
    Row{TapeOp::kSqrt, "sqrtf(a)"},
    Row{TapeOp::kTanh, "tanhf(a)"},
    Row{TapeOp::kElu, "elu_of(a)"},
    Row{TapeOp::kLog, "logf(a)"},
    Row{TapeOp::kExp, "expf(a)"},
    Row{TapeOp::kExpDown, "exp_down(a)"},
    Row{TapeOp::kCos, "cosf(a)"},
    Row{TapeOp::kSin, "sinf(a)"},
};

const Row& row_of(TapeOp op) {
  for (const Row& row : kRows)
    if (row.op == op) return row;
  throw std::logic_error("tape_source: no row for operation " +
                         std::to_string(static_cast<int>(op)) + ": add one to kRows");
}

std::string number(double value) {
  if (std::isnan(value)) return "__int_as_float(0x7fffffff)";
  if (std::isinf(static_cast<float>(value)))
    return value < 0 ? "__int_as_float(0xff800000)" : "__int_as_float(0x7f800000)";
  char text[32];
  std::snprintf(text, sizeof text, "%.9gf", static_cast<double>(static_cast<float>(value)));
  std::string plain = text;
  if (plain.find_first_of(".e") == std::string::npos) plain.insert(plain.size() - 1, ".0");
  return value < 0 ? "(" + plain + ")" : plain;
}

class Printer {
 public:
  explicit Printer(const Tape& tape) : tape_(tape) {}

  std::string name_of(int value) const {
    const TapeValue& v = tape_.values[static_cast<std::size_t>(value)];
    if (v.leaf >= 0) return "x[" + std::to_string(v.leaf) + "]";
    return v.slot < 0 ? number(v.number) : "v" + std::to_string(value);
  }

  std::string list(const std::vector<Instruction>& list, bool slopes) const {
    std::string text;
    for (const Instruction& step : list) {
      const Row& row = row_of(step.op);
      text += defined(step.out, filled(row.source, step));
      if (slopes && *row.slope) text += defined(tape_.slope, filled(row.slope, step));
    }
    return text;
  }

 private:
  static std::string defined(int value, const std::string& by) {
    return "    const float v" + std::to_string(value) + " = " + by + ";\n";
  }

  // The row's source with the operands in place of the words a, b and c.
  std::string filled(const std::string& source, const Instruction& step) const {
    const auto in_word = [&](std::size_t at) {
      return at < source.size() && (isalnum(source[at]) || source[at] == '_');
    };
    std::string text;
    for (std::size_t at = 0; at < source.size(); ++at) {
      const char letter = source[at];
      const bool operand = letter >= 'a' && letter <= 'c' && !in_word(at + 1) && !in_word(at - 1);
      const int value = letter == 'a' ? step.a : letter == 'b' ? step.b : step.c;
      text += operand ? name_of(value) : std::string(1, letter);
    }
    return text;
  }

  const Tape& tape_;
};

std::string constant(const char* name, bool value) {
  return std::string("  static constexpr bool ") + name + " = " + (value ? "true" : "false") +
         ";\n";
}

std::string gradient_source(const Tape& tape, const Printer& print) {
  const auto given = [&](int value) { return value < 0 ? "none" : print.name_of(value); };
  std::string text =
      "  template <class Pass>\n"
      "  static __device__ void gradient(const float* x, const Pass& pass, float* d) {\n" +
      print.list(tape.gate, true);
  std::string unused = tape.d_w < 0 ? "    float none = 0;\n" : "";
  text += "    float " + given(tape.d_o) + " = 0" +
          (tape.d_w < 0 ? "" : ", " + given(tape.d_w) + " = 0") + ";\n" + unused + "    pass(" +
          print.name_of(tape.o) + ", " + (tape.w < 0 ? "0.0f" : print.name_of(tape.w)) + ", " +
          (tape.slope < 0 ? "1.0f" : print.name_of(tape.slope)) + ", " + given(tape.d_o) + ", " +
          given(tape.d_w) + ");\n" + print.list(tape.gradient, false);
  for (const LeafSum& sum : tape.sums)
    text += "    d[" + std::to_string(sum.leaf) + "] += " + print.name_of(sum.a) +
            (sum.b < 0 ? "" : " * " + print.name_of(sum.b)) + ";\n";
  return text + "  }\n";
}

}  // namespace

std::string tape_source(const Tape& tape, const std::string& name) {
  if (tape.o < 0)
    throw std::invalid_argument("tape_source: expected a tape of o, got one of parts");
  const Printer print(tape);
  std::string spreads;
  int leaves = 0;
  for (const TapeValue& value : tape.values)
    if (value.leaf >= 0) {
      spreads += (leaves++ ? ", " : "") + std::to_string(static_cast<int>(value.spread));
    }
  return "struct " + name + " {\n  static constexpr int kLeaves = " + std::to_string(leaves) +
         ";\n" + constant("kWrites", tape.w >= 0) + constant("kByLog", tape.by_log) +
         "  __host__ __device__ static constexpr Spread spread(int n) {\n    constexpr int "
         "kSpreads[] = {" +
         (leaves ? spreads : "0") +
         "};\n    return static_cast<Spread>(kSpreads[n]);\n  }\n"
         "  static __device__ void gate(const float* x, float& o, float& w) {\n" +
         print.list(tape.gate, false) + "    o = " + print.name_of(tape.o) +
         ";\n    w = " + (tape.w < 0 ? "0.0f" : print.name_of(tape.w)) + ";\n  }\n" +
         gradient_source(tape, print) + "};\n";
}

}  // namespace lcsm
