#include "runner/data/datasets/pathfinder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <set>

#include "runner/data/datasets/dataset.h"
#include "tests/sanitized.h"

namespace runner {
namespace {

constexpr std::uint64_t kScenes = tests::kSanitized ? 1 : 20;

double distance(Pixel a, Pixel b) {
  return std::sqrt((a.y - b.y) * (a.y - b.y) + (a.x - b.x) * (a.x - b.x));
}

double turn(double degrees) { return std::abs(std::remainder(degrees, 360.0)); }

struct Drawn {
  const PathfinderOptions* options;
  PathfinderScene scene;
  std::string picture;
};

// The scenes of every size, drawn once for all tests.
const std::vector<Drawn>& scenes() {
  static const std::vector<Drawn> all = [] {
    std::vector<Drawn> made;
    for (const PathfinderOptions* options :
         {&kPathfinder32, &kPathfinder64, &kPathfinder128, &kPathfinder256}) {
      Pathfinder pathfinder(*options);
      for (std::uint64_t i = 0; i < kScenes; ++i) {
        RandomStream random(1, Split::kValid, i);
        made.push_back({options, pathfinder.scene(random), {}});
        made.back().picture = pathfinder.picture(made.back().scene);
      }
    }
    return made;
  }();
  return all;
}

void for_scenes(const auto& visit) {
  for (std::size_t i = 0; i < scenes().size() && !::testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE("size " + std::to_string(scenes()[i].options->size) + ", scene " +
                 std::to_string(i % kScenes));
    visit(*scenes()[i].options, scenes()[i].scene, scenes()[i].picture);
  }
}

std::vector<const Contour*> contours_of(const PathfinderScene& scene) {
  std::vector<const Contour*> all = {&scene.contours[0], &scene.contours[1]};
  for (const Contour& contour : scene.distractors) all.push_back(&contour);
  return all;
}

// Dashes as they are drawn, a line from a point in a direction, without their order.
struct Segment {
  Pixel start, end;
  int degrees;
  bool visited = false;
};

std::vector<Segment> segments_of(const PathfinderScene& scene) {
  std::vector<Segment> all;
  for (const Contour* contour : contours_of(scene))
    for (const Paddle& paddle : *contour)
      all.push_back(&paddle == &contour->front()
                        ? Segment{paddle.tail, paddle.head, paddle.degrees}
                        : Segment{paddle.head, paddle.tail, paddle.degrees + 180});
  std::sort(all.begin(), all.end(), [](const Segment& a, const Segment& b) {
    return std::pair(a.start.y, a.start.x) < std::pair(b.start.y, b.start.x);
  });
  return all;
}

// Follows the contour from its marked end dash by dash: the next dash lies about a pivot ahead of
// the last, with all points rounded as drawn. If contours cross, more than one dash fits. Then the
// other contour must exist, too, and the smoothest pair is taken.
class Follower {
 public:
  Follower(const PathfinderOptions& options, const PathfinderScene& scene)
      : options_(options), scene_(scene), segments_(segments_of(scene)) {}

  std::uint32_t label() {
    const auto is_origin = [&](Pixel tail) { return tail == scene_.origin; };
    const auto is_other = [&](Pixel tail) {
      return std::abs(distance(tail, scene_.origin) - options_.seed_distance) <= 1;
    };
    follow_from(is_origin, [&](Pixel head, double bends) {
      follow_from(is_other, [&](Pixel, double others) {
        if (bends + others >= least_) return;
        found_ = head == scene_.terminal;
        least_ = bends + others;
      });
    });
    return found_ ? 1 : 0;
  }

 private:
  using Done = std::function<void(Pixel head, double bends)>;

  void follow_from(const auto& starts_at, const Done& done) {
    for (Segment& segment : segments_) {
      if (!segment.visited && starts_at(segment.start))
        start(segment, options_.contour_length, done);
    }
  }

  void start(Segment& segment, int length, const Done& done) {
    const Pixel pivot =
        translate(segment.end, segment.degrees + 180, options_.paddle + scene_.margin);
    take(segment, {segment.end, pivot, segment.degrees, length - 1, 0}, done);
  }

  // The current end of a contour.
  struct At {
    Pixel head, pivot;
    int degrees, left;
    double bends;  // minus the logarithm of the turns' weights
  };

  void take(Segment& segment, const At& at, const Done& done) {
    segment.visited = true;
    if (at.left == 0)
      done(at.head, at.bends);
    else
      go_on(at, done);
    segment.visited = false;
  }

  void go_on(const At& at, const Done& done) {
    const Pixel pivot = translate(at.pivot, at.degrees, options_.paddle + 2 * scene_.margin);
    for (Segment& segment : segments_) {
      const Pixel head = segment.start;
      if (segment.visited ||
          std::abs(distance(pivot, head) - options_.paddle - scene_.margin) > 1.5)
        continue;
      const int degrees = static_cast<int>(
          std::lround(std::atan2(head.y - pivot.y, head.x - pivot.x) * 180 / std::numbers::pi));
      const double bend = options_.continuity * turn(degrees - at.degrees);
      if (bend > 90.5 || turn(degrees + 180 - segment.degrees) != 0) continue;
      const double weight = std::cos(std::min(bend, 89.9) * std::numbers::pi / 180);
      take(segment, {head, pivot, degrees, at.left - 1, at.bends - 2 * std::log(weight)}, done);
    }
  }

  const PathfinderOptions& options_;
  const PathfinderScene& scene_;
  std::vector<Segment> segments_;
  bool found_ = false;
  double least_ = 1e9;
};

}  // namespace

TEST(Pathfinder, ContoursHaveTheirDashes) {
  for_scenes([](const PathfinderOptions& options, const PathfinderScene& scene, const auto&) {
    EXPECT_EQ(scene.contours[0].size(), static_cast<std::size_t>(options.contour_length));
    EXPECT_EQ(scene.contours[1].size(), static_cast<std::size_t>(options.contour_length));
    EXPECT_LE(scene.distractors.size(), static_cast<std::size_t>(options.distractors));
    EXPECT_GE(scene.margin, options.least_margin);
    EXPECT_LE(scene.margin, options.most_margin);
    for (const Contour& contour : scene.distractors)
      EXPECT_EQ(contour.size(), static_cast<std::size_t>(options.distractor_length));
  });
}

// Points are rounded to pixels, up in both directions: by less than 1.5 in all.
TEST(Pathfinder, DashesHaveTheirLengthAndGap) {
  for_scenes([](const PathfinderOptions& options, const PathfinderScene& scene, const auto&) {
    for (const Contour* contour : contours_of(scene))
      for (std::size_t i = 0; i < contour->size(); ++i) {
        const Paddle& paddle = (*contour)[i];
        EXPECT_NEAR(distance(paddle.head, paddle.tail), options.paddle, 1.5);
        EXPECT_NEAR(distance(paddle.head, paddle.pivot), options.paddle + scene.margin, 1.5);
        if (i > 0) {
          EXPECT_NEAR(distance((*contour)[i - 1].pivot, paddle.pivot),
                      options.paddle + 2 * scene.margin, 1.5);
        }
      }
  });
}

// The weight is zero from a turn of 90 degrees / continuity on; directions are whole degrees.
TEST(Pathfinder, ContoursTurnNoMoreThanContinuityAllows) {
  double most = 0;
  for_scenes([&](const PathfinderOptions& options, const PathfinderScene& scene, const auto&) {
    for (const Contour* contour : contours_of(scene))
      for (std::size_t i = 1; i < contour->size(); ++i) {
        const double by = turn((*contour)[i].degrees - (*contour)[i - 1].degrees);
        EXPECT_LE(by, 90 / options.continuity + 0.5);
        most = std::max(most, by * options.continuity);
      }
  });
  EXPECT_GT(most, 60);  // they do turn
}

TEST(Pathfinder, MarkersAreAtEndsOfContours) {
  for_scenes([](const PathfinderOptions& options, const PathfinderScene& scene,
                const std::string& picture) {
    const auto on = [&](Pixel marker, Pixel Paddle::*end, auto which) {
      return std::pair(marker == which(scene.contours[0]).*end,
                       marker == which(scene.contours[1]).*end);
    };
    const auto [from0, from1] = on(scene.origin, &Paddle::tail, [](auto& c) { return c.front(); });
    const auto [to0, to1] = on(scene.terminal, &Paddle::head, [](auto& c) { return c.back(); });
    EXPECT_TRUE(from0 != from1 && to0 != to1);
    EXPECT_EQ(from0 == to0, scene.label == 1);
    const int low = 2 * options.seed_distance, high = options.size - 1 - low;
    for (const Pixel end : {scene.contours[0].front().tail}) {
      EXPECT_TRUE(end.y >= low && end.y <= high && end.x >= low && end.x <= high);
    }
    EXPECT_NEAR(distance(scene.contours[0].front().tail, scene.contours[1].front().tail),
                options.seed_distance, 1);
    const auto pixel = static_cast<std::size_t>(scene.origin.y * options.size + scene.origin.x);
    EXPECT_GT(static_cast<unsigned char>(picture[pixel]), 100);
  });
}

// The picture contains every dash completely, and nothing else.
TEST(Pathfinder, EveryDashIsDrawnAndNothingElse) {
  for_scenes([](const PathfinderOptions& options, const PathfinderScene& scene,
                const std::string& picture) {
    const auto lit = [&](int y, int x) {
      return picture[static_cast<std::size_t>(y * options.size + x)] != '\0';
    };
    std::set<std::pair<int, int>> near;
    const int reach = std::max(static_cast<int>(options.marker), options.paddle) + 3;
    for (const Contour* contour : contours_of(scene))
      for (const Paddle& paddle : *contour) {
        EXPECT_TRUE(lit((paddle.head.y + paddle.tail.y) / 2, (paddle.head.x + paddle.tail.x) / 2) ||
                    lit(paddle.head.y, paddle.head.x));
        for (int y = -reach; y <= reach; ++y)
          for (int x = -reach; x <= reach; ++x) {
            near.insert({paddle.head.y + y, paddle.head.x + x});
            near.insert({paddle.tail.y + y, paddle.tail.x + x});
          }
      }
    for (int y = 0; y < options.size; ++y)
      for (int x = 0; x < options.size; ++x)
        if (lit(y, x)) {
          EXPECT_TRUE(near.contains({y, x})) << y << ", " << x;
        }
    EXPECT_EQ(static_cast<unsigned char>(
                  *std::max_element(picture.begin(), picture.end(),
                                    [](unsigned char a, unsigned char b) { return a < b; })),
              255);
  });
}

// Among 1500 scenes of each size the smoothest pair is a wrong one in 9 of 32 x 32 and 2 of 64 x
// 64, whose contours cross at one pivot; none of these is tested below.
TEST(Pathfinder, FollowingTheContourAnswersEveryLabel) {
  int ones = 0, all = 0;
  for_scenes([&](const PathfinderOptions& options, const PathfinderScene& scene, const auto&) {
    EXPECT_EQ(Follower(options, scene).label(), scene.label);
    ones += static_cast<int>(scene.label);
    ++all;
  });
  EXPECT_NEAR(ones, all / 2.0, 5 * std::sqrt(all) / 2) << "five standard deviations";
}

}  // namespace runner
