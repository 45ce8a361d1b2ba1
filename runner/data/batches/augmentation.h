// Data augmentation, a function of the seed, the step and an example's place in the step. So
// resuming needs no saved state, and splitting a step into parts changes nothing. Pictures are rows
// x columns x channels values.
//   erase   a box of 2 % to a third of a picture becomes normal values (Zhong et al. 2020)
//   mixup   x becomes s x + (1 - s) x', s from Beta(alpha, alpha) (Zhang et al. 2017)
//   cutmix  a box of x is replaced by the box of x', s the share of x that is left (Yun et al.
//   2019) labels  s for the class of x, 1 - s for the class of x', then smoothed (Szegedy et al.
//   2016)
// All examples of a step share s, and x' is the example at the mirrored place, as in DeiT (timm's
// Mixup and RandomErasing).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "runner/config/run/run_config.h"

namespace runner {

struct PictureShape {
  std::int64_t rows = 1, columns = 1, channels = 1;
  std::int64_t values() const { return rows * columns * channels; }
};

// Rows top .. bottom-1 and columns left .. right-1.
struct PictureBox {
  std::int64_t top = 0, left = 0, bottom = 0, right = 0;
  std::int64_t pixels() const { return (bottom - top) * (right - left); }
};

struct Mix {
  double share = 1;  // of the example itself
  std::optional<PictureBox> box;
};

class Augmentation {
 public:
  // Sequences that are not pictures have rows = 1. Throws std::invalid_argument for augmentations
  // that only pictures allow.
  Augmentation(const RunConfig& config, const PictureShape& shape);

  bool erases() const { return erase_ > 0; }
  bool mixes() const { return mixup_ > 0 || cutmix_ > 0; }
  bool changes_labels() const { return mixes() || smoothing_ > 0; }

  Mix mix_of(std::uint64_t step) const;
  std::optional<PictureBox> erased_box(std::uint64_t step, std::uint64_t place) const;

  void erase(std::span<float> x, std::uint64_t step, std::uint64_t place) const;
  void mix(std::span<float> x, std::span<const float> other, const Mix& mix) const;
  // Writes the share of each class.
  void labels(std::span<float> shares, std::uint32_t own, std::uint32_t other, double share) const;

 private:
  PictureShape shape_;
  std::uint64_t seed_;
  double erase_ = 0, mixup_ = 0, cutmix_ = 0, smoothing_ = 0;
};

// Cuts steps of one pixel into steps of side x side pixels: patches from left to right, then down;
// pixels within a patch in the same order, each with its channels.
void cut_patches(std::span<const float> picture, const PictureShape& shape, std::int64_t side,
                 std::span<float> patches);

}  // namespace runner
