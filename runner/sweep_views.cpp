#include "runner/sweep_views.h"

#include <toml++/toml.h>

#include <filesystem>

#include "runner/claim_block.h"
#include "runner/figure_block.h"
#include "runner/table_block.h"
#include "runner/toml_file.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

template <class Read>
void for_each_block(const toml::table& root, const char* kind, int source, Mistakes& mistakes,
                    const Read& read) {
  const toml::node* const blocks = root.get(kind);
  if (blocks == nullptr) return;
  const auto refuse = [&](const toml::node& node) {
    mistakes.note({source, node.source().begin.line, node.source().begin.column},
                  std::string("'") + kind + "' is a list of tables: write [[" + kind + "]]");
  };
  if (!blocks->is_array()) return refuse(*blocks);
  for (const toml::node& block : *blocks->as_array())
    if (block.is_table())
      read(*block.as_table());
    else
      refuse(block);
}

void read_blocks(const toml::table& root, int source, Mistakes& mistakes, SweepViews* views) {
  for_each_block(root, "table", source, mistakes, [&](const toml::table& block) {
    views->tables.push_back(read_table_block(block, source, mistakes));
    views->tables.back().sweep = views->sweep;
  });
  for_each_block(root, "figure", source, mistakes, [&](const toml::table& block) {
    views->figures.push_back(read_figure_block(block, source, mistakes));
    views->figures.back().sweep = views->sweep;
  });
  for_each_block(root, "claim", source, mistakes, [&](const toml::table& block) {
    views->claims.push_back(read_claim_block(block, source, mistakes));
    views->claims.back().sweep = views->sweep;
  });
}

}  // namespace

SweepViews parse_views(std::string_view text, const std::string& path, const std::string& sweep) {
  Mistakes mistakes;
  const int source = mistakes.add_source(path, text);
  SweepViews views;
  views.sweep = sweep;
  try {
    const toml::table root = toml::parse(text, path);
    for (auto& [key, into] :
         {std::pair{"title", &views.title}, {"question", &views.question}, {"paper", &views.paper}})
      *into = root[key].value_or(std::string());
    read_blocks(root, source, mistakes, &views);
  } catch (const toml::parse_error& error) {
    const auto& begin = error.source().begin;
    mistakes.note({source, begin.line, begin.column}, std::string(error.description()));
  }
  mistakes.raise();
  return views;
}

std::vector<results::Claim> answers(results::Database& database,
                                    const std::vector<results::ClaimSpec>& claims) {
  std::vector<results::Claim> out;
  for (const results::ClaimSpec& claim : claims)
    out.push_back(results::answer_claim(database, claim));
  return out;
}

SweepViews find_views(const std::string& sweep) {
  const bool is_file = sweep.ends_with(".toml");
  const fs::path file = is_file ? fs::path(sweep) : fs::path("sweeps") / (sweep + ".toml");
  const std::string name = is_file ? file.stem().string() : sweep;
  SweepViews views;
  views.sweep = name;
  if (sweep.empty() || (!is_file && !fs::exists(file))) return views;
  return parse_views(read_toml_file(file.string()), file.string(), name);
}

}  // namespace runner
