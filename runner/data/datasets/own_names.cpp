#include "runner/data/datasets/own_names.h"

#include <nlohmann/json.hpp>

namespace runner {

OwnNames own_names(std::string_view recipe) try {
  const auto json = nlohmann::json::parse(recipe);
  return {json.at("from"), json.at("tokens"), json.at("labels"), json.at("vocabulary")};
} catch (const nlohmann::json::exception&) {
  return {};
}

std::optional<std::uint64_t> first_apart(std::string_view recipe) try {
  return nlohmann::json::parse(recipe).at("apart").get<std::uint64_t>();
} catch (const nlohmann::json::exception&) {
  return {};
}

}  // namespace runner
