// Each machine against the definition: values, the state, and the gradient of every input.
#include <gtest/gtest.h>

#include "tests/lcsm/layer_cases.h"
#include "tests/lcsm/machine_cases.h"

namespace lcsm {
namespace {

void expect_the_definition(const std::string& code, const CaseShape& shape, double tolerance) {
  SCOPED_TRACE(code + " B=" + std::to_string(shape.B) + " T=" + std::to_string(shape.T));
  const Variant v = small_variant(code);
  const RecurrenceInputs in = random_inputs(v, shape, 1 + static_cast<std::uint64_t>(shape.T));
  expect_alike(everything(v, in, Backend::kCpu), everything(v, in, Backend::kReference), tolerance);
}

}  // namespace

TEST(RecurrenceCpu, AgreesWithTheDefinition) {
  for (const std::string& code : row_codes())
    for (const std::int64_t T : {1, 2, 63, 64, 65})
      for (const std::int64_t B : {1, 3}) {
        expect_the_definition(code, {.B = B, .T = T}, 1e-10);
        expect_the_definition(code, {.B = B, .T = T, .continues = true}, 1e-10);
      }
}

TEST(RecurrenceCpu, AgreesWithTheDefinitionOverAThousandSteps) {
  for (const std::string& code : row_codes())
    expect_the_definition(code, {.B = 1, .T = 1000, .continues = true}, 1e-10);
}

}  // namespace lcsm
