// The model of translation tasks: an encoder of the source, and a decoder of the target that reads
// the encoder's output. Both embeddings and the head share one matrix.
#pragma once

#include "runner/models/blocks/cross_attention.h"
#include "runner/models/skeletons/model.h"

namespace runner {

// Encodes inputs.source.
EncodedSource encoded_source(const Model& model, const Inputs& inputs, Dropout& dropout);

// Decodes inputs.values: [B, T, d], normed for a head. Rows of `source` correspond to rows of
// inputs.values.
at::Tensor decoded_hidden(const Model& model, const EncodedSource& source, const Inputs& inputs,
                          Dropout& dropout);

at::Tensor encoder_decoder_hidden(const Model& model, const Inputs& inputs, Dropout& dropout,
                                  Carried* carried);

}  // namespace runner
