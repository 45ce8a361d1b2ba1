#include "runner/train/bench/step_profile.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/rand.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "lcsm/tensors/operation.h"

namespace runner {
namespace {

struct Doubled : lcsm::Operation {
  lcsm::Tensors forward(const lcsm::Tensors& inputs) const override { return {inputs[0] * 2}; }
  lcsm::Tensors backward(const lcsm::Tensors&, const lcsm::Tensors&,
                         const lcsm::Tensors& d_outputs) const override {
    return {d_outputs[0] * 2};
  }
};

ProfileRow row_of(const std::vector<ProfileRow>& rows, const std::string& operation) {
  const auto found = std::ranges::find(rows, operation, &ProfileRow::operation);
  EXPECT_NE(found, rows.end()) << operation;
  return found == rows.end() ? ProfileRow() : *found;
}

}  // namespace

TEST(StepProfile, CountsCallsBytesAndFlop) {
  const at::Tensor a = at::rand({3, 5}), b = at::rand({5, 7});
  std::vector<ProfileRow> rows;
  {
    const StepProfile profile;
    at::mm(a, b);
    at::mm(a, b);
    a.t() + 1;
    rows = profile.rows();
  }
  const ProfileRow product = row_of(rows, "aten::mm");
  EXPECT_EQ(product.calls, 2);
  EXPECT_EQ(product.flops, 2 * 2 * 3 * 5 * 7);
  EXPECT_EQ(product.bytes, 2 * 4 * (3 * 5 + 5 * 7 + 3 * 7));
  EXPECT_GT(product.seconds, 0);
  EXPECT_EQ(row_of(rows, "aten::t").bytes, 0) << "a view";
  EXPECT_EQ(row_of(rows, "aten::add").bytes, 2 * 4 * 15);
}

TEST(StepProfile, NamesOurOperationsInBothPasses) {
  const at::Tensor x = at::rand({4, 4}).requires_grad_();
  std::vector<ProfileRow> rows;
  {
    const StepProfile profile;
    lcsm::differentiable(c10::make_intrusive<Doubled>(), {x})[0].sum().backward();
    rows = profile.rows();
  }
  EXPECT_EQ(row_of(rows, "Doubled").calls, 1);
  EXPECT_EQ(row_of(rows, "backward of Doubled").calls, 1);
  EXPECT_EQ(row_of(rows, "aten::mul").calls, 2) << "which they call";
  at::mm(x, x);  // after its end nothing is recorded, nothing fails
}

TEST(StepProfile, ComparesWithWhatTheHostCouldDo) {
  const std::string text =
      profile_table({{"product", 2, 0.5, 1e6, 2e9}, {"copy", 4, 0.25, 4e9, 0}, {"small", 2, 1e-3}},
                    1.0, 2, 40, 32);
  EXPECT_EQ(text,
            "operation              calls      ms   share      MB  GFLOP  of what it could\n"
            "product                    1  250.00  50.0 %     0.5   1.00              10 %\n"
            "copy                       2  125.00  25.0 %  2000.0                     50 %\n"
            "others                     1    0.50   0.1 %\n"
            "outside of operations         124.50  24.9 %\n");
}

}  // namespace runner
