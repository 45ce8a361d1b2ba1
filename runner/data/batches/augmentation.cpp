#include "runner/data/batches/augmentation.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "runner/base/random/random.h"
#include "runner/config/keys/optim_keys.h"
#include "runner/config/keys/run_keys.h"

namespace runner {
namespace {

constexpr std::uint64_t kMostPlaces = std::uint64_t{1} << 20;  // as optim.batch
constexpr double kLeastErased = 0.02, kMostErased = 1.0 / 3, kNarrowest = 0.3;
constexpr int kTries = 10;  // for a box that fits

// 0 < x < 1.
double uniform(RandomStream& random) {
  return (static_cast<double>(random.next64() >> 12) + 0.5) * 0x1p-52;
}

double normal(RandomStream& random) {
  const double radius = std::sqrt(-2 * std::log(uniform(random)));
  return radius * std::cos(2 * std::numbers::pi * uniform(random));
}

// The logarithm of a number drawn from Gamma(alpha), by Marsaglia and Tsang; for alpha < 1 from
// Gamma(alpha + 1). Numbers of small alphas underflow, their logarithms do not.
double log_gamma_draw(RandomStream& random, double alpha) {
  if (alpha < 1) return log_gamma_draw(random, alpha + 1) + std::log(uniform(random)) / alpha;
  const double d = alpha - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = normal(random), v = std::pow(1 + c * x, 3);
    if (1 + c * x <= 0) continue;
    if (std::log(uniform(random)) < x * x / 2 + d * (1 - v + std::log(v))) return std::log(d * v);
  }
}

double beta(RandomStream& random, double alpha) {
  const double a = log_gamma_draw(random, alpha), b = log_gamma_draw(random, alpha);
  return 1 / (1 + std::exp(b - a));
}

std::int64_t below(RandomStream& random, std::int64_t n) {
  return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n)));
}

double real_of(const RunConfig& config, RealKey key) {
  return config.at(key).used ? config.real(key) : 0;
}

}  // namespace

Augmentation::Augmentation(const RunConfig& config, const PictureShape& shape)
    : shape_(shape),
      seed_(static_cast<std::uint64_t>(config.integer("seed"_key))),
      erase_(real_of(config, "optim.erase"_key)),
      mixup_(real_of(config, "optim.mixup"_key)),
      cutmix_(real_of(config, "optim.cutmix"_key)),
      smoothing_(real_of(config, "optim.smoothing"_key)) {
  if (shape.rows == 1 && (erase_ > 0 || cutmix_ > 0))
    throw std::invalid_argument(
        "optim.erase and optim.cutmix need pictures of several rows, got sequences: set them to 0");
}

Mix Augmentation::mix_of(std::uint64_t step) const {
  if (!mixes()) return {};
  RandomStream random(seed_, Draw::kMix, step);
  const bool cuts = cutmix_ > 0 && (mixup_ == 0 || uniform(random) < 0.5);
  const double share = beta(random, cuts ? cutmix_ : mixup_);
  if (!cuts) return {share, {}};
  const double side = std::sqrt(1 - share);
  const auto half = [&](std::int64_t size) {
    return static_cast<std::int64_t>(side * static_cast<double>(size)) / 2;
  };
  const std::int64_t y = below(random, shape_.rows), x = below(random, shape_.columns);
  const PictureBox box{std::max<std::int64_t>(0, y - half(shape_.rows)),
                       std::max<std::int64_t>(0, x - half(shape_.columns)),
                       std::min(shape_.rows, y + half(shape_.rows)),
                       std::min(shape_.columns, x + half(shape_.columns))};
  const auto pixels = static_cast<double>(shape_.rows * shape_.columns);
  return {1 - static_cast<double>(box.pixels()) / pixels, box};
}

std::optional<PictureBox> Augmentation::erased_box(std::uint64_t step, std::uint64_t place) const {
  RandomStream random(seed_, Draw::kErase, step * kMostPlaces + place);
  if (uniform(random) >= erase_) return {};
  for (int i = 0; i < kTries; ++i) {
    const double area = static_cast<double>(shape_.rows * shape_.columns) *
                        (kLeastErased + (kMostErased - kLeastErased) * uniform(random));
    const double aspect = std::pow(kNarrowest, 1 - 2 * uniform(random));
    const std::int64_t rows = std::lround(std::sqrt(area * aspect)),
                       columns = std::lround(std::sqrt(area / aspect));
    if (rows >= shape_.rows || columns >= shape_.columns) continue;
    const std::int64_t top = below(random, shape_.rows - rows + 1),
                       left = below(random, shape_.columns - columns + 1);
    return PictureBox{top, left, top + rows, left + columns};
  }
  return {};
}

void Augmentation::erase(std::span<float> x, std::uint64_t step, std::uint64_t place) const {
  const std::optional<PictureBox> box = erased_box(step, place);
  if (!box) return;
  RandomStream random(seed_, Draw::kErasedValue, step * kMostPlaces + place);
  for (std::int64_t row = box->top; row < box->bottom; ++row)
    for (std::int64_t i = (row * shape_.columns + box->left) * shape_.channels;
         i < (row * shape_.columns + box->right) * shape_.channels; ++i)
      x[static_cast<std::size_t>(i)] = static_cast<float>(normal(random));
}

void Augmentation::mix(std::span<float> x, std::span<const float> other, const Mix& mix) const {
  if (!mix.box) {
    const auto own = static_cast<float>(mix.share), rest = static_cast<float>(1 - mix.share);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = own * x[i] + rest * other[i];
    return;
  }
  for (std::int64_t row = mix.box->top; row < mix.box->bottom; ++row) {
    const auto begin = static_cast<std::size_t>((row * shape_.columns + mix.box->left) *
                                                shape_.channels),
               count = static_cast<std::size_t>((mix.box->right - mix.box->left) * shape_.channels);
    std::copy_n(other.begin() + static_cast<std::ptrdiff_t>(begin), count,
                x.begin() + static_cast<std::ptrdiff_t>(begin));
  }
}

void Augmentation::labels(std::span<float> shares, std::uint32_t own, std::uint32_t other,
                          double share) const {
  const double all = smoothing_ / static_cast<double>(shares.size());
  for (std::uint32_t c = 0; c < shares.size(); ++c) {
    const double mixed = (c == own ? share : 0) + (c == other ? 1 - share : 0);
    shares[c] = static_cast<float>(all + (1 - smoothing_) * mixed);
  }
}

void cut_patches(std::span<const float> picture, const PictureShape& shape, std::int64_t side,
                 std::span<float> patches) {
  const std::int64_t run = side * shape.channels;  // values of a row of a patch
  auto into = patches.begin();
  for (std::int64_t top = 0; top < shape.rows; top += side)
    for (std::int64_t left = 0; left < shape.columns; left += side)
      for (std::int64_t row = top; row < top + side; ++row)
        into =
            std::copy_n(picture.begin() + (row * shape.columns + left) * shape.channels, run, into);
}

}  // namespace runner
