// Mutations of the scan's kernels.
#include <gtest/gtest.h>

#include "tests/lcsm/cuda/driver/mutations.h"
#include "tests/lcsm/cuda/scan/scan_case.h"

namespace lcsm::test {
namespace {

Trial scan_mutations_trial(const ScanGateCase& gate, const ScanShape& shape) {
  const ScanForm form = form_of(gate, shape);
  std::string text = scan_kernels_text(gate.tape, form);
  text.insert(text.find("KERNELS(", text.find("LCSM_SCAN_")) + 7, "_FLOAT32");
  return {text + "LCSM_SCAN_COMMON_KERNELS()\n",
          [gate, shape](const Kernels& kernels) {
            const Named inputs = random_inputs(gate, shape, 5);
            return fault_of(by_judge(gate, shape, inputs, kernels, 2, {.limit = 3'000'000}),
                            by_cpu(gate, shape, inputs), 1e-5);
          },
          [channels = form.channels](const std::string& header) {
            return (header.find("channels") != header.npos) == channels;
          }};
}

}  // namespace

TEST(ScanMutations, AreFound) {
  if (!no_mutations().empty()) GTEST_SKIP() << no_mutations();
  // Covers leaves of every kind, static and data stages, several tiles and segments, whole and
  // partial chunks.
  const ScanShape small{.B = 2, .T = 75, .K = 33, .D = 31, .processors = 100, .first = true};
  const ScanShape wide{.B = 2, .T = 64, .K = 5, .D = 35};
  const ScanShape long_enough{.B = 1, .T = 150, .K = 3, .D = 5, .processors = 100, .first = true};
  const ScanShape row{.B = 2, .T = 150, .K = 1, .D = 35, .processors = 100, .first = true};
  const ScanShape paired_row{.B = 2, .T = 300, .K = 1, .D = 34, .first = true};
  const OscillationText turning{
      .name = "mine", .o = "sigmoid(p_k) * rotate(p_d)", .help = "a test"};
  expect_found(
      {.headers = {"lcsm/cuda/scan/scan_cuda.cuh"},
       .changed = "scan_",
       .rules = {},
       .trials = {scan_mutations_trial(every_leaf(), small),
                  scan_mutations_trial(built_in("1-9-1"), wide),
                  scan_mutations_trial(built_in("0-4-1"), small),
                  scan_mutations_trial(built_in("0-1-0"), small),
                  // Rows that only pad have a w: s is 0 there, or none is read.
                  scan_mutations_trial(complex_case("0-s4d-1-0"), small),
                  scan_mutations_trial(complex_case("0-mine-0-0", turning), small),
                  scan_mutations_trial(complex_case("1-mine-1-0", turning), wide),
                  scan_mutations_trial(drifting_case(), long_enough),
                  // One row: several tiles and segments of time, pairs of channels and odd ones.
                  scan_mutations_trial(every_leaf(), row),
                  scan_mutations_trial(built_in("0-2-0-k1"), paired_row),
                  scan_mutations_trial(built_in("0-12-1"), row),
                  scan_mutations_trial(built_in("1-9-1"), paired_row),
                  // Covers several blocks in a segment.
                  scan_mutations_trial(built_in("1-3-0"),
                                       {.B = 1, .T = 150, .K = 3, .D = 5, .processors = 1})}});
}

}  // namespace lcsm::test
