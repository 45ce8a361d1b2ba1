// From a model's last hidden vectors to the numbers that its task scores.
#pragma once

#include "runner/models/skeletons/model.h"

namespace runner {

// The part's weight and bias applied to x.
at::Tensor head_linear(const Model& model, const std::string& part, const at::Tensor& x);

// What the matrix of a head of classes reads, [B, width]: the mean over an example's steps, of
// pairs side by side, after a hidden layer or none. hidden [B, T, d]; padding [B, T] or undefined.
at::Tensor class_features(const Model& model, const at::Tensor& hidden, const at::Tensor& padding);

// Of any head: tokens [B, T, V] as logits (with bands log-probabilities), classes [B, C] as logits,
// values [B, T].
at::Tensor outputs_of(const Model& model, const at::Tensor& hidden, const at::Tensor& padding);

}  // namespace runner
