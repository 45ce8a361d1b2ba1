#include "runner/models/skeletons/encoder_decoder.h"

#include <stdexcept>

#include "runner/models/skeletons/source.h"
#include "runner/models/skeletons/stages.h"

namespace runner {

using at::Tensor;

EncodedSource encoded_source(const Model& model, const Inputs& inputs, Dropout& dropout) {
  if (!inputs.source.defined())
    throw std::invalid_argument("encoder-decoder: expected sources beside targets, got none");
  const Inputs source{inputs.source, inputs.source_padding};
  Source encoder(model, source, dropout);
  Stream x(model, encoder.begin(source, root_of_width(model)));
  for (std::size_t n = 0; n < model.layers().size(); ++n) encoder.layer(n, &x, nullptr);
  return {encoder.end("encoder_norm", &x), inputs.source_padding};
}

Tensor decoded_hidden(const Model& model, const EncodedSource& source, const Inputs& inputs,
                      Dropout& dropout) {
  Source decoder(model, inputs, dropout);
  const bool drops = model.plan().config.system()->row->drops;
  Stream x(model, decoder.begin(inputs, root_of_width(model)));
  for (std::size_t n = 0; n < model.layers().size(); ++n) {
    const LayerMixers& mixers = model.mixers()[n];
    const Parts& parts = model.layers()[n];
    decoder.unit(
        {n, "decoder_mixer", mixers.read_by, drops},
        [&](const Tensor& in, const lcsm::BlockContext& context) {
          return mixers.decode(parts.at("decoder_mixer"), in, context).output;
        },
        &x);
    decoder.unit(
        {n, "cross", lcsm::ReadBy::kAnything, drops},
        [&](const Tensor& in, const lcsm::BlockContext& context) {
          return mixers.cross(parts.at("cross"), in, source, context);
        },
        &x);
    decoder.feed(n, "decoder_feed", &x, nullptr);
  }
  return decoder.end("final_norm", &x, head_reads(model.plan()));
}

Tensor encoder_decoder_hidden(const Model& model, const Inputs& inputs, Dropout& dropout,
                              Carried*) {
  return decoded_hidden(model, encoded_source(model, inputs, dropout), inputs, dropout);
}

}  // namespace runner
