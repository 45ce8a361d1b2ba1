// The adaptive embedding by bands of frequency, and the softmax that shares its tensors
// (families/bands.h).
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "lcsm/layer/layer.h"
#include "runner/models/families/bands.h"

namespace runner {

struct BandTensors {
  Band band;
  at::Tensor weight;   // E [tokens, width]
  at::Tensor project;  // P [d, width]
};

class Banded {
 public:
  // Two bands or more. `embedding`: "0.weight", "0.project", "1.weight", ...; `clusters`: a vector
  // for each band after the first, [bands - 1, d].
  Banded(const std::vector<Band>& bands, const lcsm::Weights& embedding, at::Tensor clusters);

  // Token t of band i -> P_i E_i[t]. [B, T] -> [B, T, d].
  at::Tensor embed(const at::Tensor& tokens) const;

  // log p of every token, [..., d] -> [..., V]: p(t) = p(t | band) p(band). The vectors of band i >
  // 0 are compared with P_i^T h.
  at::Tensor log_probabilities(const at::Tensor& h) const;

  // The first softmax, over the tokens of the first band and the other bands: [tokens + bands - 1,
  // d].
  at::Tensor first_head() const;
  // The band of each token, [...] of int64.
  at::Tensor bands_of_tokens(const at::Tensor& tokens) const;

  const std::vector<BandTensors>& bands() const { return bands_; }

 private:
  std::vector<BandTensors> bands_;
  at::Tensor clusters_;
};

}  // namespace runner
