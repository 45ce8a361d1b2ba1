// The table of engines, and all engines of one workspace as one object.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runner/cluster/hosts/hosts_engine.h"
#include "runner/cluster/slurm/slurm_engine.h"
#include "runner/sweeps/schedule/engine.h"

namespace runner {

inline constexpr std::array kEngines = {
    EngineRow{"local", "processes on this host", true, make_local_engine},
    EngineRow{"slurm", "job arrays on a cluster, with a profile from slurm.toml", false,
              make_slurm_engine},
    EngineRow{"hosts", "hosts reached over ssh, listed in hosts.toml", false, make_hosts_engine},
};

class Engines {
 public:
  explicit Engines(const std::filesystem::path& workspace,
                   std::span<const EngineRow> rows = kEngines);

  // "job 123: 8 running; hosts abacus, basil": the training that continues after its `lcsm run` has
  // ended; "" if none.
  std::string running(double now);

  // The answers of all engines, in order. Errors go to `failed`.
  using Said = std::function<void(const std::string& text)>;
  std::vector<std::string> why(const std::string& id, const Said& failed);
  std::vector<std::string> pass_requests_on(const Said& failed);
  std::vector<std::string> cancel(const std::set<std::string>& over, const Said& failed);
  std::vector<std::pair<std::string, EngineCheck>> checks() const;  // with the engines' names

  // The engine that started this process; null: none.
  Engine* here() const;

 private:
  std::span<const EngineRow> rows_;
  std::vector<std::unique_ptr<Engine>> engines_;  // in the order of `rows_`
};

}  // namespace runner
