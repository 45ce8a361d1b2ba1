// Tapes printed as source, compiled by NVRTC and run cell by cell through the judge, against the
// same tapes in float64.
#include "lcsm/cuda/scan/tape_source.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "lcsm/cuda/scan/built_in.h"
#include "tests/lcsm/tape/tape_cases.h"
#include "tests/ptx/judge.h"

namespace lcsm::test {
namespace {

constexpr double kDo = 0.7, kDw = -1.3;

struct Opcode {
  const char* o;
  const char* w = "";
  double low = -4, high = 4;  // of every leaf
};
// Together these use every operation of tapes, in values and in gradients.
constexpr Opcode kOpcodes[] = {
    {"p_d + w_kd"},
    {"p_d - w_kd * p_d2"},
    {"p_d / w_kd", "", 0.1, 4},
    {"min(p_d, w_kd)"},
    {"max(p_d, w_kd)"},
    {"exp(p_d * w_kd)"},
    {"sigmoid(p_d)"},
    {"sigmoid(p_d + w_kd)", "", -60, 40},
    {"softplus(p_d)", "", -80, 80},
    {"exp(-softplus(p_d) / 16)", "", -300, 80},
    {"exp(-0.25 * softplus(p_d * w_kd))"},
    {"-p_d"},
    {"abs(p_d)"},
    {"step(p_d) * w_kd"},
    {"sqrt(p_d)", "", 0.01, 4},
    {"tanh(p_d)", "", -20, 20},
    {"elu(p_d)", "", -20, 4},
    {"log(p_d)", "", 1e-30, 4},
    {"exp(p_d)", "", -80, 80},
    {"0.5 + 0.5 / (1 + exp(p_d))", "", -300, 300},
    {"0.5 * exp(-exp(p_d * w_kd)) + 0.4", "", -15, 15},
    {"cos(p_d)", "", -100, 100},
    {"sin(p_d)", "", -100, 100},
    {"p_d^-3", "", 0.5, 2},
    {"p_d^w_kd", "", 0.5, 2},
    {"silu(p_d)"},
    {"relu(p_d)"},
    {"sigmoid(p_d)", "1 - sigmoid(p_d)"},
    {"exp(-softplus(p_d) * exp(w_kd))", "softplus(p_d) * p_d2"},
};

std::string kernel(const Tape& tape, const std::string& name) {
  return "namespace lcsm {\n" + tape_source(tape, "Gate_" + name) +
         "}\nextern \"C\" __global__ void " + name +
         "(const float* leaves, float* out, int n) {\n"
         "  using Gate = lcsm::Gate_" +
         name +
         ";\n"
         "  const int at = blockIdx.x * blockDim.x + threadIdx.x;\n"
         "  if (at >= n) return;\n"
         "  float x[Gate::kLeaves + 1], d[Gate::kLeaves + 1] = {};\n"
         "  Gate::Factors by;\n"
         "  for (int k = 0; k < Gate::kLeaves; ++k) x[k] = leaves[k * n + at];\n"
         "  Gate::gate(x, by);\n"
         "  out[at] = by.o.x[0];\n"
         "  out[n + at] = Gate::kWrites ? by.w.x[0] : 0.0f;\n"
         "  Gate::gradient(x, [](const Gate::Factors& by, float slope, Gate::Factors& d_by) {\n"
         "    d_by.o.x[0] = (Gate::kByLog ? 0.7f * by.o.x[0] : 0.7f) * slope;\n"
         "    d_by.w.x[0] = -1.3f;\n"
         "  }, d);\n"
         "  for (int k = 0; k < Gate::kLeaves; ++k) out[(2 + k) * n + at] = d[k];\n"
         "}\n";
}

// The reference for one cell: o, w and the gradients by the definition.
std::vector<double> defined(const Tape& tape, const std::vector<double>& leaves) {
  Interpreter cell(tape, leaves);
  cell.run(tape.gate);
  std::vector<double> all = {cell.read(tape.o), tape.w < 0 ? 0 : cell.read(tape.w)};
  all.resize(2 + leaves.size());
  double d_o = kDo * (tape.by_log ? all[0] : 1);
  if (tape.slope >= 0) d_o *= cell.read(tape.slope);
  cell.write(tape.d_o, d_o);
  if (tape.d_w >= 0) cell.write(tape.d_w, kDw);
  cell.run(tape.gradient);
  for (const LeafSum& sum : tape.sums)
    all[2 + static_cast<std::size_t>(sum.leaf)] +=
        cell.read(sum.a) * (sum.b < 0 ? 1 : cell.read(sum.b));
  return all;
}

// Gates as one source, and their kernels run on random cells.
class TapeSource : public testing::Test {
 protected:
  void SetUp() override {
    if (!nvrtc_missing().empty()) GTEST_SKIP() << nvrtc_missing();
  }
  void add(const std::string& name, const Tape& tape) {
    source_ += kernel(tape, name);
    tapes_[name] = tape;
  }
  void compile() {
    const NvrtcResult compiled = compile_cuda({.text = source_, .name = "gates.cu"});
    ASSERT_NE(compiled.code, "") << compiled.log;
    program_ = ptx::read_program("gates.cu", compiled.code, memory_);
  }
  // [2 + leaves, cells]
  std::vector<float> run(const std::string& name, const std::vector<float>& leaves, int cells,
                         double ulps) {
    const auto size = static_cast<std::size_t>(cells);
    const ptx::Array<float> in(memory_, "leaves", leaves);
    const ptx::Array<float> out(memory_, "out", 2 * size + leaves.size());
    memory_.protect(in.address());
    const ptx::Report report = ptx::run(
        program_, memory_,
        {name, {static_cast<unsigned>((cells + 31) / 32), 1, 1}, {32, 1, 1}, 0, {in, out, cells}},
        {.ulps = ulps});
    EXPECT_EQ(report.text(), "");
    return out.get();
  }
  void compare(const std::string& name, double low, double high) {
    constexpr int kCells = 100;
    RandomFormula random(7);
    const Tape& tape = tapes_.at(name);
    std::vector<float> leaves(kCells * count_of_leaves(tape));
    for (float& leaf : leaves) leaf = static_cast<float>(random.between(low, high));
    const std::vector<float> got = run(name, leaves, kCells, 2);
    for (std::size_t cell = 0; cell < kCells; ++cell) {
      std::vector<double> of_cell;
      for (std::size_t at = cell; at < leaves.size(); at += kCells)
        of_cell.push_back(static_cast<double>(leaves[at]));
      const std::vector<double> expected = defined(tape, of_cell);
      for (std::size_t n = 0; n < expected.size(); ++n)
        // Tolerance: some roundings of float32, and of a product in an exponential of up to 80.
        EXPECT_NEAR(static_cast<double>(got[n * kCells + cell]), expected[n],
                    2e-6 * std::abs(expected[n]) + 5e-7 * (1 + std::abs(expected[n])))
            << name << ", value " << n << ", first leaf " << (of_cell.empty() ? 0 : of_cell[0]);
    }
  }
  static std::size_t count_of_leaves(const Tape& tape) {
    std::size_t count = 0;
    for (const TapeValue& value : tape.values) count += value.leaf >= 0;
    return count;
  }

  std::string source_ = "#include \"lcsm/cuda/scan/scan_tile_cuda.cuh\"\n";
  std::map<std::string, Tape> tapes_;
  ptx::Memory memory_;
  ptx::Program program_;
};

Tape tape_of(const Opcode& row) {
  const auto parsed = [](const char* text) {
    return *text ? parse_formula(text, FormulaUse::kAny) : nullptr;
  };
  const Expr o = parsed(row.o), w = parsed(row.w);
  std::vector<TapeLeaf> leaves;
  for (const Symbol& s : symbols_of(w ? add(o, w) : o)) leaves.push_back({s, Spread::kCells, true});
  return make_tape(o, w, leaves);
}

}  // namespace

TEST_F(TapeSource, HasEveryOperationAndItsDerivative) {
  std::set<TapeOp> seen;
  for (const Opcode& row : kOpcodes) {
    const Tape tape = tape_of(row);
    add("op" + std::to_string(&row - kOpcodes), tape);
    for (const auto* list : {&tape.gate, &tape.gradient})
      for (const Instruction& step : *list) seen.insert(step.op);
  }
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(TapeOp::kSin) + 1)
      << "an operation without a row";
  ASSERT_NO_FATAL_FAILURE(compile());
  for (const Opcode& row : kOpcodes) {
    SCOPED_TRACE(row.o);
    compare("op" + std::to_string(&row - kOpcodes), row.low, row.high);
  }
}

// Infinities, NaN and values that nearly overflow behave as in float64, or as float32 rounds them.
TEST_F(TapeSource, BehavesAtTheEdges) {
  const std::vector<float> edges = {0.0f,  -0.0f, INFINITY, -INFINITY, NAN,   1e-30f, -1e-30f,
                                    88.0f, 89.0f, -87.0f,   -103.0f,   200.f, -200.f, 1e-40f};
  for (const Opcode& row : kOpcodes) add("op" + std::to_string(&row - kOpcodes), tape_of(row));
  ASSERT_NO_FATAL_FAILURE(compile());
  for (const auto& [name, tape] : tapes_) {
    if (count_of_leaves(tape) != 1) continue;
    const std::vector<float> got = run(name, edges, static_cast<int>(edges.size()), 0);
    for (std::size_t n = 0; n < edges.size(); ++n) {
      SCOPED_TRACE(std::string(kOpcodes[std::stoi(name.substr(2))].o) + " at " +
                   std::to_string(edges[n]));
      const auto expected = static_cast<float>(defined(tape, {static_cast<double>(edges[n])})[0]);
      EXPECT_EQ(std::isnan(got[n]), std::isnan(expected));
      EXPECT_EQ(std::isinf(got[n]), std::isinf(expected));
      // A few units; subnormal values to a unit of the smallest normal number.
      if (std::isfinite(expected)) {
        EXPECT_NEAR(got[n], expected, 2e-6f * std::abs(expected) + 2e-38f);
      }
    }
  }
}

TEST_F(TapeSource, HasEveryBuiltInGate) {
  for (const BuiltInScan& scan : built_in_scans())
    if (scan.form.e != StageKind::kStatic && scan.form.s == StageKind::kData)
      add(scan.name, scan.tape);
  EXPECT_GE(tapes_.size(), 5u);
  ASSERT_NO_FATAL_FAILURE(compile());
  for (const auto& [name, tape] : tapes_) compare(name, -3, 3);
}

TEST(TapeSourceText, IsTheSameForTheSameComputation) {
  const auto source = [](const char* o) { return tape_source(tape_of({.o = o}), "Gate"); };
  EXPECT_EQ(source("sigmoid(p_d)"), source("sigmoid(w_k)"));
  EXPECT_NE(source("sigmoid(p_d)"), source("tanh(p_d)"));
}

}  // namespace lcsm::test
