// A sweep as written in its file and the files it extends.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runner/config/toml/config_mistakes.h"
#include "runner/sweeps/language/layer.h"
#include "runner/sweeps/language/views.h"

namespace runner {

// The text of a sweep: its name, the path shown in errors, the TOML.
struct SweepText {
  std::string name, path, text;
};

// Finds the sweep that `extends` names in the file `from`. Throws std::runtime_error.
using FindSweep = std::function<SweepText(const std::string& name, const std::string& from)>;

struct SweepFile {
  std::string name, path;
  std::string title, question, paper;
  std::vector<Layer> files;                          // extended files first, the file itself last
  std::map<std::string, std::vector<Layer>> scales;  // in the order of the files
  SweepViews views;
  std::shared_ptr<const lcsm::Catalogue> catalogue;
  Mistakes mistakes;  // has the sources, but no mistakes

  std::vector<std::string> scale_names() const;  // "paper" first
};

inline constexpr std::string_view kPaperScale = "paper";  // the scale of the sweep itself

// Throws ConfigError with every mistake of all files. `complain` gets warnings about oscillations
// from other files.
SweepFile read_sweep(const SweepText& text, const FindSweep& find,
                     void (*complain)(const std::string&));

}  // namespace runner
