// Consecutive segments of a text, with the states that layers carry between them.
#include "runner/models/skeletons/carried.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/cat.h>
#include <gtest/gtest.h>

#include "tests/runner/models/skeletons/model_cases.h"

namespace runner {
namespace {

using at::Tensor;

Model xl_model(const std::string& options, const std::string& layers,
               const std::string& skeleton = "source") {
  return small_model({"model.system=transformer-xl@heads=2" + options, "model.layers=" + layers,
                      "task.order=consecutive", "model.skeleton=" + skeleton});
}

}  // namespace

TEST(Carried, SegmentsWithAWholeMemoryAreOneSequence) {
  for (const char* skeleton : {"source", "wikitext", "zoology"}) {
    const Model model = xl_model("", "3", skeleton);
    const Tensor tokens = some_tokens(2, 15, 6);
    Dropout none;
    Carried carried;
    std::vector<Tensor> parts;
    for (const std::int64_t from : {0, 5, 10})
      parts.push_back(model.hidden({tokens.narrow(1, from, 5)}, none, &carried));
    EXPECT_TRUE(at::allclose(at::cat(parts, 1), model.hidden({tokens}, none), 1e-11, 1e-12))
        << skeleton;
    EXPECT_FALSE(at::allclose(parts[1], model.hidden({tokens.narrow(1, 5, 5)}, none), 1e-3, 1e-3))
        << skeleton;
  }
}

TEST(Carried, AMemoryReachesSoFarAndNoFurther) {
  const Model model = xl_model(",memory=3", "1");
  const Tensor tokens = some_tokens(2, 10, 6);
  Dropout none;
  Carried carried;
  model.hidden({tokens.narrow(1, 0, 5)}, none, &carried);
  const Tensor h = model.hidden({tokens.narrow(1, 5, 5)}, none, &carried),
               seen = model.hidden({tokens.narrow(1, 2, 8)}, none);
  EXPECT_TRUE(at::allclose(h, seen.narrow(1, 3, 5), 1e-11, 1e-12));
}

TEST(Carried, HasNoGradient) {
  const Model model = xl_model("", "2");
  const Tensor tokens = some_tokens(1, 5, 6);
  Dropout none;
  Carried carried;
  model.hidden({tokens}, none, &carried);
  ASSERT_EQ(carried.size(), 2u);
  for (const lcsm::BlockState& layer : carried) {
    EXPECT_FALSE(layer.at("memory").requires_grad());
    EXPECT_EQ(layer.at("memory").sizes(), (std::vector<std::int64_t>{1, 5, 4}));
  }
}

TEST(Carried, OnlyBlocksThatRecallCarryAnything) {
  const Model model = small_model({"model.system=rwkv4", "model.skeleton=source"});
  const Tensor tokens = some_tokens(1, 5, 6);
  Dropout none;
  Carried carried;
  const Tensor first = model.hidden({tokens}, none, &carried);
  EXPECT_TRUE(carried.at(0).empty());
  EXPECT_TRUE(model.hidden({tokens}, none, &carried).equal(first));
}

// In float64; whole: read at once.
void expect_the_same_in_pieces(const Model& model, const Tensor& tokens, const Tensor& whole) {
  Dropout none;
  Carried carried;
  std::vector<Tensor> parts;
  std::int64_t begin = 0;
  for (const std::int64_t length : {5, 1, 1, 3, 1}) {
    Inputs piece{tokens.narrow(1, begin, length)};
    piece.begin = begin;
    parts.push_back(model.hidden(piece, none, &carried));
    ASSERT_TRUE(can_go_on(carried));
    begin += length;
  }
  ASSERT_EQ(begin, tokens.size(1));
  const auto largest = [](const Tensor& x) { return x.abs().max().item<double>(); };
  EXPECT_LT(largest(at::cat(parts, 1) - whole), 1e-10 * largest(whole));
}

// The names of the blocks that cannot.
std::vector<std::string> expect_pieces_of(const std::vector<std::vector<std::string>>& kinds) {
  std::vector<std::string> cannot;
  for (std::vector<std::string> settings : kinds) {
    SCOPED_TRACE(settings[0]);
    settings.push_back("task.length=11");
    const Model model = small_model(settings);
    const Tensor tokens = some_tokens(2, 11, 6);
    Dropout none;
    Carried carried;
    Inputs first{tokens.narrow(1, 0, 5)};
    first.begin = 0;
    model.hidden(first, none, &carried);
    if (can_go_on(carried)) {
      expect_the_same_in_pieces(model, tokens, model.hidden({tokens}, none));
      continue;
    }
    cannot.push_back(settings[0]);
    first.begin = 5;
    EXPECT_THROW(model.hidden(first, none, &carried), std::invalid_argument);
  }
  return cannot;
}

TEST(Carried, ATextIsReadInPiecesAsAtOnce) {
  std::vector<std::vector<std::string>> codes;
  for (const lcsm::OscillationRow& row : lcsm::oscillation_rows()) {
    const std::string name(row.name);
    codes.push_back({"model.code=" + (row.whole ? name : "1-" + name + "-1-0"), "model.k=4"});
  }
  EXPECT_EQ(expect_pieces_of(codes), std::vector<std::string>{});
  const std::vector<std::string> attention(3, "model.family=attention");
  EXPECT_EQ(expect_pieces_of(kinds_of_models()), attention);
  EXPECT_EQ(expect_pieces_of({{"model.code=1-9-1-0", "model.positions=sinusoidal"},
                              {"model.code=1-3-1-0", "model.positions=learned"}}),
            std::vector<std::string>{});
}

TEST(Carried, ATextIsReadInPiecesBySystems) {
  std::vector<std::vector<std::string>> systems;
  for (const SystemRow& row : system_rows())
    if (!is_two_sided(parse_system(row.name)))
      systems.push_back(
          {"model.system=" + std::string(row.name), "model.skeleton=source", "model.d=8"});
  std::string cannot;
  for (const std::string& system : expect_pieces_of(systems))
    cannot += system.substr(system.find('=') + 1) + " ";
  // Blocks that compare pairs of steps, whose filters depend on the length, or that recall only a
  // part.
  EXPECT_EQ(cannot,
            "mega mega-chunk s4++ s4+attention dss tnn retnet transformer cosformer flash "
            "luna gmlp bigbird reformer transformer-ls transformer-xl ");
}

TEST(Carried, IsCutJoinedAndNamed) {
  const Tensor a = lcsm::random_input(3, 2, 2, 1), b = lcsm::random_input(3, 2, 2, 2);
  const Carried all = {{{"memory", a}}, {}, {{"memory", b}}};
  const Carried again = joined({rows_of(all, 0, 1), rows_of(all, 1, 2)});
  ASSERT_EQ(again.size(), 3u);
  EXPECT_TRUE(again[0].at("memory").equal(a) && again[2].at("memory").equal(b));
  auto tensors = tensors_of(all);
  ASSERT_EQ(tensors.size(), 2u);
  EXPECT_TRUE(tensors.at("carried.2.memory").equal(b));
  tensors["mean.embedding.weight"] = a;
  const Carried read = carried_in(tensors, at::kCPU);
  ASSERT_EQ(read.size(), 3u);
  EXPECT_TRUE(read[1].empty() && read[0].at("memory").equal(a) && read[2].at("memory").equal(b));
  EXPECT_TRUE(joined({}).empty() && rows_of({}, 0, 3).empty());
}

}  // namespace runner
