#include "tests/house/rooms.h"

#include <map>

namespace house {

const std::vector<Room>& rooms() {
  static const std::vector<Room> rows = {
      {"tests/ptx", {"ptx_judge"}, {}},
      {"tests/ptx/rows", {"ptx_judge"}, {}},
      {"lcsm/base", {"lcsm_code"}, {}},
      {"lcsm/files", {"lcsm_files"}, {"nlohmann_json"}},
      {"lcsm/formula", {"lcsm_code"}, {}},
      {"lcsm/code", {"lcsm_code"}, {}},
      {"lcsm/tape", {"lcsm_code"}, {}},
      {"lcsm/cpu", {"lcsm_cpu"}, {"hwy"}},
      {"lcsm/cuda", {"lcsm", "lcsm_cuda"}, {"torch"}},
      {"lcsm/modes", {"lcsm_kernel"}, {}},
      {"lcsm/kernel", {"lcsm_kernel", "lcsm_write_kernels"}, {}},
      {"lcsm/step", {"lcsm_kernel"}, {}},
      {"lcsm/tensors", {"lcsm"}, {"torch"}},
      {"lcsm/machines", {"lcsm"}, {"torch"}},
      {"lcsm/layer", {"lcsm"}, {"torch"}},
      {"lcsm/measure", {"lcsm"}, {"torch"}},
      {"ets/families", {"ets_code"}, {}},
      {"ets/plan", {"ets_code"}, {}},
      {"ets/cpu", {"ets_cpu"}, {"hwy"}},
      {"ets/cuda", {"ets_launch"}, {}},
      {"ets/launch", {"ets_launch"}, {}},
      {"ets/kernels", {"ets"}, {"torch"}},
      {"ets/machines", {"ets"}, {"torch"}},
      {"ets/layer", {"ets"}, {"torch"}},
      {"results/files", {"results_events"}, {}},
      {"results/text", {"results"}, {"nlohmann_json"}},
      {"results/events", {"results_events"}, {"nlohmann_json"}},
      {"results/proofs", {"results"}, {"SQLite"}},
      {"results/published", {"results"}, {}},
      {"results/store", {"results"}, {"SQLite"}},
      {"results/curves", {"results"}, {}},
      {"results/tables", {"results"}, {"nlohmann_json"}},
      {"results/figures", {"results"}, {}},
      {"results/report", {"results"}, {}},
      {"runner/files", {"runner_base"}, {"nlohmann_json"}},
      {"runner/process", {"runner_base"}, {"fmt"}},
      {"runner/text", {"runner_base"}, {"fmt"}},
      {"runner/cli", {"runner_cli"}, {"CLI11", "fmt"}},
      {"runner/workspace", {"runner_base"}, {"nlohmann_json", "fmt"}},
      {"runner/systems", {"runner_systems"}, {}},
      {"runner/recipes", {"runner_config"}, {}},
      {"runner/config", {"runner_config"}, {"tomlplusplus", "nlohmann_json"}},
      {"runner/families", {"runner_config"}, {}},
      {"runner/tokens", {"runner_tasks"}, {}},
      {"runner/tasks", {"runner_tasks"}, {}},
      {"runner/datasets", {"runner_datasets"}, {"PNG", "nlohmann_json", "fmt"}},
      {"runner/own", {"runner_datasets"}, {"nlohmann_json"}},
      {"runner/intake", {"runner_intake"}, {"LibArchive", "ZLIB", "nlohmann_json"}},
      {"runner/sweeps", {"runner_sweeps"}, {"tomlplusplus", "fmt"}},
      {"runner/plan", {"runner_sweeps"}, {"fmt"}},
      {"runner/slurm", {"runner_schedule"}, {"tomlplusplus", "nlohmann_json"}},
      {"runner/hosts", {"runner_schedule"}, {"nlohmann_json"}},
      {"runner/host", {"runner_schedule"}, {"nlohmann_json", "fmt"}},
      {"runner/schedule", {"runner_schedule"}, {"fmt"}},
      {"runner/show", {"runner_front"}, {"fmt"}},
      {"runner/panel", {"runner_front"}, {"fmt"}},
      {"runner/curve_page", {"runner_front"}, {"nlohmann_json"}},
      {"runner/serve", {"runner_front"}, {"fmt"}},
      {"runner/front", {"runner_front"}, {"fmt"}},
      {"runner/codes", {"runner_front"}, {"nlohmann_json", "fmt"}},
      {"runner/pages", {"runner_front"}, {"nlohmann_json", "fmt"}},
      {"runner/launch", {"runner_front"}, {"fmt"}},
      {"runner/verbs", {"runner_front", "lcsm_front"}, {"nlohmann_json", "fmt"}},
      {"runner/blocks", {"runner_models"}, {"torch"}},
      {"runner/models", {"runner_models"}, {"torch"}},
      {"runner/device", {"runner_train"}, {"torch"}},
      {"runner/batches", {"runner_train"}, {"torch"}},
      {"runner/training", {"runner_train"}, {"torch", "nlohmann_json", "fmt"}},
      {"runner/bench", {"runner_train"}, {"torch", "nlohmann_json", "fmt"}},
      {"runner/train_verbs", {"runner_train", "lcsm-train"}, {"torch", "nlohmann_json", "fmt"}},
  };
  return rows;
}

int room_of(const std::string& path) {
  const std::string folder = path.substr(0, path.rfind('/'));
  for (std::size_t i = 0; i < rooms().size(); ++i)
    if (folder == rooms()[i].path) return static_cast<int>(i);
  return -1;
}

std::string package_of(const std::string& header) {
  static const std::map<std::string, std::string> kHeaders = {
      {"torch/", "torch"},
      {"ATen/", "torch"},
      {"c10/", "torch"},
      {"CLI/", "CLI11"},
      {"hwy/", "hwy"},
      {"fmt/", "fmt"},
      {"nlohmann/", "nlohmann_json"},
      {"toml++/", "tomlplusplus"},
      {"sqlite3.h", "SQLite"},
      {"png.h", "PNG"},
      {"zlib.h", "ZLIB"},
      {"archive", "LibArchive"},
      {"spdlog/", "spdlog"},
      {"gtest/", "GTest"},
      {"benchmark/", "benchmark"},
  };
  for (const auto& [start, package] : kHeaders)
    if (header.starts_with(start)) return package;
  return "";
}

}  // namespace house
