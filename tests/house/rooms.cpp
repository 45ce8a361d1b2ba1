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
      {"lcsm/block", {"lcsm_code"}, {}},
      {"lcsm/tape", {"lcsm_code"}, {}},
      {"lcsm/cpu", {"lcsm_cpu"}, {"hwy"}},
      {"lcsm/cpu/modes", {"lcsm_cpu"}, {"hwy"}},
      {"lcsm/cpu/scan", {"lcsm_cpu"}, {"hwy"}},
      {"lcsm/cpu/step", {"lcsm_cpu"}, {"hwy"}},
      {"lcsm/cuda/driver", {"lcsm_kernel"}, {}},
      {"lcsm/cuda/common", {"lcsm_kernel"}, {}},
      {"lcsm/cuda/scan", {"lcsm_kernel", "lcsm_write_kernels"}, {}},
      {"lcsm/cuda/chunk", {"lcsm_kernel"}, {}},
      {"lcsm/cuda/delta", {"lcsm_kernel"}, {}},
      {"lcsm/cuda/modes", {"lcsm_kernel"}, {}},
      {"lcsm/cuda/wkv", {"lcsm_kernel"}, {}},
      {"lcsm/cuda/step", {"lcsm_kernel"}, {}},
      {"lcsm/cuda", {"lcsm_kernel"}, {}},
      {"lcsm/stable", {"lcsm_stable"}, {"torch"}},
      {"lcsm/cuda/device", {"lcsm", "lcsm_cuda"}, {"torch"}},
      {"lcsm/tensors", {"lcsm"}, {"torch"}},
      {"lcsm/machines", {"lcsm"}, {"torch"}},
      {"lcsm/layer", {"lcsm"}, {"torch"}},
      {"lcsm/measure", {"lcsm"}, {"torch"}},
      {"ets/plan", {"ets_code"}, {}},
      {"ets/families", {"ets_code"}, {}},
      {"ets/cpu", {"ets_cpu"}, {"hwy"}},
      {"ets/cuda", {"ets_launch"}, {}},
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
      {"runner/base/files", {"runner_base"}, {"nlohmann_json"}},
      {"runner/base/process", {"runner_base"}, {"fmt"}},
      {"runner/base/random", {"runner_base"}, {}},
      {"runner/base/text", {"runner_base"}, {"fmt", "utf8proc"}},
      {"runner/base/host", {"runner_base"}, {"nlohmann_json", "fmt"}},
      {"runner/base/cli", {"runner_cli"}, {"CLI11", "fmt"}},
      {"runner/workspace", {"runner_workspace"}, {"nlohmann_json", "fmt"}},
      {"runner/systems", {"runner_systems"}, {}},
      {"runner/config/keys", {"runner_config"}, {}},
      {"runner/config/toml", {"runner_config"}, {"tomlplusplus", "nlohmann_json"}},
      {"runner/config/recipes", {"runner_config"}, {}},
      {"runner/config/run", {"runner_config"}, {"tomlplusplus", "nlohmann_json"}},
      {"runner/data/tokens", {"runner_data"}, {}},
      {"runner/data/tasks", {"runner_data"}, {}},
      {"runner/data/datasets", {"runner_data"}, {"JPEG", "PNG", "nlohmann_json", "fmt"}},
      {"runner/data/own", {"runner_data"}, {"nlohmann_json"}},
      {"runner/data/sentences", {"runner_data"}, {"nlohmann_json"}},
      {"runner/data/import", {"runner_import"}, {"LibArchive", "ZLIB", "nlohmann_json"}},
      {"runner/data/batches", {"runner_batches"}, {"torch"}},
      {"runner/models/families", {"runner_families"}, {}},
      {"runner/models/blocks", {"runner_models"}, {"torch"}},
      {"runner/models/skeletons", {"runner_models"}, {"torch"}},
      {"runner/python", {"lcsm_python_parts", "lcsm_python"}, {"torch", "nlohmann_json"}},
      {"runner/train/device", {"runner_train"}, {"torch"}},
      {"runner/train/loss", {"runner_train"}, {"torch"}},
      {"runner/train/trainer", {"runner_train"}, {"torch", "nlohmann_json", "fmt"}},
      {"runner/train/bench", {"runner_train"}, {"torch", "nlohmann_json", "fmt"}},
      {"runner/train/verbs", {"runner_train", "lcsm-train"}, {"torch", "nlohmann_json", "fmt"}},
      {"runner/sweeps/language", {"runner_sweeps"}, {"tomlplusplus", "fmt"}},
      {"runner/sweeps/plan", {"runner_sweeps"}, {"fmt"}},
      {"runner/sweeps/schedule", {"runner_sweeps"}, {"nlohmann_json", "fmt"}},
      {"runner/cluster/submission", {"runner_cluster"}, {"tomlplusplus", "nlohmann_json", "fmt"}},
      {"runner/cluster/slurm", {"runner_cluster"}, {"nlohmann_json", "fmt"}},
      {"runner/cluster/hosts", {"runner_cluster"}, {"nlohmann_json", "fmt"}},
      {"runner/cluster/launch", {"runner_cluster"}, {}},
      {"runner/front/codes", {"runner_front"}, {"nlohmann_json", "fmt"}},
      {"runner/front/options", {"runner_front"}, {"fmt"}},
      {"runner/front/views", {"runner_front"}, {"fmt"}},
      {"runner/front/panel", {"runner_front"}, {"fmt"}},
      {"runner/front/curves", {"runner_front"}, {"nlohmann_json"}},
      {"runner/front/serve", {"runner_front"}, {"fmt"}},
      {"runner/front/pages", {"runner_front"}, {"nlohmann_json", "fmt"}},
      {"runner/front/doctor", {"runner_front"}, {"nlohmann_json", "fmt"}},
      {"runner/front/verbs", {"runner_front", "lcsm_front"}, {"nlohmann_json", "fmt"}},
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
      {"jpeglib.h", "JPEG"},
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
