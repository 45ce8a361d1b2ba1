// Cross-entropy of rows of logits. The gradient replaces the logits.
#pragma once

#include <cstdint>

namespace lcsm {

// loss = log(sum(exp(logits))) - logits[target], gradient = weight (softmax(logits) - 1 at the
// target).
struct CrossEntropyRows {
  std::int64_t rows = 0, classes = 0;
  float* logits = nullptr;                // [rows, classes]; replaced by the gradient if `learns`
  const std::int64_t* targets = nullptr;  // [rows]
  double* losses = nullptr;               // [rows], written
  // [rows] or null, written: 1 where the target is the first of the largest logits, else 0.
  float* right = nullptr;
  bool learns = true;
  float weight = 1;  // of the gradient
};

// Runs the kernel for the widest vectors of this processor.
void run_cross_entropy(const CrossEntropyRows& rows);

}  // namespace lcsm
