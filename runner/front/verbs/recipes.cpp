// `lcsm recipes`: lists the papers' hyperparameters, each with its source.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "lcsm/code/code.h"
#include "runner/base/files/json_file.h"
#include "runner/base/text/text_table.h"
#include "runner/config/recipes/recipe.h"
#include "runner/front/verbs/verbs.h"

namespace runner {
namespace {

struct RecipesOptions {
  std::vector<std::string> names;
  bool json = false;
};

std::vector<const PaperRecipe*> chosen_recipes(const std::vector<std::string>& names) {
  std::vector<const PaperRecipe*> found;
  for (const std::string& name : names) {
    const std::vector<const PaperRecipe*> matching = recipes_matching(name);
    if (matching.empty() && lcsm::is_pattern(name))
      throw std::invalid_argument("no recipe matches '" + name + "'");
    if (matching.empty()) found.push_back(&recipe_named(name, ""));
    found.insert(found.end(), matching.begin(), matching.end());
  }
  return found;
}

std::string where_of(const RecipeLine& line) {
  return std::string(line.where) + (line.only.empty() ? "" : " (" + std::string(line.only) + ")");
}

std::string page(const PaperRecipe& recipe) {
  TextTable table({{"key"}, {"value"}, {"source"}, {"where", Align::kLeft, 20}});
  table.add_row({"task.name", std::string(recipe.task), "", ""});
  table.add_row({std::string(model_key(recipe)), std::string(recipe.system), "",
                 "unless another model is named"});
  for (const RecipeSetting& each : settings_of(recipe))
    table.add_row({std::string(each.key), std::string(each.value),
                   std::string(to_string(each.line->by)), where_of(*each.line)});
  return table.text(out_terminal());
}

std::string list_of(const std::vector<const PaperRecipe*>& recipes) {
  TextTable table({{"recipe"},
                   {"model"},
                   {"paper", Align::kRight},
                   {"code", Align::kRight},
                   {"ours", Align::kRight}});
  for (const PaperRecipe* recipe : recipes) {
    std::array<int, kSaidBy.size()> count{};
    for (const RecipeSetting& each : settings_of(*recipe))
      ++count[static_cast<std::size_t>(each.line->by)];
    table.add_row({name_of(*recipe), std::string(recipe->system), std::to_string(count[0]),
                   std::to_string(count[1]), std::to_string(count[2])});
  }
  return table.text(out_terminal()) +
         "\nThe number of keys that the paper sets, that its code sets, and that we set because "
         "neither does.\n";
}

nlohmann::ordered_json json_of(const PaperRecipe& recipe) {
  nlohmann::ordered_json settings = nlohmann::ordered_json::array();
  for (const RecipeSetting& each : settings_of(recipe))
    settings.push_back({{"key", each.key},
                        {"value", each.value},
                        {"said_by", to_string(each.line->by)},
                        {"where", each.line->where},
                        {"only", each.line->only}});
  return {{"name", name_of(recipe)}, {"paper", recipe.paper},     {"task", recipe.task},
          {"system", recipe.system}, {"systems", recipe.systems}, {"settings", settings}};
}

void show_recipes(const RecipesOptions& options) {
  const std::vector<const PaperRecipe*> found =
      chosen_recipes(options.names.empty() ? std::vector<std::string>{"*"} : options.names);
  if (options.json) {
    nlohmann::ordered_json json = {{"schema", "lcsm.recipes/1"}};
    for (const PaperRecipe* recipe : found) json["recipes"].push_back(json_of(*recipe));
    fmt::print("{}", printed_json(json));
  } else if (found.size() == 1) {
    fmt::print("{}", page(*found[0]));
  } else {
    fmt::print("{}", list_of(found));
  }
}

std::vector<Candidate> recipe_candidates(const std::string&) {
  std::vector<Candidate> candidates;
  for (const PaperRecipe& recipe : recipes())
    candidates.push_back({name_of(recipe), "for " + std::string(recipe.system)});
  return candidates;
}

}  // namespace

void add_recipes(Verb& program) {
  Verb& verb = program.verb("recipes", "List the papers' hyperparameters, each with its source");
  RecipesOptions& options = verb.runs(show_recipes);
  verb.argument("recipe", &options.names, "Recipes, papers, or patterns such as '*/lra-image'")
      .type("RECIPE")
      .completes(recipe_candidates);
  verb.flag("--json", &options.json, "Print JSON (schema lcsm.recipes/1)");
  verb.footer(
      "To use one, write recipe = \"etsmlp/lra-image\" in a run's file or a sweep, or recipe =\n"
      "\"etsmlp\" for the paper's recipe of the task. Other keys of the file and --set\n"
      "override it. `lcsm explain` and `lcsm config` show the source of each key.\n\n"
      "Examples:\n"
      "  lcsm recipes                     all recipes\n"
      "  lcsm recipes etsmlp/lra-image    one, key by key\n"
      "  lcsm config --set recipe=etsmlp/lra-image");
}

}  // namespace runner
