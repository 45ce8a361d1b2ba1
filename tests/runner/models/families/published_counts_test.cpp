// Parameter counts of the papers' models on Long Range Arena, as their authors' code has them.
#include <gtest/gtest.h>

#include "runner/models/families/model_tensors.h"

namespace runner {
namespace {

struct Published {
  const char *task, *system;
  std::int64_t vocab, d, layers, head_width, count;  // head_width 0: linear
};

const Published kPublished[] = {
    {"lra-listops", "etsmlp@bidirectional=true", 20, 160, 12, 0, 652480},
    {"lra-listops", "etsmlp-gate@bidirectional=true", 20, 160, 12, 0, 961600},
    {"lra-text", "etsmlp@bidirectional=true", 263, 160, 4, 0, 258720},
    {"lra-text", "etsmlp-gate@bidirectional=true", 263, 160, 4, 0, 361760},
    {"lra-text", "etsmlp@bidirectional=true", 263, 160, 6, 0, 366560},
    {"lra-image", "etsmlp@bidirectional=true,hidden=320", 1, 160, 12, 0, 1290880},
    {"lra-image", "etsmlp-gate@bidirectional=true,hidden=320", 1, 160, 12, 0, 1600000},
    {"lra-pathfinder", "etsmlp@bidirectional=true,hidden=256", 1, 128, 6, 0, 418048},
    {"lra-pathx", "etsmlp-gate@bidirectional=true,hidden=256", 1, 128, 6, 0, 517120},
    {"lra-listops",
     "mega@bidirectional=true,causal=false,z=64,v=160,positions=2002,feed_hidden=160,norm_place="
     "post",
     20, 80, 6, 160, 602258},
    {"lra-text",
     "mega@bidirectional=true,causal=false,z=64,v=256,positions=4002,feed_hidden=256,norm=scale,"
     "norm_place=post",
     263, 128, 4, 256, 990868},
    {"lra-image",
     "mega@bidirectional=true,causal=false,attention=laplace,z=96,v=320,positions=1024,feed_hidden="
     "320,norm=batch",
     1, 160, 8, 320, 2839096},
    {"lra-image",
     "mega-chunk@bidirectional=true,causal=false,attention=laplace,z=96,v=320,feed_hidden=320,norm="
     "batch",
     1, 160, 8, 320, 2824760},
    {"lra-pathfinder",
     "mega@bidirectional=true,causal=false,attention=laplace,z=64,v=256,positions=1024,feed_hidden="
     "256,norm=batch",
     1, 128, 6, 256, 1386874},
    {"lra-pathx",
     "mega@bidirectional=true,causal=false,attention=laplace,z=32,v=128,positions=16384,"
     "feed_hidden=128,norm=batch",
     1, 64, 4, 128, 381948},
    {"lra-pathx",
     "mega-chunk@bidirectional=true,causal=false,attention=laplace,chunk=4096,z=32,v=128,"
     "feed_hidden=128,norm=batch",
     1, 64, 4, 128, 283644},
};

TEST(PublishedCounts, AreThoseOfOurModels) {
  for (const Published& each : kPublished) {
    SCOPED_TRACE(std::string(each.task) + " " + each.system);
    std::vector<std::string> settings = {
        std::string("task.name=") + each.task,
        std::string("model.system=") + each.system,
        "model.skeleton=source",
        "model.d=" + std::to_string(each.d),
        "model.layers=" + std::to_string(each.layers),
        each.head_width > 0 ? "model.head=gelu" : "model.head=linear"};
    if (each.head_width > 0)
      settings.push_back("model.head_width=" + std::to_string(each.head_width));
    const RunConfig config = parse_config("", "", settings, [](const std::string&) {});
    EXPECT_EQ(count_of(plan_model(config, each.vocab)).learned, each.count);
  }
}

// Table 10 of MEGA prints 65 and 67 M; both hold for a joint vocabulary of 40 500 byte pairs.
TEST(PublishedCounts, AreThoseOfTranslation) {
  for (const auto& [recipe, millions] :
       {std::pair{"xfm/wmt16-en-de", 65}, {"mega/wmt16-de-en", 67}}) {
    const RunConfig config =
        parse_config("", "", {"recipe=" + std::string(recipe)}, [](const std::string&) {});
    const double count = 1e-6 * static_cast<double>(count_of(plan_model(config, 40500)).learned);
    EXPECT_NEAR(count, millions, 0.2) << recipe;
  }
}

}  // namespace
}  // namespace runner
