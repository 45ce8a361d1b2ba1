#include "runner/front/curves/curves_file.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <utility>

#include "lcsm/files/whole_file.h"
#include "runner/base/process/exit_code.h"
#include "runner/base/process/steady_time.h"
#include "runner/front/curves/curves_json.h"
#include "runner/front/curves/curves_page.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

constexpr double kFileEvery = 5, kFileShare = 20;

void write_page(const fs::path& file, const fs::path& workspace, const PanelModel& model,
                bool live) {
  lcsm::write_whole(file, curves_page(model.sweep, current_curves_json(model, workspace, live)));
}

// Writes the file on another thread, which gets no signals.
std::future<double> written_beside(fs::path file, fs::path workspace, PanelModel model) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  auto written = std::async(
      std::launch::async,
      [file = std::move(file), workspace = std::move(workspace), model = std::move(model)] {
        const double start = steady_seconds();
        try {
          write_page(file, workspace, model, true);
        } catch (const std::exception&) {
          // The last write reports what is wrong.
        }
        return steady_seconds() - start;
      });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return written;
}

}  // namespace

CurvesFile::CurvesFile(fs::path file, fs::path workspace)
    : file_(std::move(file)), workspace_(std::move(workspace)) {}

CurvesFile::~CurvesFile() {
  if (writing_.valid()) writing_.wait();
}

void CurvesFile::write(PanelModel model, bool live) {
  if (writing_.valid()) writing_.wait();
  try {
    write_page(file_, workspace_, model, live);
  } catch (const lcsm::WriteError& error) {
    throw Failure(ExitCode::kOutput, error.what());
  }
}

void CurvesFile::keep_fresh(const PanelModel& model, double now) {
  if (writing_.valid()) {
    if (writing_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
    next_ = now + std::max(kFileEvery, kFileShare * writing_.get());
  }
  if (next_ == 0) next_ = now + kFileEvery;
  if (now >= next_) writing_ = written_beside(file_, workspace_, model);
}

}  // namespace runner
