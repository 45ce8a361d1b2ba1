// Adam on a GPU over flat buffers: what its kernels are given. Read by nvcc, NVRTC and C++.
#pragma once

#include "lcsm/cuda/scan/scan_cuda.h"

namespace lcsm {

// The numbers from the end of the range before, up to `end`.
struct AdamRangeCuda {
  long long end;  // a multiple of 4
  double decay;
  double rate;  // times the step's rate
};
constexpr int kAdamMostRanges = 16;  // of a launch

// What the update needs to know about its step.
struct AdamStepCuda {
  double bias;       // 1 - beta1^n
  float root;        // sqrt(1 - beta2^n)
  float scale;       // of gradients, by which they are clipped
  long long counts;  // 0: the step changes nothing
};

struct AdamCuda {
  long long count;                  // of numbers, a multiple of 4: pad with 0
  float *values, *means, *squares;  // [count], as `gradients`; each begins at 16 bytes
  const float* gradients;
  const double* rate;  // of this step
  long long* steps;    // that counted so far
  double* loss_norm;   // [2]: the loss is read; the norm of all gradients is written
  double most_loss;    // a step counts if loss and norm are finite and the loss is at most this
  double clip;         // gradients of a larger norm are scaled to it; 0 = never
  double beta1, beta2, eps;
  bool decoupled;  // AdamW; else decay is added to gradients

  double* partial;  // [parts], sums of squares
  int parts;
  AdamStepCuda* step;
  long long begin;  // of the first range
  int range_count;
  AdamRangeCuda ranges[kAdamMostRanges];
};

constexpr int kAdamThreads = 256, kAdamVectors = 4;  // of 4 numbers, of a thread at once
constexpr int kAdamMostParts = 1024;
// torch.nn.utils.clip_grad_norm_ divides by the norm and this.
constexpr double kAdamClipEpsilon = 1e-6;

}  // namespace lcsm
