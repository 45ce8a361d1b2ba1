#include "lcsm/cuda/scan/tape_source.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <stdexcept>

namespace lcsm {
namespace {

// CUDA code for the operations of cpu/tape_cpu-inl.h: `a`, `b` and `c` stand for the operands.
struct Row {
  TapeOp op;
  const char* source;
  const char* slope = "";  // of kSigmoidPower, into Tape::slope, beside the source that follows
  const char* with_slope = "";
  const char* inside = nullptr;  // where the result is not the gate itself
};
// exp inside a gate stops at 2^126, as in cpu/tape_functions_cpu-inl.h.
constexpr std::array kRows = {
    Row{TapeOp::kAdd, "a + b"},
    Row{TapeOp::kSubtract, "a - b"},
    Row{TapeOp::kMultiply, "a * b"},
    Row{TapeOp::kDivide, "a / b"},
    Row{TapeOp::kMin, "smaller(a, b)"},
    Row{TapeOp::kMax, "larger(a, b)"},
    Row{.op = TapeOp::kExpTimes,
        .source = "expf(a * b)",
        .inside = "smaller(expf(a * b), 8.50705917e37f)"},
    Row{TapeOp::kSigmoidOf, "sigmoid_of(a, b)"},
    Row{TapeOp::kSoftplusOf, "softplus_of(a, b)"},
    Row{TapeOp::kSigmoidPower, "sigmoid_power(a * b, c)", "sigmoid_power_slope(a * b, c)",
        "sigmoid_power_with_slope(a * b, c)"},
    Row{TapeOp::kNegate, "-a"},
    Row{TapeOp::kAbs, "fabsf(a)"},
    Row{TapeOp::kStep, "step_of(a)"},
    Row{TapeOp::kSqrt, "sqrtf(a)"},
    Row{TapeOp::kTanh, "tanhf(a)"},
    Row{TapeOp::kElu, "elu_of(a)"},
    Row{TapeOp::kLog, "logf(a)"},
    Row{.op = TapeOp::kExp, .source = "expf(a)", .inside = "smaller(expf(a), 8.50705917e37f)"},
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
      const bool sloped = slopes && *row.slope;
      const char* const source = row.inside && step.out != tape_.o ? row.inside : row.source;
      text += defined(step.out, filled(sloped ? row.with_slope : source, step));
      if (sloped) text += defined(tape_.slope, filled(row.slope, step));
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

// A number that the gate gives the pass, as a member of ScanFactors, and its gradient.
struct Given {
  std::string member;
  int value, gradient;
};
std::vector<Given> givens(const Tape& tape) {
  if (tape.parts.empty()) {
    std::vector<Given> all{{"o.x[0]", tape.o, tape.d_o}};
    if (tape.w >= 0) all.push_back({"w.x[0]", tape.w, tape.d_w});
    return all;
  }
  std::vector<Given> all;
  const std::size_t parts = parts_of(tape);
  for (std::size_t n = 0; n < tape.parts.size(); ++n)
    all.push_back({std::string(1, "owr"[n / parts]) + ".x[" + std::to_string(n % parts) + "]",
                   tape.parts[n].value, tape.parts[n].gradient});
  return all;
}

std::string gate_source(const Tape& tape, const Printer& print) {
  std::string text = "  static __device__ void gate(const float* x, Factors& by) {\n" +
                     print.list(tape.gate, false);
  for (const Given& each : givens(tape))
    text += "    by." + each.member + " = " + print.name_of(each.value) + ";\n";
  return text + "  }\n";
}

std::string gradient_source(const Tape& tape, const Printer& print) {
  std::string text =
      "  template <class Pass>\n"
      "  static __device__ void gradient(const float* x, const Pass& pass, float* d) {\n" +
      print.list(tape.gate, true) + "    Factors by, d_by = {};\n";
  std::string back;
  for (const Given& each : givens(tape)) {
    text += "    by." + each.member + " = " + print.name_of(each.value) + ";\n";
    back += "    const float v" + std::to_string(each.gradient) + " = d_by." + each.member + ";\n";
  }
  text += "    pass(by, " + (tape.slope < 0 ? "1.0f" : print.name_of(tape.slope)) + ", d_by);\n" +
          back + print.list(tape.gradient, false);
  for (const LeafSum& sum : tape.sums)
    text += "    d[" + std::to_string(sum.leaf) + "] += " + print.name_of(sum.a) +
            (sum.b < 0 ? "" : " * " + print.name_of(sum.b)) + ";\n";
  return text + "  }\n";
}

// True if o consists of parts that do not vary over time.
bool is_steady(const Tape& tape) {
  for (std::size_t n = 0; n < parts_of(tape) && n < tape.parts.size(); ++n) {
    const Spread spread = tape.values[static_cast<std::size_t>(tape.parts[n].value)].spread;
    if (over_steps(spread)) return false;
  }
  return !tape.parts.empty();
}

}  // namespace

std::size_t parts_of(const Tape& tape) {
  return tape.parts.size() % 2 == 0 && !tape.parts.empty() ? 2 : 1;
}

std::string tape_source(const Tape& tape, const std::string& name) {
  const Printer print(tape);
  const std::size_t parts = parts_of(tape);
  std::string spreads;
  int leaves = 0;
  for (const TapeValue& value : tape.values)
    if (value.leaf >= 0) {
      spreads += (leaves++ ? ", " : "") + std::to_string(static_cast<int>(value.spread));
    }
  return "struct " + name + " {\n  static constexpr int kLeaves = " + std::to_string(leaves) +
         ";\n  static constexpr int kParts = " + std::to_string(parts) + ";\n" +
         constant("kWrites", tape.w >= 0 || tape.parts.size() > parts) +
         constant("kReads", tape.parts.size() > parts) + constant("kByLog", tape.by_log) +
         constant("kExact", tape.exact) + constant("kSteady", is_steady(tape)) +
         "  using Factors = ScanFactors<kParts>;\n" +
         "  __host__ __device__ static constexpr Spread spread(int n) {\n    constexpr int "
         "kSpreads[] = {" +
         (leaves ? spreads : "0") + "};\n    return static_cast<Spread>(kSpreads[n]);\n  }\n" +
         gate_source(tape, print) + gradient_source(tape, print) + "};\n";
}

}  // namespace lcsm
