// Recipes: the hyperparameters of a paper or its code for a task, each with its source.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace runner {

enum class SaidBy : unsigned char { kPaper, kCode, kOurs };
inline constexpr std::array<std::string_view, 3> kSaidBy = {"paper", "code", "ours"};
constexpr std::string_view to_string(SaidBy by) { return kSaidBy[static_cast<std::size_t>(by)]; }

struct RecipeLine {
  std::string_view settings;   // "KEY=VALUE" separated by blanks; system.OPTION=VALUE for a system
  SaidBy by = SaidBy::kOurs;   // kOurs: not from the paper or its code
  std::string_view where;      // "table 5", and where paper and code differ, how
  std::string_view only = "";  // options of this system alone; "": of all PaperRecipe::systems
};

struct PaperRecipe {
  std::string_view paper, task;
  std::string_view system;   // or code: the model, unless the user names another
  std::string_view systems;  // pattern of the systems whose options the lines set; "": a code
  std::span<const RecipeLine> lines;  // later ones win
};

inline constexpr std::string_view kOfSystem = "system.";

// The key that names the model of a recipe.
constexpr std::string_view model_key(const PaperRecipe& recipe) {
  return recipe.systems.empty() ? "model.code" : "model.system";
}

std::span<const PaperRecipe> recipes();

// ----- Its parts, each in a file -----
std::span<const PaperRecipe> deit_recipes();  // and MEGA's of its table 11
std::span<const PaperRecipe> etsmlp_recipes();
std::span<const PaperRecipe> etsmlp_nlu_recipes();
std::span<const PaperRecipe> mega_recipes();
std::span<const PaperRecipe> lcsm_recipes();
std::span<const PaperRecipe> s4_recipes();
std::span<const PaperRecipe> s4_first_recipes();
std::span<const PaperRecipe> s5_recipes();
std::span<const PaperRecipe> s4pp_recipes();
std::span<const PaperRecipe> s4pp_glue_recipes();
std::span<const PaperRecipe> transformer_recipes();
std::span<const PaperRecipe> transformer_xl_recipes();
std::span<const PaperRecipe> translation_recipes();

std::string name_of(const PaperRecipe& recipe);  // "etsmlp/lra-listops"

// Finds a recipe by its name, or by its paper and the task. Throws std::invalid_argument with a
// suggestion if there is none, or if it is for another task.
const PaperRecipe& recipe_named(std::string_view name, std::string_view task);

// The recipes whose names match a pattern, in the table's order.
std::vector<const PaperRecipe*> recipes_matching(std::string_view pattern);

// One setting of a recipe's line, in the order of the lines.
struct RecipeSetting {
  std::string_view key, value;
  const RecipeLine* line;
};
std::vector<RecipeSetting> settings_of(const PaperRecipe& recipe);

}  // namespace runner
