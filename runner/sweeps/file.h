// A sweep as its file says it, with the files that it extends.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runner/config/config_mistakes.h"
#include "runner/sweeps/layer.h"
#include "runner/sweeps/views.h"

namespace runner {

// A sweep's text: what it is called, what errors call the file.
struct SweepText {
  std::string name, path, text;
};

// The sweep that `extends` names in the file `from`; throws std::runtime_error.
using FindSweep = std::function<SweepText(const std::string& name, const std::string& from)>;

struct SweepFile {
  std::string name, path;
  std::string title, question, paper;
  std::vector<Layer> files;                          // the file's own last, behind what it extends
  std::map<std::string, std::vector<Layer>> scales;  // in the same order
  SweepViews views;
  std::shared_ptr<const lcsm::Catalogue> catalogue;
  Mistakes mistakes;  // knows the sources; holds none

  std::vector<std::string> scale_names() const;  // "paper" first
};

inline constexpr std::string_view kPaperScale = "paper";  // the sweep itself

// Throws ConfigError with every mistake of all files. `complain`: of oscillations found elsewhere.
SweepFile read_sweep(const SweepText& text, const FindSweep& find,
                     void (*complain)(const std::string&));

}  // namespace runner
