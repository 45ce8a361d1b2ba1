// Keeps a file with a sweep's curves up to date while the sweep runs.
#pragma once

#include <filesystem>
#include <future>
#include <string>

#include "runner/front/panel/model.h"

namespace runner {

class CurvesFile {
 public:
  CurvesFile(std::filesystem::path file, std::filesystem::path workspace);
  ~CurvesFile();  // waits for a file that is being written

  const std::filesystem::path& path() const { return file_; }

  // Writes the file. `live`: it will be written again. Throws Failure if it cannot be written.
  void write(PanelModel model, bool live);

  // Writes the file on another thread if it is due: every five seconds, and at most a twentieth of
  // the time. A failed write is tried again. `now`: seconds of any monotonic clock.
  void keep_fresh(const PanelModel& model, double now);

 private:
  std::filesystem::path file_, workspace_;
  double next_ = 0;
  std::future<double> writing_;  // the seconds that it took
};

}  // namespace runner
