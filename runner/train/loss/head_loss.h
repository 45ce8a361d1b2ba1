// The cross-entropy of a head over classes, -log softmax(h W^T)[target], without storing all
// logits: logits and gradients are computed and used some rows at a time.
#pragma once

#include <ATen/core/Tensor.h>

#include "lcsm/cuda/driver/gpu_or_cpu.h"
#include "runner/models/skeletons/banded.h"
#include "runner/train/loss/precision.h"
#include "runner/train/loss/score.h"

namespace runner {

struct LossForm {
  Precision precision = Precision::kFloat32;  // of the products; everything else has h's type
  lcsm::GpuOrCpu gpu = nullptr;
  // With e > 0 a target has the share 1 - e of its class plus e / V of every class, as in fairseq.
  double smoothing = 0;
  double weight = 1;  // of the sum
};

// The loss summed over rows, with autograd. h [N, d], head W [V, d], targets [N].
at::Tensor cross_entropy_sum(const at::Tensor& h, const at::Tensor& head, const at::Tensor& targets,
                             const LossForm& form = {});

// The loss for targets that are shares [N, V] of the classes: -sum share log softmax(h W^T), by
// LibTorch's operations.
at::Tensor shared_entropy_sum(const at::Tensor& h, const at::Tensor& head,
                              const at::Tensor& shares);

// Computes the loss without gradients. A prediction is right if the target has the largest logit.
// `right` [N]: 1 for correct rows, else 0.
Score cross_entropy_score(const at::Tensor& h, const at::Tensor& head, const at::Tensor& targets,
                          Precision precision = Precision::kFloat32,
                          const lcsm::GpuOrCpu& gpu = nullptr, at::Tensor* right = nullptr);

// The loss of an adaptive softmax: over the first band's tokens and the other bands and, for
// targets in another band, over that band's tokens.
at::Tensor band_loss_sum(const at::Tensor& h, const Banded& banded, const at::Tensor& targets,
                         const LossForm& form = {});

// Sum::kRight is NaN: finding the most probable token would need every band for every row.
Score band_loss_score(const at::Tensor& h, const Banded& banded, const at::Tensor& targets,
                      Precision precision = Precision::kFloat32,
                      const lcsm::GpuOrCpu& gpu = nullptr);

}  // namespace runner
