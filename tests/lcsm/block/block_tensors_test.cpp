#include "lcsm/block/block_tensors.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lcsm {
namespace {

Values drawn(const Parameters& tensors) { return tensors.at(0).drawn(7); }

TEST(BlockTensors, OrthogonalMatricesAreIt) {
  for (const auto& [rows, columns] : {std::pair{4, 9}, {9, 4}, {5, 5}}) {
    BlockTensors list;
    list.put_orthogonal("value", rows, columns, 3);
    const Values m = drawn(list.take());
    const int few = std::min(rows, columns), many = std::max(rows, columns);
    // Row n of the fewer, entry i.
    const auto at = [&, columns = columns, rows = rows](int n, int i) {
      return m[static_cast<std::size_t>(rows <= columns ? n * columns + i : i * columns + n)];
    };
    for (int a = 0; a < few; ++a)
      for (int b = 0; b < few; ++b) {
        double product = 0;
        for (int i = 0; i < many; ++i) product += at(a, i) * at(b, i);
        EXPECT_NEAR(product, a == b ? 9 : 0, 1e-12);
      }
  }
}

TEST(BlockTensors, GlorotsBoundHolds) {
  BlockTensors list;
  list.put_glorot("value", 30, 70, 0.5);
  double most = 0;
  for (const double value : drawn(list.take())) most = std::max(most, std::abs(value));
  const double bound = 0.5 * std::sqrt(6.0 / 100);
  EXPECT_LE(most, bound);
  EXPECT_GT(most, 0.95 * bound);
}

TEST(BlockTensors, AMatrixHasNoBias) {
  BlockTensors list;
  list.put_matrix("value", 3, 4);
  const Parameters tensors = list.take();
  ASSERT_EQ(tensors.size(), 1U);
  EXPECT_EQ(tensors[0].name, "value.weight");
  EXPECT_FALSE(tensors[0].of_kernel);
}

}  // namespace
}  // namespace lcsm
