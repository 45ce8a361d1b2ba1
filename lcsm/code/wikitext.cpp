#include "lcsm/code/wikitext.h"

#include <algorithm>
#include <cmath>

namespace lcsm {
namespace {

std::int64_t glu_width(std::int64_t d) { return 4 * d / 3; }

// The parameters of a layer outside the mixer: three matrices of the GLU, two norms.
std::int64_t around_mixer(std::int64_t d) { return 3 * d * glu_width(d) + 4 * d; }

}  // namespace

ParameterCount mixer_parameters(const Variant& variant) {
  ParameterCount count;
  for (const Parameter& tensor : tensors_of(variant))
    (tensor.learned ? count.learned : count.fixed) += tensor.count();
  count.stored = stored_count(variant);
  return count;
}

ParameterCount model_parameters(const Variant& variant, const WikitextModel& model) {
  const std::int64_t d = variant.sizes.d, layers = model.layers;
  ParameterCount count = mixer_parameters(variant);
  count.learned =
      layers * (count.learned + around_mixer(d)) + std::int64_t{model.vocab} * d + 2 * d;
  count.fixed *= layers;
  count.stored *= layers;
  return count;
}

int default_depth(const Code& code, const Catalogue& catalogue) {
  Code plain = code;
  plain.d.reset();
  plain.k.reset();
  const Variant variant = make_variant(plain, catalogue);
  const double unit = 512.0 * 128.0;
  const double layer =
      static_cast<double>(mixer_parameters(variant).total() + around_mixer(512)) / unit;
  return std::max(1, static_cast<int>(std::lround(275.0 / layer)));
}

}  // namespace lcsm
