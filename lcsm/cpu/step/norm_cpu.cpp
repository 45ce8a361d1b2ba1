#include "lcsm/cpu/step/norm_cpu.h"

#include <cmath>

#include "lcsm/cpu/kernels_cpu.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lcsm/cpu/step/norm_cpu.cpp"
#include <hwy/foreach_target.h>

#include "lcsm/cpu/channels_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {
namespace {

using Tag = hn::ScalableTag<float>;
using V = hn::Vec<Tag>;

// A whole vector of channels; fewer at the end of a row.
struct WholeVector {
  std::int64_t first;
  V load(const float* row) const { return hn::LoadU(Tag(), row + first); }
  void store(V x, float* row) const { hn::StoreU(x, Tag(), row + first); }
  V within(V x) const { return x; }
};
struct LastChannels : Channels<float> {
  LastChannels(std::int64_t first, std::int64_t d) : Channels(first, d), count(d - first) {}
  V within(V x) const {  // zero beyond the row
    return hn::IfThenElseZero(hn::FirstN(Tag(), static_cast<std::size_t>(count)), x);
  }
  const std::int64_t count;
};

// Calls work(channels) for each vector of channels.
template <class Work>
HWY_INLINE void each_vector(std::int64_t d, const Work& work) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(Tag()));
  std::int64_t c = 0;
  for (; c + lanes <= d; c += lanes) work(WholeVector{c});
  if (c < d) work(LastChannels(c, d));
}

HWY_INLINE float sum_of(V x) { return hn::GetLane(hn::SumOfLanes(Tag(), x)); }

// Works on a copy of the struct: through a reference, its members would be reloaded after each
// store.
void forward(const NormRows& given) {
  const NormRows in = given;
  const Tag tag;
  const float per_row = 1.0F / static_cast<float>(in.d);
  for (std::int64_t r = 0; r < in.rows; ++r) {
    const float* s = in.x + r * in.d;
    V total = hn::Zero(tag);
    if (in.residual) {
      const float *x = s, *residual = in.residual + r * in.d;
      float* sum = in.sum + r * in.d;
      each_vector(in.d, [&](const auto& at) {
        const V both = hn::Add(at.load(residual), at.load(x));
        at.store(both, sum);
        total = hn::Add(total, both);
      });
      s = sum;
    } else if (in.centered) {
      each_vector(in.d, [&](const auto& at) { total = hn::Add(total, at.load(s)); });
    }
    const float mean = in.centered ? sum_of(total) * per_row : 0.0F;
    const V center = hn::Set(tag, mean);
    V squares = hn::Zero(tag);
    each_vector(in.d, [&](const auto& at) {
      const V off = at.within(hn::Sub(at.load(s), center));
      squares = hn::MulAdd(off, off, squares);
    });
    const float scale = 1.0F / std::sqrt(sum_of(squares) * per_row + in.eps);
    const V scales = hn::Set(tag, scale);
    float* y = in.y + r * in.d;
    each_vector(in.d, [&](const auto& at) {
      V normed = hn::Mul(hn::Sub(at.load(s), center), scales);
      if (in.weight) normed = hn::Mul(normed, at.load(in.weight));
      if (in.bias) normed = hn::Add(normed, at.load(in.bias));
      at.store(normed, y);
    });
    if (in.mean) in.mean[r] = mean;
    in.scale[r] = scale;
  }
}

// d_s = scale (g - mean(g) - n mean(g n)) + d_sum, where n = (s - mean) scale and g = d_y weight.
void backward(const NormRows& given) {
  const NormRows in = given;
  const Tag tag;
  const float per_row = 1.0F / static_cast<float>(in.d);
  for (std::int64_t r = 0; r < in.rows; ++r) {
    const float *s = in.s + r * in.d, *d_y = in.d_y + r * in.d;
    const V center = hn::Set(tag, in.centered ? in.mean[r] : 0.0F),
            scale = hn::Set(tag, in.scale[r]);
    const auto normed = [&](const auto& at) { return hn::Mul(hn::Sub(at.load(s), center), scale); };
    const auto weighted = [&](const auto& at, V d) {
      return in.weight ? hn::Mul(d, at.load(in.weight)) : d;
    };
    V sum = hn::Zero(tag), along = hn::Zero(tag);
    each_vector(in.d, [&](const auto& at) {
      const V d = at.load(d_y), n = normed(at), g = weighted(at, d);
      sum = hn::Add(sum, g);
      along = hn::MulAdd(g, n, along);
      if (in.d_weight) at.store(hn::MulAdd(d, n, at.load(in.d_weight)), in.d_weight);
      if (in.d_bias) at.store(hn::Add(d, at.load(in.d_bias)), in.d_bias);
    });
    const V mean = hn::Set(tag, in.centered ? sum_of(sum) * per_row : 0.0F),
            mean_along = hn::Set(tag, sum_of(along) * per_row);
    const float* d_sum = in.d_sum ? in.d_sum + r * in.d : nullptr;
    float* d_s = in.d_s + r * in.d;
    each_vector(in.d, [&](const auto& at) {
      const V off = hn::Sub(weighted(at, at.load(d_y)), mean);
      V d = hn::Mul(scale, hn::NegMulAdd(normed(at), mean_along, off));
      if (d_sum) d = hn::Add(d, at.load(d_sum));
      at.store(d, d_s);
    });
  }
}

NormKernels kernels() { return {forward, backward}; }

}  // namespace
}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lcsm {

LCSM_CHOOSE_FLOAT_KERNELS(NormKernels, norm_kernels)

}  // namespace lcsm
#endif
