// Applies a tape to whole rows of numbers, without a recurrence: parts of a gate that are computed
// before the loop over time.
#pragma once

#include <cstdint>
#include <vector>

#include "lcsm/tape/tape.h"

namespace lcsm {

// Leaves by their spread: [rows, columns], [rows], [columns] or one number.
template <class T>
struct Map {
  const Tape* tape = nullptr;
  std::int64_t rows = 0, columns = 0;
  std::vector<const T*> leaves;
  T* out = nullptr;          // [rows, columns]; forward
  const T* d_out = nullptr;  // backward
  // [rows, columns] or [rows]: written; [workers, columns] or [workers]: added.
  std::vector<T*> d_leaves;
};

template <class T>
struct MapKernels {
  void (*forward)(const Map<T>& map, std::int64_t first, std::int64_t last);
  void (*backward)(const Map<T>& map, std::int64_t first, std::int64_t last, std::int64_t worker);
};

// Kernels for this processor's vectors. T is float or double.
template <class T>
const MapKernels<T>& map_kernels();

}  // namespace lcsm
