#include "runner/config/recipes/recipe.h"

#include <algorithm>
#include <stdexcept>

#include "lcsm/base/nearest.h"
#include "lcsm/base/words.h"
#include "lcsm/code/code.h"

namespace runner {
namespace {

using Names = std::vector<std::string>;

Names papers() {
  Names names;
  for (const PaperRecipe& recipe : recipes())
    if (std::find(names.begin(), names.end(), recipe.paper) == names.end())
      names.emplace_back(recipe.paper);
  return names;
}

Names tasks_of(std::string_view paper) {
  Names names;
  for (const PaperRecipe& recipe : recipes())
    if (recipe.paper == paper) names.emplace_back(recipe.task);
  return names;
}

const PaperRecipe* find(std::string_view paper, std::string_view task) {
  for (const PaperRecipe& recipe : recipes())
    if (recipe.paper == paper && recipe.task == task) return &recipe;
  return nullptr;
}

// The task of a recipe's full name; "" if the name leaves it open.
std::string_view task_in(std::string_view name) {
  const std::size_t slash = name.find('/');
  return slash == std::string_view::npos ? "" : name.substr(slash + 1);
}

[[noreturn]] void refuse_unknown(std::string_view name) {
  Names known = papers();
  for (const PaperRecipe& recipe : recipes()) known.push_back(name_of(recipe));
  const std::string near = lcsm::did_you_mean(name, known);
  throw std::invalid_argument("recipe: expected one of " + lcsm::joined(papers()) +
                              " or one of their tasks, PAPER/TASK, got '" + std::string(name) +
                              "'" + (near.empty() ? "; 'lcsm recipes' lists them" : near));
}

}  // namespace

std::span<const PaperRecipe> recipes() {
  static const std::vector<PaperRecipe> all = [] {
    std::vector<PaperRecipe> rows;
    for (const auto part :
         {etsmlp_recipes(), etsmlp_nlu_recipes(), mega_recipes(), s4_recipes(), s4_first_recipes(),
          s5_recipes(), s4pp_recipes(), s4pp_glue_recipes(), transformer_recipes(),
          transformer_xl_recipes(), translation_recipes(), lcsm_recipes(), deit_recipes()})
      rows.insert(rows.end(), part.begin(), part.end());
    return rows;
  }();
  return all;
}

std::string name_of(const PaperRecipe& recipe) {
  return std::string(recipe.paper) + "/" + std::string(recipe.task);
}

const PaperRecipe& recipe_named(std::string_view name, std::string_view task) {
  const std::string_view paper = name.substr(0, name.find('/')), own = task_in(name);
  const Names known = tasks_of(paper);
  if (known.empty()) refuse_unknown(name);
  const std::string_view asked = own.empty() ? task : own;
  const PaperRecipe* found = find(paper, asked);
  if (found == nullptr && !own.empty()) refuse_unknown(name);
  if (found == nullptr)
    throw std::invalid_argument(
        "recipe: " + std::string(paper) + " has one for " + lcsm::joined(known) +
        (task.empty() ? ": set task.name, or name it as " + std::string(paper) + "/TASK"
                      : ", but task.name is " + std::string(task)));
  if (!own.empty() && !task.empty() && own != task)
    throw std::invalid_argument("recipe: " + std::string(name) + " is of " + std::string(own) +
                                ", but task.name is " + std::string(task));
  return *found;
}

std::vector<const PaperRecipe*> recipes_matching(std::string_view pattern) {
  std::vector<const PaperRecipe*> found;
  for (const PaperRecipe& recipe : recipes())
    if (lcsm::matches(pattern, name_of(recipe)) || lcsm::matches(pattern, recipe.paper))
      found.push_back(&recipe);
  return found;
}

std::vector<RecipeSetting> settings_of(const PaperRecipe& recipe) {
  std::vector<RecipeSetting> settings;
  for (const RecipeLine& line : recipe.lines)
    for (std::string_view rest = line.settings; !rest.empty();) {
      const std::string_view word = lcsm::take_until(&rest, ' ');
      const std::size_t equals = word.find('=');
      settings.push_back({word.substr(0, equals), word.substr(equals + 1), &line});
    }
  return settings;
}

}  // namespace runner
