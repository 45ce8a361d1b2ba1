// Sequences of data files as tensors, by loops instead of tensor operations: the thread that reads
// ahead must not start a thread pool.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "runner/data/datasets/data_file.h"

namespace runner {

// The bytes of sequences, T steps at most.
struct SequenceBatch {
  const std::vector<std::string_view>& sequences;
  const DataShape& shape;
  std::int64_t T = 0;
};
std::int64_t longest_of(const std::vector<std::string_view>& sequences, const DataShape& shape);

at::Tensor tokens_of(const SequenceBatch& batch);  // [B, T]
// (x / 255 of bytes - mean) / deviation, [B, T, channels]
at::Tensor numbers_of(const SequenceBatch& batch, double mean, double deviation);
at::Tensor padding_of(const SequenceBatch& batch);  // [B, T], undefined if there is none

at::Tensor tensor_of(const std::vector<std::int64_t>& values);
at::Tensor labels_of(const DataFile& from, std::span<const std::uint32_t> which);
at::Tensor targets_of(const DataFile& from, std::span<const std::uint32_t> which);  // [B outputs]

}  // namespace runner
