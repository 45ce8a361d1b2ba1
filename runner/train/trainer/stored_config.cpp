#include "runner/train/trainer/stored_config.h"

#include <stdexcept>

#include "lcsm/files/read_file.h"
#include "results/events/run_folder.h"
#include "runner/config/run/run_id.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

RunConfig held_against_id(const fs::path& folder, const std::string& text,
                          void (*complain)(const std::string&)) {
  const std::string file = (folder / results::kConfigFile).string();
  RunConfig config = parse_config(text, file, {}, complain);
  const std::string expected = folder.filename().string(), got = run_id(config);
  if (got != expected)
    throw std::runtime_error(file + ": expected the configuration of run " + expected.substr(0, 8) +
                             ", got that of run " + got.substr(0, 8) +
                             ": it was edited, or this version trains it differently. `lcsm show " +
                             expected.substr(0, 8) +
                             "` prints the original values: restore them, or train the run again");
  return config;
}

}  // namespace

std::string stored_config_text(const fs::path& folder) {
  std::string text = lcsm::read_file(folder / results::kConfigFile);
  held_against_id(folder, text, [](const std::string&) {});
  return text;
}

RunConfig stored_config(const fs::path& folder, void (*complain)(const std::string&)) {
  return held_against_id(folder, lcsm::read_file(folder / results::kConfigFile), complain);
}

}  // namespace runner
