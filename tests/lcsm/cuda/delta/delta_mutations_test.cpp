// Mutations of the delta rule's kernels.
#include <gtest/gtest.h>

#include "tests/lcsm/cuda/delta/delta_case.h"
#include "tests/lcsm/cuda/driver/mutations.h"

namespace lcsm::test {
namespace {

std::string delta_mutations_fault_of(const DeltaShape& shape, const Kernels& kernels) {
  const Named inputs = random_delta(shape, 5);
  Named expected = by_definition(shape, inputs);
  const Judged got = by_judge(shape, inputs, kernels, 1, {.limit = 3'000'000});
  std::erase_if(expected, [&](const auto& row) { return !got.values.count(row.first); });
  return fault_of(got, expected, shape.bfloat16 ? 2e-2 : 1e-5);
}

Trial delta_mutations_trial(const std::string& text, const std::string& without,
                            const std::vector<DeltaShape>& shapes) {
  return {"LCSM_DELTA_COMMON_KERNELS()\nLCSM_SCAN_COMMON_KERNELS()\n" + text,
          [shapes](const Kernels& kernels) {
            for (const DeltaShape& shape : shapes)
              if (std::string fault = delta_mutations_fault_of(shape, kernels); !fault.empty())
                return fault;
            return std::string();
          },
          [without](const std::string& header) {
            return without.empty() || header.find(without) == header.npos;
          }};
}
// The kernels of float32, or the forward ones alone, and of bfloat16, with cases of them.
Trial delta_mutations_trial(int rows, bool backward, std::vector<DeltaShape> shapes) {
  for (DeltaShape& shape : shapes) shape.backward = backward;
  const std::string of = ", " + std::to_string(rows) + ", float32, float, 1)\n";
  std::string text = "LCSM_DELTA_KERNEL(forward" + of + "LCSM_DELTA_KERNEL(ends" + of;
  if (backward) text += "LCSM_DELTA_KERNEL(backward" + of + "LCSM_DELTA_KERNEL(starts" + of;
  return delta_mutations_trial(text, backward ? "" : "backward", shapes);
}
Trial delta_mutations_walk(int rows, std::vector<DeltaShape> shapes) {
  for (DeltaShape& shape : shapes) shape.bfloat16 = true;
  const std::string size = std::to_string(rows);
  return delta_mutations_trial("LCSM_DELTA_ENDS_OF(" + size +
                                   ", bfloat16, lcsm::Bfloat16, 1, 1)\nLCSM_DELTA_WALK_OF(" + size +
                                   ", 1, 1, 1)\n",
                               "", shapes);
}

// Mutations that only cost time are found by delta_calls_test and compile_table_test.
const std::vector<Equivalent> kDeltaMutationsEquivalent = {
    {"scores_of<Half::kUntil, true, K>(l,", "the diagonal of a system is not read"},
    {"expf(log[row].x - log[row].y)", "the rounding error of a sum, less than the bounds"}};

}  // namespace

TEST(DeltaMutations, AreFound) {
  if (!no_mutations().empty()) GTEST_SKIP() << no_mutations();
  const std::vector<DeltaShape> small{
      {.B = 2, .T = 75, .K = 17, .D = 20, .decays = true, .first = true},
      {.B = 1, .T = 66, .K = 16, .D = 32},
      {.B = 1, .T = 40, .K = 8, .D = 7, .decays = true, .strength = 10, .first = true},
      {.B = 2, .T = 9, .K = 17, .D = 24, .decays = true, .padding = 7, .last = false},
      {.B = 2, .T = 258, .K = 17, .D = 20, .decays = true, .processors = 6}};
  const std::vector<DeltaShape> large{
      {.B = 1, .T = 70, .K = 40, .D = 72, .decays = true, .first = true},
      {.B = 1, .T = 200, .K = 9, .D = 66, .processors = 100, .first = true}};
  expect_found(
      {.headers = {"lcsm/cuda/delta/delta_cuda.cuh", "lcsm/cuda/scan/scan_cuda.cuh"},
       .changed = "delta_",
       .rules = {{" <= ", " < "},       {" > ", " >= "},          {" -= ", " += "},
                 {" *= ", " /= "},      {" % ", " / "},           {"min(", "max("},
                 {"max(", "min("},      {"c.K", "c.D"},           {"c.D", "c.K"},
                 {"* c.T", "* c.B"},    {"input.t,", "input.b,"}, {"kUntil", "kFrom"},
                 {"kFrom", "kUntil"},   {"<true", "<false"},      {"<false", "<true"},
                 {", true", ", false"}, {", false", ", true"},    {"transposed ?", "!transposed ?"},
                 {"__syncwarp();", ""}, {"__syncthreads();", ""}},
       .equivalent = kDeltaMutationsEquivalent,
       .trials = {delta_mutations_trial(32, false, small), delta_mutations_trial(32, true, small),
                  delta_mutations_walk(32, small), delta_mutations_trial(64, true, large),
                  delta_mutations_walk(64, large)}});
}

}  // namespace lcsm::test
