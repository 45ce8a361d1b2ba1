#include "runner/data/datasets/pathfinder.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

namespace runner {
namespace {

constexpr float kCollision = 1.8f;  // a pixel collides from this sum of occupancy and dash on
constexpr int kSeedTries = 3, kExtendTries = 3, kDistractorTries = 5;
constexpr int kPlaces = 300;  // tries; if 1 % of the places are free, all fail in 5 of 100 cases
constexpr int kBorder = 1;    // of distractors

int whole(std::uint64_t number) { return static_cast<int>(number); }

double uniform(RandomStream& random) { return static_cast<double>(random.next32()) * 0x1p-32; }

int any_direction(RandomStream& random) { return whole(random.below(360)); }

std::size_t row_of(int degrees) { return static_cast<std::size_t>((degrees % 360 + 360) % 360); }

// The angle between two directions, in radians, 0 to pi.
double turn(double degrees, double other) {
  return std::abs(std::remainder(degrees - other, 360.0)) * std::numbers::pi / 180;
}

}  // namespace

// ----- What every scene uses -----

Pathfinder::Pathfinder(const PathfinderOptions& options)
    : options_(options), disc_(dots_of(draw_disc(options.marker, options.scale))) {
  for (int margin = options.least_margin; margin <= options.most_margin; ++margin)
    dashes_.push_back(dashes_of(margin));
  centre_ = bordered(2 * options.seed_distance);
  padded_ = bordered(options.padding);
  free_ = bordered(kBorder);
}

Pathfinder::Dots Pathfinder::dots_of(const Sprite& sprite) {
  Dots dots;
  for (int y = -sprite.reach; y <= sprite.reach; ++y)
    for (int x = -sprite.reach; x <= sprite.reach; ++x)
      if (sprite.at(y, x) > 0) dots.push_back({y, x, sprite.at(y, x)});
  // Tests the densest places first, where a collision is found soonest.
  std::stable_sort(dots.begin(), dots.end(),
                   [](const Dot& a, const Dot& b) { return a.value > b.value; });
  return dots;
}

// The next head lies on a circle about the pivot, at points a pixel apart; those ahead are more
// likely.
Pathfinder::Dashes Pathfinder::dashes_of(int margin) const {
  Dashes dashes;
  for (int degrees = 0; degrees < 360; ++degrees) {
    const Stroke stroke =
        draw_stroke(degrees, options_.paddle, options_.thickness, margin, options_.scale);
    dashes.images.push_back(dots_of(stroke.image));
    dashes.masks.push_back(dots_of(stroke.mask));
  }
  const int radius = options_.paddle + margin;
  const int count = static_cast<int>(std::lround(2 * std::numbers::pi * radius));
  std::vector<double> angles;
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * std::numbers::pi * i / count;
    const Pixel point{static_cast<int>(std::floor(radius * std::sin(angle) + 1e-9)),
                      static_cast<int>(std::floor(radius * std::cos(angle) + 1e-9))};
    if (std::find(dashes.ahead.begin(), dashes.ahead.end(), point) != dashes.ahead.end()) continue;
    dashes.ahead.push_back(point);
    angles.push_back(std::atan2(point.y, point.x) * 180 / std::numbers::pi);
    dashes.degrees.push_back(static_cast<int>(std::lround(angles.back())));
  }
  for (int last = 0; last < 360; ++last) {
    dashes.weight.emplace_back();
    for (const double angle : angles) {
      const double bend = options_.continuity * turn(angle, last);
      const double part = bend < std::numbers::pi / 2 ? std::cos(bend) : 0;
      dashes.weight.back().push_back(part * part);
    }
  }
  return dashes;
}

bool Pathfinder::inside(Pixel point) const {
  const auto within = [this](int at) { return at >= 0 && at < options_.size; };
  return within(point.y) && within(point.x);
}

// An empty mask in which only the border is occupied.
Pathfinder::Mask Pathfinder::bordered(int border) const {
  const int size = options_.size;
  Mask mask(at(size, 0));
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x)
      if (std::min({y, x, size - 1 - y, size - 1 - x}) < border) mask[at(y, x)] = 1;
  return mask;
}

// ----- Masks -----

// Dashes are drawn backwards from their head, except the first of a contour, which is drawn from
// its tail.
bool Pathfinder::is_free(const Mask& mask, Pixel start, int degrees) const {
  for (const auto& [y, x, value] : dash_->masks[row_of(degrees)]) {
    const Pixel point{start.y + y, start.x + x};
    if (inside(point) && mask[at(point.y, point.x)] + value >= kCollision) return false;
  }
  return true;
}

template <class Canvas>
void Pathfinder::blend(const Dots& dots, Pixel centre, double contrast, Canvas& canvas) const {
  for (const auto& [y, x, value] : dots) {
    const Pixel point{centre.y + y, centre.x + x};
    if (!inside(point)) continue;
    auto& pixel = canvas[at(point.y, point.x)];
    pixel = std::max(pixel, static_cast<typename Canvas::value_type>(value * contrast));
  }
}

void Pathfinder::take_dash(Mask& mask, const Contour& contour, std::size_t i) const {
  const Paddle& paddle = contour[i];
  if (i == 0)
    blend(dash_->masks[row_of(paddle.degrees)], paddle.tail, 1, mask);
  else
    blend(dash_->masks[row_of(paddle.degrees + 180)], paddle.head, 1, mask);
}

void Pathfinder::take_last(Mask& mask, const Contour& contour) const {
  take_dash(mask, contour, contour.size() - 1);
}

// Distractors may come nearer to the border than contours. The pixels of the first contour's last
// dash never count, as in the original.
Pathfinder::Mask Pathfinder::around_contours(const PathfinderScene& scene) const {
  Mask mask = free_;
  for (const Contour& contour : scene.contours) {
    const bool one = &contour == scene.contours;
    for (std::size_t i = 0; i < contour.size() - (one ? 1 : 0); ++i) take_dash(mask, contour, i);
  }
  return mask;
}

// The largest occupancy within the margin of a point.
float Pathfinder::taken_near(const Mask& mask, Pixel point) const {
  float most = 0;
  for (int dy = -margin_; dy <= margin_; ++dy)
    for (int dx = -margin_; dx <= margin_; ++dx) {
      const Pixel near{point.y + dy, point.x + dx};
      if (dy * dy + dx * dx <= margin_ * margin_ && inside(near))
        most = std::max(most, mask[at(near.y, near.x)]);
    }
  return most;
}

// ----- Contours -----

std::optional<Paddle> Pathfinder::first_at(const Mask& mask, Pixel tail, int degrees) const {
  Paddle paddle{tail, translate(tail, degrees, options_.paddle), {}, degrees};
  paddle.pivot = translate(paddle.head, degrees + 180, options_.paddle + margin_);
  if (!inside(tail) || !inside(paddle.head) || !inside(paddle.pivot)) return {};
  if (!is_free(mask, tail, degrees)) return {};
  return paddle;
}

std::optional<Paddle> Pathfinder::first(RandomStream& random, const Mask& mask, int border) const {
  const int degrees = any_direction(random);
  const auto places = static_cast<std::uint64_t>(options_.size - 2 * border);
  for (int i = 0; i < kPlaces; ++i) {
    const Pixel tail{border + whole(random.below(places)), border + whole(random.below(places))};
    if (const auto paddle = first_at(mask, tail, degrees)) return paddle;
  }
  return {};
}

std::optional<Paddle> Pathfinder::next(RandomStream& random, const Mask& mask, const Paddle& last) {
  const Pixel pivot = translate(last.pivot, last.degrees, options_.paddle + 2 * margin_);
  const std::vector<double>& weight = dash_->weight[row_of(last.degrees)];
  double sum = 0;
  sums_.clear();
  for (std::size_t i = 0; i < weight.size(); ++i) {
    const Pixel head{pivot.y + dash_->ahead[i].y, pivot.x + dash_->ahead[i].x};
    if (weight[i] > 0 && inside(head))
      sum += weight[i] * std::max(0.0, 1.0 - taken_near(mask, head));
    sums_.push_back(sum);
  }
  for (int i = 0; i < kExtendTries && sum > 1e-9; ++i) {
    const auto drawn = std::upper_bound(sums_.begin(), sums_.end(), uniform(random) * sum);
    if (drawn == sums_.end()) continue;
    const auto row = static_cast<std::size_t>(drawn - sums_.begin());
    const Pixel head{pivot.y + dash_->ahead[row].y, pivot.x + dash_->ahead[row].x};
    const int degrees = dash_->degrees[row];
    if (is_free(mask, head, degrees + 180))
      return Paddle{translate(head, degrees + 180, options_.paddle), head, pivot, degrees};
  }
  return {};
}

// A dash occupies its pixels only once the next dash of its contour is drawn, since the two would
// block each other.
bool Pathfinder::draw_contours(RandomStream& random, Mask& mask, PathfinderScene& scene) {
  const auto one = first(random, centre_, 2 * options_.seed_distance);
  if (!one) return false;
  mask = padded_;
  take_last(mask, {*one});
  std::optional<Paddle> two;
  const int degrees = any_direction(random);
  for (int i = 0; i < kSeedTries && !two; ++i) {
    const Direction way = direction_of(any_direction(random));
    const Pixel tail{static_cast<int>(std::lround(one->tail.y + options_.seed_distance * way.y)),
                     static_cast<int>(std::lround(one->tail.x + options_.seed_distance * way.x))};
    two = first_at(mask, tail, degrees);
  }
  if (!two) return false;
  mask = padded_;
  scene.contours[0] = {*one};
  scene.contours[1] = {*two};
  for (int i = 1; i < options_.contour_length; ++i)
    for (Contour& contour : scene.contours) {
      const auto paddle = next(random, mask, contour.back());
      if (!paddle) return false;
      take_last(mask, contour);
      contour.push_back(*paddle);
    }
  return true;
}

// Changes the mask only if the whole distractor has room.
bool Pathfinder::draw_distractor(RandomStream& random, Mask& mask, Contour& contour) {
  Mask taken = mask;
  for (int i = 0; i < options_.distractor_length; ++i) {
    const auto paddle =
        i == 0 ? first(random, taken, kBorder) : next(random, taken, contour.back());
    if (!paddle) return false;
    if (i > 0) take_last(taken, contour);
    contour.push_back(*paddle);
  }
  take_last(taken, contour);
  mask = std::move(taken);
  return true;
}

PathfinderScene Pathfinder::scene(RandomStream& random) {
  PathfinderScene scene;
  scene.label = static_cast<std::uint32_t>(random.below(2));
  const std::uint64_t margin = random.below(dashes_.size());
  scene.margin = margin_ = options_.least_margin + whole(margin);
  dash_ = &dashes_[margin];
  Mask mask;
  while (!draw_contours(random, mask, scene)) {
  }
  mask = around_contours(scene);
  for (int i = 0; i < options_.distractors; ++i)
    for (int tries = 0; tries < kDistractorTries; ++tries) {
      Contour contour;
      if (!draw_distractor(random, mask, contour)) continue;
      scene.distractors.push_back(std::move(contour));
      break;
    }
  const auto from = static_cast<std::size_t>(random.below(2));
  const std::size_t to = scene.label == 1 ? from : 1 - from;
  scene.origin = scene.contours[from].front().tail;
  scene.terminal = scene.contours[to].back().head;
  return scene;
}

// ----- Pictures -----

void Pathfinder::paint(const Contour& contour, int margin, double contrast,
                       std::vector<double>& canvas) const {
  const Dashes& dashes = dashes_[static_cast<std::size_t>(margin - options_.least_margin)];
  for (const Paddle& paddle : contour) {
    const bool first = &paddle == &contour.front();
    blend(dashes.images[row_of(paddle.degrees + (first ? 0 : 180))],
          first ? paddle.tail : paddle.head, contrast, canvas);
  }
}

// The brightest pixel becomes 255, as scipy's bytescale did when the released pictures were made.
std::string Pathfinder::picture(const PathfinderScene& scene) const {
  std::vector<double> canvas(at(options_.size, 0));
  const double contrast = options_.contour_contrast * options_.distractor_contrast;
  for (const Contour& contour : scene.contours) paint(contour, scene.margin, contrast, canvas);
  for (const Contour& contour : scene.distractors)
    paint(contour, scene.margin, options_.distractor_contrast, canvas);
  blend(disc_, scene.origin, 1, canvas);
  blend(disc_, scene.terminal, 1, canvas);
  const double most = *std::max_element(canvas.begin(), canvas.end());
  std::string bytes;
  for (const double value : canvas)
    bytes += static_cast<char>(static_cast<unsigned char>(value * 255 / most + 0.5));
  return bytes;
}

}  // namespace runner
