#include "runner/cluster/launch/engines.h"

#include <stdexcept>

#include "lcsm/base/words.h"

namespace runner {
namespace {

using Lines = std::vector<std::string>;

// The lines of all engines, each as `ask` gets them.
template <class Ask>
Lines lines_of(const std::vector<std::unique_ptr<Engine>>& engines, const Engines::Said& failed,
               Ask ask) {
  Lines lines;
  for (const auto& engine : engines) {
    try {
      for (std::string& line : ask(*engine)) lines.push_back(std::move(line));
    } catch (const std::runtime_error& error) {
      failed(error.what());
    }
  }
  return lines;
}

}  // namespace

Engines::Engines(const std::filesystem::path& workspace, std::span<const EngineRow> rows)
    : rows_(rows) {
  for (const EngineRow& row : rows) engines_.push_back(row.make({.workspace = workspace}));
}

std::string Engines::running(double now) {
  Lines texts;
  for (const auto& engine : engines_)
    if (std::string text = engine->running(now); !text.empty()) texts.push_back(std::move(text));
  return lcsm::joined(texts, "; ");
}

Lines Engines::why(const std::string& id, const Said& failed) {
  return lines_of(engines_, failed, [&](Engine& engine) { return engine.why(id); });
}

Lines Engines::pass_requests_on(const Said& failed) {
  return lines_of(engines_, failed, [](Engine& engine) { return engine.pass_requests_on(); });
}

Lines Engines::cancel(const std::set<std::string>& over, const Said& failed) {
  return lines_of(engines_, failed, [&](Engine& engine) { return engine.cancel(over); });
}

std::vector<std::pair<std::string, EngineCheck>> Engines::checks() const {
  std::vector<std::pair<std::string, EngineCheck>> checks;
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (auto check = engines_[i]->check())
      checks.emplace_back(std::string(rows_[i].name), std::move(*check));
  return checks;
}

Engine* Engines::here() const {
  for (const auto& engine : engines_)
    if (engine->is_here()) return engine.get();
  return nullptr;
}

}  // namespace runner
