#include "runner/train/device/step_graphs.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "tests/lcsm/layer/fake_tensors.h"

namespace runner {
namespace {

Batch batch_of(std::int64_t rows, std::int64_t first) {
  Batch batch;
  batch.inputs.values = at::arange(first, first + rows * 2).view({rows, 2});
  batch.targets = at::arange(first, first + rows);
  return batch;
}

class Graphs : public testing::Test {
 protected:
  ComputeDevice device() {
    ComputeDevice made;
    made.gpu = fake_.gpu();
    return made;
  }

  lcsm::test::FakeGpu fake_;
};

}  // namespace

// A graph gets the batch, the rate and the number of each step from the host, and nothing else.
TEST_F(Graphs, AreCapturedOnceForAShape) {
  StepGraphs graphs(device(), true);
  const at::Tensor sum = at::zeros({}, at::kDouble);
  int of_host = 0;
  const auto step = [&](std::int64_t rows, std::int64_t first, double rate) {
    ++of_host;
    graphs.run(100 * of_host, {batch_of(rows, first)}, rate,
               [sum, n = of_host](const StepInputs& inputs) {
                 sum.copy_(inputs.parts[0].targets.sum() * inputs.rate + 1000 * n + inputs.step);
               });
    return sum.item<double>();
  };
  EXPECT_EQ(step(2, 10, 2), 2 * (10 + 11) + 1000 + 100);
  EXPECT_EQ(graphs.captured(), 0);
  EXPECT_EQ(step(2, 20, 3), 3 * (20 + 21) + 2000 + 200);
  EXPECT_EQ(graphs.captured(), 1);
  EXPECT_EQ(step(2, 30, 4), 4 * (30 + 31) + 2000 + 300) << "as it was captured";
  EXPECT_EQ(step(3, 1, 1), 1 + 2 + 3 + 4000 + 400) << "another shape";
  EXPECT_EQ(step(3, 2, 1), 2 + 3 + 4 + 5000 + 500);
  EXPECT_EQ(step(2, 1, 1), 1 + 2 + 2000 + 600);
  EXPECT_EQ(graphs.captured(), 2);
}

TEST_F(Graphs, LeaveWhatTheHostHas) {
  StepGraphs graphs(device(), true);
  const Batch first = batch_of(2, 10), second = batch_of(2, 20);
  for (const Batch& batch : {first, second}) graphs.run(1, {batch}, 1, [](const StepInputs&) {});
  EXPECT_TRUE(first.targets.equal(batch_of(2, 10).targets));
  EXPECT_TRUE(second.inputs.values.equal(batch_of(2, 20).inputs.values));
}

TEST_F(Graphs, TellApartWhatIsUndefined) {
  StepGraphs graphs(device(), true);
  Batch padded = batch_of(2, 10);
  padded.inputs.padding = at::zeros({2, 2}, at::kBool);
  std::int64_t with = 0;
  for (const Batch& batch : {padded, batch_of(2, 10), padded, batch_of(2, 10)})
    graphs.run(1, {batch}, 1, [&](const StepInputs& inputs) {
      with += inputs.parts[0].inputs.padding.defined() ? 1 : 0;
    });
  EXPECT_EQ(with, 2);
  EXPECT_EQ(graphs.captured(), 2);
}

TEST_F(Graphs, AreNotCapturedWhereNobodyWantsThem) {
  StepGraphs graphs(device(), false);
  int queued = 0;
  for (int n = 0; n < 3; ++n)
    graphs.run(1, {batch_of(2, n)}, 1, [&](const StepInputs&) { ++queued; });
  EXPECT_EQ(queued, 3);
  EXPECT_EQ(graphs.captured(), 0);
}

TEST_F(Graphs, AreFoundToWait) {
  const lcsm::test::FakeTensors tensors(&fake_);
  StepGraphs graphs(device(), true);
  double read = 0;
  for (int n = 0; n < 2; ++n)
    graphs.run(1, {batch_of(2, n)}, 1,
               [&](const StepInputs& inputs) { read += inputs.rate.item<double>(); });
  EXPECT_NE(fake_.findings().find("a graph waits for the device: aten::_local_scalar_dense"),
            std::string::npos)
      << fake_.findings();
}

// Batches by length: shapes seen last are queued call by call.
TEST_F(Graphs, AreOfTheFirstShapesOnly) {
  StepGraphs graphs(device(), true);
  for (int round = 0; round < 2; ++round)
    for (std::int64_t rows = 1; rows <= 40; ++rows)
      graphs.run(1, {batch_of(rows, 0)}, 1, [](const StepInputs&) {});
  EXPECT_EQ(graphs.captured(), 32);
}

}  // namespace runner
