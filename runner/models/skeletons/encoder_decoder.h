// The model of a translation: an encoder of the source, and a decoder of the target that reads what
// the encoder has made. Embedding, decoder's embedding and head share one matrix.
#pragma once

#include "runner/models/blocks/cross_attention.h"
#include "runner/models/skeletons/model.h"

namespace runner {

// Of inputs.source.
EncodedSource encoded_source(const Model& model, const Inputs& inputs, Dropout& dropout);

// Of inputs.values, [B, T, d], normed for a head; all rows of `source` belong to rows of these.
at::Tensor decoded_hidden(const Model& model, const EncodedSource& source, const Inputs& inputs,
                          Dropout& dropout);

at::Tensor encoder_decoder_hidden(const Model& model, const Inputs& inputs, Dropout& dropout,
                                  Carried* carried);

}  // namespace runner
