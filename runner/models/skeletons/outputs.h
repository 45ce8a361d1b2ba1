// From a model's last hidden vectors to the numbers that its task scores.
#pragma once

#include "runner/models/skeletons/model.h"

namespace runner {

// Applies the part's weight and bias to x.
at::Tensor head_linear(const Model& model, const std::string& part, const at::Tensor& x);

// The input of the matrix of a head of classes, [B, width]: the mean over an example's steps (of a
// pair, both means), then a hidden layer if the head has one. hidden [B, T, d]; padding [B, T] or
// undefined.
at::Tensor class_features(const Model& model, const at::Tensor& hidden, const at::Tensor& padding);

// The output of any head: logits of tokens [B, T, V] (log-probabilities if the model has bands),
// logits of classes [B, C], or values [B, T].
at::Tensor outputs_of(const Model& model, const at::Tensor& hidden, const at::Tensor& padding);

}  // namespace runner
