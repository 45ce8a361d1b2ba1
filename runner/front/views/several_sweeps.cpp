#include "runner/front/views/several_sweeps.h"

#include <algorithm>
#include <stdexcept>

#include "lcsm/base/words.h"
#include "results/store/run_facts.h"

namespace runner {
namespace {

void add_new(const std::vector<std::string>& from, std::vector<std::string>* to) {
  for (const std::string& one : from)
    if (std::find(to->begin(), to->end(), one) == to->end()) to->push_back(one);
}

void add_scope(const Scope& one, Scope* all) {
  all->planned.insert(all->planned.end(), one.planned.begin(), one.planned.end());
  all->only.insert(one.only.begin(), one.only.end());
  all->models.insert(one.models.begin(), one.models.end());
  add_new(one.expected, &all->expected);
  for (const auto& [key, values] : one.order) add_new(values, &all->order[key]);
  if (one.as_paper && !all->as_paper) all->as_paper.emplace();
  if (one.as_paper) all->as_paper->insert(one.as_paper->begin(), one.as_paper->end());
}

}  // namespace

SweepViews find_views(const std::vector<std::string>& sweeps, const SweepRequest& asked,
                      results::Database& database, Scope* scope) {
  if (sweeps.size() < 2) return find_views(sweeps.empty() ? "" : sweeps[0], asked, database, scope);
  SweepViews views;
  std::vector<std::pair<std::string, std::set<std::string>>> members;
  for (const std::string& sweep : sweeps) {
    Scope one;
    SweepViews own = find_views(sweep, asked, database, &one);
    for (std::size_t i = 0; i < members.size(); ++i)
      if (members[i].first == own.sweep)
        throw std::invalid_argument(sweeps[i] == sweep
                                        ? "expected different sweeps, got '" + own.sweep + "' twice"
                                        : "expected sweeps with different names, got '" +
                                              own.sweep + "' from " + sweeps[i] + " and from " +
                                              sweep + ": rename one of the files");
    if (one.only.empty()) one.only = results::runs_of_sweep(database, own.sweep);
    add_scope(one, scope);
    members.emplace_back(own.sweep, one.only);
    own.names.insert(views.names.begin(), views.names.end());
    if (members.size() == 1) views.tables = std::move(own.tables);
    views.names = std::move(own.names);
  }
  for (const auto& [name, ids] : members)
    scope->order[std::string(results::kSweepKey)].push_back(name);
  const std::string title = lcsm::joined_of(members, [](const auto& one) { return one.first; });
  scope->names = views.names;
  for (results::TableSpec& table : views.tables) {
    table.scope = *scope;
    table.sweep.clear();
    table.title = title;
    table.sweeps = members;
  }
  return views;
}

}  // namespace runner
