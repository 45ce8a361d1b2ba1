// Pathfinder's pictures: two dashed contours and shorter distractors, which curve smoothly and do
// not touch. Two discs mark the ends of one contour (label 1), or one end of each (label 0).
// Implements the description of the snakes algorithm in drewlinsley/pathfinder.
//
// What the description leaves open: the first dash of a contour needs room, too, and the second
// contour's first dash keeps clear of the first contour's; directions are whole degrees, strokes
// have round ends. The contours grow in turns and may cross: a classifier that knows each dash
// exactly and takes the smoothest pair of contours errs in 9 of 1500 pictures of 32 x 32, in 2 of
// 64 x 64, in none of the larger ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runner/base/random/random.h"
#include "runner/data/datasets/sprites.h"

namespace runner {

// The parameters of one size, with the values of the Long Range Arena. Lengths are in pixels.
struct PathfinderOptions {
  int size, padding, least_margin, most_margin;
  int paddle;         // length of a dash
  double thickness;   // of a dash
  int seed_distance;  // between the first ends of the two contours
  double marker;      // radius
  int distractors;
  double continuity;  // the larger, the straighter
  double distractor_contrast, contour_contrast;
  int contour_length = 14, distractor_length = 4, scale = 2;
};

// The sizes of the Long Range Arena.
// size, padding, margins, dash and its width, seeds, marker, distractors, continuity, contrasts
inline constexpr PathfinderOptions kPathfinder32{32, 1, 1, 1, 2, 0.5, 7, 1.5, 5, 1.0, 2.0, 0.75},
    kPathfinder64{64, 1, 1, 1, 5, 1.0, 12, 2.5, 5, 1.8, 0.8, 1.0},
    kPathfinder128{128, 1, 2, 3, 5, 1.5, 20, 3.0, 8, 1.8, 0.9, 1.0},
    kPathfinder256{256, 22, 3, 3, 5, 2.0, 27, 5.0, 7, 1.8, 1.0, 1.0};

// A dash, from tail to head, and the point about which the next one starts.
struct Paddle {
  Pixel tail, head, pivot;
  int degrees = 0;
  bool operator==(const Paddle&) const = default;
};
using Contour = std::vector<Paddle>;

// The contents of a picture.
struct PathfinderScene {
  std::uint32_t label = 0;
  int margin = 0;  // a gap between dashes is twice as wide
  Contour contours[2];
  std::vector<Contour> distractors;
  Pixel origin, terminal;  // the markers
};

class Pathfinder {
 public:
  explicit Pathfinder(const PathfinderOptions& options);

  PathfinderScene scene(RandomStream& random);
  std::string picture(const PathfinderScene& scene) const;  // a byte for each pixel

 private:
  using Mask = std::vector<float>;  // the occupancy of each pixel

  // The pixels of a sprite that are not black.
  struct Dot {
    int y, x;
    float value;
  };
  using Dots = std::vector<Dot>;

  // Tables that depend on the margin alone, by direction in degrees.
  struct Dashes {
    std::vector<Dots> images, masks;
    std::vector<Pixel> ahead;                 // places where the next head may be, from the pivot
    std::vector<int> degrees;                 // towards these
    std::vector<std::vector<double>> weight;  // the weights of `ahead`, by the last direction
  };
  Dashes dashes_of(int margin) const;
  static Dots dots_of(const Sprite& sprite);

  bool inside(Pixel point) const;
  Mask bordered(int border) const;
  std::size_t at(int y, int x) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(options_.size) +
           static_cast<std::size_t>(x);
  }
  bool is_free(const Mask& mask, Pixel start, int degrees) const;
  template <class Canvas>
  void blend(const Dots& dots, Pixel centre, double contrast, Canvas& canvas) const;
  void take_dash(Mask& mask, const Contour& contour, std::size_t i) const;
  void take_last(Mask& mask, const Contour& contour) const;
  Mask around_contours(const PathfinderScene& scene) const;
  float taken_near(const Mask& mask, Pixel point) const;
  std::optional<Paddle> first_at(const Mask& mask, Pixel tail, int degrees) const;
  std::optional<Paddle> first(RandomStream& random, const Mask& mask, int border) const;
  std::optional<Paddle> next(RandomStream& random, const Mask& mask, const Paddle& last);
  bool draw_contours(RandomStream& random, Mask& mask, PathfinderScene& scene);
  bool draw_distractor(RandomStream& random, Mask& mask, Contour& contour);
  void paint(const Contour& contour, int margin, double contrast,
             std::vector<double>& canvas) const;

  PathfinderOptions options_;
  std::vector<Dashes> dashes_;  // by margin
  Dots disc_;
  Mask centre_, padded_, free_;  // without contours
  int margin_ = 0;               // of the scene that is drawn
  const Dashes* dash_ = nullptr;
  std::vector<double> sums_;  // of next()
};

}  // namespace runner
