#include "runner/models/blocks/random_features.h"

#include <ATen/ops/empty.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "lcsm/base/random.h"

namespace runner {
namespace {

using Row = std::vector<double>;

double dot(const Row& a, const Row& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

Row normal_row(std::int64_t width, lcsm::Random& random) {
  Row row(static_cast<std::size_t>(width));
  for (double& value : row) value = random.normal();
  return row;
}

// Gram-Schmidt, then scaling to length 1; twice, since one pass leaves errors of a few digits.
void make_orthogonal(const std::vector<Row>& others, Row* row) {
  for (int round = 0; round < 2; ++round)
    for (const Row& other : others) {
      const double along = dot(*row, other);
      for (std::size_t c = 0; c < row->size(); ++c) (*row)[c] -= along * other[c];
    }
  const double length = std::sqrt(dot(*row, *row));
  for (double& value : *row) value /= length;
}

}  // namespace

at::Tensor orthogonal_normals(std::int64_t count, std::int64_t width, std::uint64_t draw) {
  lcsm::Random random = lcsm::random_for(draw, "features");
  at::Tensor rows = at::empty({count, width}, at::kDouble);
  double* out = rows.mutable_data_ptr<double>();
  std::vector<Row> block;
  for (std::int64_t n = 0; n < count; ++n) {
    if (n % width == 0) block.clear();
    Row row = normal_row(width, random);
    make_orthogonal(block, &row);
    block.push_back(row);
    const Row sizes = normal_row(width, random);
    const double length = std::sqrt(dot(sizes, sizes));
    for (const double value : row) *out++ = length * value;
  }
  return rows;
}

}  // namespace runner
