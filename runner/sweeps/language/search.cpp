#include "runner/sweeps/language/search.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "lcsm/base/nearest.h"
#include "lcsm/base/safe_text.h"
#include "results/events/run_folder.h"
#include "runner/base/files/toml_file.h"
#include "runner/base/process/stderr_text.h"
#include "runner/sweeps/language/sweep_texts.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

constexpr const char* kFolder = "sweeps";

void complain(const std::string& what) { print_safe("ignored: " + what + "\n"); }

bool is_file_name(const std::string& name) {
  return name.ends_with(".toml") || name.find('/') != std::string::npos;
}

SweepText read_text(const fs::path& path) {
  return {path.stem().string(), path.string(), read_toml_file(path.string())};
}

SweepText built_in(const BuiltInSweep& sweep) {
  return {std::string(sweep.name), "built-in " + std::string(sweep.name) + ".toml",
          std::string(sweep.text)};
}

// "; did you mean 'x.toml'?" for a missing file: names a known sweep, or a file in its folder.
std::string meant_file(const fs::path& path) {
  if (is_known_sweep(path.stem().string())) return "; did you mean '" + path.stem().string() + "'?";
  std::error_code none;
  std::vector<std::string> files;
  const fs::path folder = path.parent_path();
  for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, none))
    if (entry.path().extension() == ".toml")
      files.push_back((folder / entry.path().filename()).string());
  std::sort(files.begin(), files.end());
  return lcsm::did_you_mean(path.string(), files);
}

SweepText file_or_hint(const fs::path& path) try {
  return read_text(path);
} catch (const std::runtime_error& error) {
  std::error_code none;
  if (fs::exists(path, none)) throw;
  throw std::runtime_error(error.what() + meant_file(path));
}

}  // namespace

SweepText find_sweep(const std::string& name, const std::string& from) {
  std::error_code none;
  const fs::path beside = fs::path(from).parent_path();
  if (is_file_name(name)) return file_or_hint(beside / name);
  if (name.empty()) throw std::runtime_error("expected the name of a sweep, got an empty name");
  for (const fs::path& folder : {beside, fs::path(kFolder)}) {
    const fs::path path = folder / (name + ".toml");
    const bool itself = path.lexically_normal() == fs::path(from).lexically_normal();
    const bool searched = !folder.empty() && (folder != beside || !from.empty());
    if (searched && !itself && fs::is_regular_file(path, none)) return read_text(path);
  }
  for (const BuiltInSweep& sweep : kBuiltInSweeps)
    if (sweep.name == name) return built_in(sweep);
  std::vector<std::string> names;
  for (const SweepText& known : known_sweeps()) names.push_back(known.name);
  const bool file = fs::is_regular_file(beside / (name + ".toml"), none);
  throw std::runtime_error(
      "unknown sweep '" + name + "'" +
      (file ? "; did you mean the file '" + name + ".toml'?"
            : lcsm::did_you_mean(name, names,
                                 "; `lcsm sweeps` lists them, and file names end in .toml")));
}

bool is_known_sweep(const std::string& name) {
  return std::ranges::any_of(known_sweeps(),
                             [&](const SweepText& each) { return each.name == name; });
}

std::vector<SweepText> known_sweeps() {
  std::vector<SweepText> known;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(kFolder, none)) {
    if (entry.path().extension() != ".toml") continue;
    try {
      known.push_back(read_text(entry.path()));
    } catch (const std::runtime_error& error) {
      complain(error.what());
    }
  }
  for (const BuiltInSweep& sweep : kBuiltInSweeps) {
    const auto same = [&](const SweepText& each) { return each.name == sweep.name; };
    if (std::ranges::none_of(known, same)) known.push_back(built_in(sweep));
  }
  std::ranges::sort(known, {}, &SweepText::name);
  return known;
}

SweepFile load_sweep(const std::string& name) {
  const SweepText text = find_sweep(name);
  // A run folder keeps a file of this name.
  if (!results::is_sweep_name(text.name))
    throw std::invalid_argument(
        "expected a sweep's name of " + std::string(results::kSweepNameRule) + ", got '" +
        lcsm::safe_text(text.name) + "': rename '" + lcsm::safe_text(text.path) + "'");
  return read_sweep(text, find_sweep, complain);
}

}  // namespace runner
