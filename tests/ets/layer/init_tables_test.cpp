// Initial values against tables that the authors' code computed.
#include <ATen/TensorOperators.h>
#include <ATen/ops/hypot.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/view_as_complex.h>
#include <ATen/ops/view_as_real.h>
#include <gtest/gtest.h>

#include "ets/families/diagonal.h"
#include "ets/families/hippo.h"
#include "lcsm/tensors/safetensors.h"
#include "tests/ets/layer/family_cases.h"
#include "tests/ets/layer/official_cases.h"
#include "tests/runner/shared_files.h"

namespace ets {
namespace {

lcsm::SafeTensors table(const std::string& folder) {
  const auto path = runner::shared_file("cases/" + folder + "/init_tables.safetensors");
  return std::filesystem::exists(path) ? lcsm::read_safetensors(path.string())
                                       : lcsm::SafeTensors{};
}

at::Tensor tensor_of(const std::vector<Complex>& values) {
  return at::tensor(interleaved(values), at::kDouble).view({-1, 2});
}

at::Tensor sizes_of(const at::Tensor& pairs) {
  return at::hypot(pairs.select(-1, 0), pairs.select(-1, 1));
}

}  // namespace

// The authors compute these in float32.
TEST(FirstRates, OfS4dAreItsAuthors) {
  const lcsm::SafeTensors tables = table("s4");
  if (tables.tensors.empty()) GTEST_SKIP() << "no tables in ../shared";
  int read = 0;
  for (const std::string start : {"lin", "inv", "inv2", "quad", "legs", "real"})
    for (const std::int64_t N : {4, 8, 16}) {
      const auto found = tables.tensors.find("diag-" + start + std::to_string(N) + ".A");
      if (found == tables.tensors.end()) continue;
      // "inv24" is inv2 of 4 modes, and inv of 24 does not occur.
      EXPECT_LE(relative_error(tensor_of(first_rates(start, N / 2)), found->second), 1e-6)
          << start << N;
      ++read;
    }
  EXPECT_EQ(read, 18);
}

// The table's eigenvectors come from a float64 library: agreement to a few roundings, larger where
// the table was rounded to float32.
TEST(FirstValues, OfS4AreHippoInItsEigenvectors) {
  const lcsm::SafeTensors tables = table("s4");
  if (tables.tensors.empty()) GTEST_SKIP() << "no tables in ../shared";
  for (const std::int64_t N : {4, 8, 16}) {
    const std::string legs = "legs" + std::to_string(N) + ".";
    const lcsm::Block v = FamilyCase{"s4", {"modes=" + std::to_string(N / 2)}}.variant(1);
    const lcsm::Weights w = weights_of(v);
    const at::Tensor rates = at::stack({-w.at("log_decay")[0].exp(), w.at("frequency")[0]}, -1);
    EXPECT_LE(relative_error(rates, tables.tensors.at(legs + "Lambda")), 1e-6) << N;
    const at::Tensor P = w.at("low_rank")[0], B = w.at("expand")[0];
    EXPECT_LE(relative_error(sizes_of(P), tables.tensors.at(legs + "P_abs")), 1e-6) << N;
    EXPECT_LE(relative_error(sizes_of(B), tables.tensors.at(legs + "B_abs_unclipped")), 1e-6);
    const at::Tensor product =
        at::view_as_real(at::view_as_complex(P).conj() * at::view_as_complex(B));
    EXPECT_LE(relative_error(product, tables.tensors.at(legs + "PconjB")), 1e-6) << N;
  }
}

TEST(Hippo, IsS5sInValuesAndVectors) {
  const lcsm::SafeTensors tables = table("s5");
  if (tables.tensors.empty()) GTEST_SKIP() << "no tables in ../shared";
  for (const std::int64_t N : {4, 8}) {
    const std::string name = "hippo" + std::to_string(N) + ".";
    const Hippo h = hippo(N);
    // A few roundings of the largest eigenvalue.
    EXPECT_LE(relative_error(tensor_of(h.rates), tables.tensors.at(name + "Lambda")), 1e-13);
    EXPECT_LE(relative_error(sizes_of(tensor_of(h.vectors)).view({N, N}),
                             tables.tensors.at(name + "V_abs")),
              1e-13);
  }
}

}  // namespace ets
