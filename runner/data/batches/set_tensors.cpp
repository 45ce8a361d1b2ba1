#include "runner/data/batches/set_tensors.h"

#include <ATen/ops/empty.h>

#include <algorithm>

namespace runner {
namespace {

constexpr double kByteScale = 255;  // pixels are 0 to 1 before they are normalized

}  // namespace

std::int64_t longest_of(const std::vector<std::string_view>& sequences, const DataShape& shape) {
  std::size_t bytes = 0;
  for (const std::string_view each : sequences) bytes = std::max(bytes, each.size());
  return static_cast<std::int64_t>(bytes / shape.step_bytes());
}

at::Tensor tokens_of(const SequenceBatch& batch) {
  const auto& [sequences, shape, T] = batch;
  at::Tensor all = at::empty({static_cast<std::int64_t>(sequences.size()), T}, at::kLong);
  auto* into = all.mutable_data_ptr<std::int64_t>();
  for (const std::string_view each : sequences) {
    const std::size_t steps = each.size() / shape.step_bytes();
    for (std::size_t t = 0; t < steps; ++t)
      into[t] = static_cast<std::int64_t>(value_of(each, shape.element, t));
    std::fill(into + steps, into + T, 0);
    into += T;
  }
  return all;
}

at::Tensor numbers_of(const SequenceBatch& batch, double mean, double deviation) {
  const auto& [sequences, shape, T] = batch;
  at::Tensor all = at::empty({static_cast<std::int64_t>(sequences.size()), T, shape.channels});
  auto* into = all.mutable_data_ptr<float>();
  const double scale = shape.element == Element::kByte ? kByteScale : 1;
  const std::size_t row = static_cast<std::size_t>(T) * shape.channels;
  for (const std::string_view each : sequences) {
    const std::size_t count = each.size() / bytes_of(shape.element);
    for (std::size_t i = 0; i < count; ++i)
      into[i] = static_cast<float>((value_of(each, shape.element, i) / scale - mean) / deviation);
    std::fill(into + count, into + row, 0.0f);
    into += row;
  }
  return all;
}

at::Tensor padding_of(const SequenceBatch& batch) {
  const auto& [sequences, shape, T] = batch;
  const auto whole = static_cast<std::size_t>(T) * shape.step_bytes();
  if (std::all_of(sequences.begin(), sequences.end(),
                  [&](std::string_view each) { return each.size() == whole; }))
    return {};
  at::Tensor all = at::empty({static_cast<std::int64_t>(sequences.size()), T}, at::kBool);
  bool* into = all.mutable_data_ptr<bool>();
  for (const std::string_view each : sequences) {
    const std::size_t steps = each.size() / shape.step_bytes();
    std::fill(into, into + steps, false);
    std::fill(into + steps, into + T, true);
    into += T;
  }
  return all;
}

at::Tensor tensor_of(const std::vector<std::int64_t>& values) {
  at::Tensor all = at::empty({static_cast<std::int64_t>(values.size())}, at::kLong);
  std::copy(values.begin(), values.end(), all.mutable_data_ptr<std::int64_t>());
  return all;
}

at::Tensor labels_of(const DataFile& from, std::span<const std::uint32_t> which) {
  at::Tensor all = at::empty({static_cast<std::int64_t>(which.size())}, at::kLong);
  auto* into = all.mutable_data_ptr<std::int64_t>();
  for (const std::uint32_t example : which) *into++ = from.label(example);
  return all;
}

at::Tensor targets_of(const DataFile& from, std::span<const std::uint32_t> which) {
  const auto each = static_cast<std::int64_t>(from.shape().targets);
  at::Tensor all = at::empty({static_cast<std::int64_t>(which.size()) * each});
  auto* into = all.mutable_data_ptr<float>();
  for (const std::uint32_t example : which) {
    const std::span<const float> wanted = from.targets(example);
    into = std::copy(wanted.begin(), wanted.end(), into);
  }
  return all;
}

}  // namespace runner
