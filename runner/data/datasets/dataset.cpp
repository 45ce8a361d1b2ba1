#include "runner/data/datasets/dataset.h"

#include <memory>
#include <nlohmann/json.hpp>

#include "lcsm/base/row_names.h"
#include "lcsm/base/safe_text.h"
#include "runner/data/datasets/digits.h"
#include "runner/data/datasets/listops.h"
#include "runner/data/datasets/paraphrase.h"
#include "runner/data/datasets/pathfinder.h"
#include "runner/data/datasets/phrases.h"
#include "runner/data/datasets/sounds.h"
#include "runner/data/datasets/toys.h"

namespace runner {
namespace {

// ----- ListOps -----

Maker listops_maker(const Recipe& recipe) {
  return [recipe](Split split, std::uint64_t index, std::uint64_t again) {
    RandomStream random(recipe.seed, split, index);
    NewExample example;
    for (std::uint64_t i = 0; i <= again; ++i)
      example.sequences[0] = draw_listops(random, recipe.over, recipe.under);
    example.label = static_cast<std::uint32_t>(listops_value(example.sequences[0]));
    return example;
  };
}

bool is_listops_right(const NewExample& example) try {
  return listops_value(example.sequences[0]) == static_cast<int>(example.label);
} catch (const std::invalid_argument&) {
  return false;
}

// ----- Pathfinder -----

template <const PathfinderOptions& options>
Maker pathfinder_maker(const Recipe& recipe) {
  const auto pathfinder = std::make_shared<Pathfinder>(options);
  return [recipe, pathfinder](Split split, std::uint64_t index, std::uint64_t) {
    RandomStream random(recipe.seed, split, index);
    const PathfinderScene scene = pathfinder->scene(random);
    return NewExample{{pathfinder->picture(scene)}, scene.label, {}};
  };
}

template <const PathfinderOptions& options>
DatasetRow pathfinder(std::string_view name, std::string_view help) {
  constexpr std::uint32_t side = options.size;
  return {name,
          help,
          {160000, 20000, 20000},
          {.vocabulary = 256, .classes = 2, .length = side * side, .rows = side, .columns = side},
          pathfinder_maker<options>};
}

// ----- Toys -----

constexpr DataShape real_shape(std::uint32_t channels, std::uint32_t length,
                               std::uint32_t targets) {
  return {.element = Element::kReal, .channels = channels, .targets = targets, .length = length};
}

// The first example to train on is the undisturbed sine.
Maker sine_maker(const Recipe& recipe) {
  return [recipe](Split split, std::uint64_t index, std::uint64_t) {
    RandomStream random(recipe.seed, split, index);
    return sine_example(random, split == Split::kTrain && index == 0);
  };
}

template <NewExample (*example)(RandomStream&)>
Maker toy_maker(const Recipe& recipe) {
  return [recipe](Split split, std::uint64_t index, std::uint64_t) {
    RandomStream random(recipe.seed, split, index);
    return example(random);
  };
}

// ----- Paraphrases -----

Maker paraphrase_maker(const Recipe& recipe) {
  return [recipe](Split split, std::uint64_t index, std::uint64_t again) {
    RandomStream random(recipe.seed, split, index);
    NewExample example = paraphrase_example(random);
    const std::uint32_t label = example.label;  // redrawn ones keep it, so labels stay balanced
    for (std::uint64_t i = 0; i < again; ++i) {
      do {
        example = paraphrase_example(random);
      } while (example.label != label);
    }
    return example;
  };
}

bool is_paraphrase_right(const NewExample& example) try {
  return say_the_same(example.sequences[0], example.sequences[1]) == (example.label == 1);
} catch (const std::invalid_argument&) {
  return false;
}

// ----- Pairs of sentences -----

Maker phrases_maker(const Recipe& recipe) {
  return [recipe](Split split, std::uint64_t index, std::uint64_t again) {
    RandomStream random(recipe.seed, split, index);
    NewExample example;
    for (std::uint64_t i = 0; i <= again; ++i) example = phrases_example(random);
    return example;
  };
}

bool is_translation_right(const NewExample& example) try {
  return translated_phrases(example.sequences[0]) == example.sequences[1];
} catch (const std::invalid_argument&) {
  return false;
}

// ----- Sounds -----

constexpr std::uint32_t kSecond = 16000;  // samples

Maker sound_maker(const Recipe& recipe) {
  return [recipe](Split split, std::uint64_t index, std::uint64_t) {
    RandomStream random(recipe.seed, split, index);
    return sound_example(random, static_cast<std::uint32_t>(recipe.length));
  };
}

}  // namespace

const std::vector<DatasetRow>& dataset_rows() {
  static const std::vector<DatasetRow> rows = {
      {.name = "lra-listops",
       .help = "the value, 0 to 9, of an expression, by default of 501 to 1999 tokens",
       .examples = {96000, 2000, 2000},
       .shape = {.vocabulary = kListOpsTokens.size(), .classes = 10},
       .maker = listops_maker,
       .over = 500,
       .under = 2000,
       .unique = true,
       .is_right = is_listops_right,
       .text = listops_text},
      pathfinder<kPathfinder32>("lra-pathfinder",
                                "are two discs the ends of one contour? 32 x 32 pixels"),
      pathfinder<kPathfinder64>("lra-pathfinder-64", "the same, 64 x 64 pixels"),
      pathfinder<kPathfinder128>("lra-pathx", "the same, 128 x 128 pixels"),
      pathfinder<kPathfinder256>("lra-pathx-256", "the same, 256 x 256 pixels"),
      {"digits-12",
       "which digit a picture of 12 x 12 pixels shows, 0 to 9",
       {20000, 1000, 2000},
       {.vocabulary = 256,
        .classes = kDigitClasses,
        .length = kDigitSide * kDigitSide,
        .rows = kDigitSide,
        .columns = kDigitSide},
       toy_maker<digit_example>},
      {"nss",
       "a sine sampled off its grid; targets: its values on the grid",
       {100, 100, 100},
       real_shape(1, kSineSteps, kSineSteps),
       sine_maker},
      {"etc",
       "a plant with event-triggered input (input, event); targets: its state",
       {800, 100, 100},
       real_shape(2, kPlantSteps, 2 * kPlantSteps),
       toy_maker<plant_example>},
      {"etc-perturbed",
       "the same inputs, sampled beside their events and not fed back: the state grows",
       {800, 100, 100},
       real_shape(2, kPlantSteps, 2 * kPlantSteps),
       toy_maker<perturbed_plant_example>},
      {"pythagorean",
       "two numbers far apart; target: the sum of their squares",
       {160, 40, 40},
       real_shape(1, kPythagoreanSteps, 1),
       toy_maker<pythagorean_example>},
      {.name = "paraphrase",
       .help = "do two sentences of a small grammar say the same?",
       .examples = {20000, 1000, 1000},
       .shape = {.vocabulary = 256, .classes = 2, .sequences = 2},
       .maker = paraphrase_maker,
       .unique = true,
       .is_right = is_paraphrase_right,
       .text = lcsm::safe_text},
      {.name = "phrases",
       .help = "sentences of a small grammar, and their translations",
       .examples = {20000, 500, 1000},
       .shape = {.vocabulary = 256, .sequences = 2},
       .maker = phrases_maker,
       .unique = true,
       .is_right = is_translation_right,
       .text = lcsm::safe_text},
      {.name = "sounds",
       .help = "which of ten kinds a waveform is: tones, chirps, pulses, noises",
       .examples = {20000, 2000, 2000},
       .shape = {.element = Element::kReal, .classes = kSounds.size(), .length = kSecond},
       .maker = sound_maker,
       .length = kSecond},
  };
  return rows;
}

const DatasetRow* find_dataset(std::string_view name) {
  return lcsm::row_named(dataset_rows(), name);
}

Recipe default_recipe(const DatasetRow& row) {
  return {.name = std::string(row.name),
          .examples = row.examples,
          .over = row.over,
          .under = row.under,
          .length = row.length};
}

DataShape shape_of(const DatasetRow& row, const Recipe& recipe) {
  DataShape shape = row.shape;
  if (row.length > 0) shape.length = static_cast<std::uint32_t>(recipe.length);
  return shape;
}

std::string recipe_text(const Recipe& recipe, const Piece& piece) {
  nlohmann::ordered_json json = {{"name", recipe.name},
                                 {"version", recipe.version},
                                 {"seed", recipe.seed},
                                 {"examples", recipe.examples},
                                 {"over", recipe.over},
                                 {"under", recipe.under},
                                 {"split", to_string(piece.split)},
                                 {"first", piece.first},
                                 {"count", piece.count}};
  if (recipe.length > 0) json["length"] = recipe.length;
  return json.dump();
}

std::optional<FileRecipe> read_recipe(std::string_view text) try {
  const auto json = nlohmann::json::parse(text);
  FileRecipe read{
      {json.at("name"), json.at("version"), json.at("seed"), {}, json.at("over"), json.at("under")},
      {Split::kTrain, json.at("first"), json.at("count")}};
  read.recipe.examples = json.at("examples").get<std::array<std::uint64_t, 3>>();
  for (const Split split : kSplits)
    if (to_string(split) == json.at("split").get<std::string>()) read.piece.split = split;
  read.recipe.length = json.value("length", std::int64_t{0});
  if (recipe_text(read.recipe, read.piece) != text) return {};
  return read;
} catch (const nlohmann::json::exception&) {
  return {};
}

std::string recipe_name(std::string_view text) try {
  return nlohmann::json::parse(text).at("name");
} catch (const nlohmann::json::exception&) {
  return "";
}

void require_default_set(std::string_view name, const DataFile& file, const std::string& path) {
  const auto found = read_recipe(file.recipe());
  const DatasetRow* row = find_dataset(name);
  const bool as_made = row != nullptr && found && found->recipe == default_recipe(*row);
  if (as_made || (row == nullptr && recipe_name(file.recipe()) == name)) return;
  throw std::invalid_argument("'" + path +
                              "': expected the default data set, got another one: name it with "
                              "task.data (lcsm data " +
                              (row != nullptr ? "make" : "get") + " --as)");
}

}  // namespace runner
