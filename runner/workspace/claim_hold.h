// The claim of a training process: gives signs of life, and detects a takeover by another process.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <thread>

#include "runner/workspace/claim.h"

namespace runner {

class ClaimHold {
 public:
  // Holds an existing claim. Throws RunFailure (busy) if it does not exist or is not the newest.
  ClaimHold(const std::filesystem::path& folder, std::int64_t number);
  ~ClaimHold();
  ClaimHold(const ClaimHold&) = delete;
  ClaimHold& operator=(const ClaimHold&) = delete;

  // Throws RunFailure (busy) once another process has taken the run over. Called before each change
  // of the run's folder. A takeover after the check does no harm (claim.h).
  void check() const;

  std::int64_t number() const { return claim_.number; }
  std::int64_t segment() const { return claim_.segment; }

 private:
  void beat();

  std::filesystem::path folder_;
  Claim claim_;
  std::mutex mutex_;
  std::condition_variable ends_;
  bool ended_ = false;
  std::thread beats_;
};

// Makes a claim for this process if no live process holds one. Waits until it is known whether
// another host's process is alive. Throws RunFailure (busy) if one is.
std::int64_t claim_by_hand(const std::filesystem::path& folder);

// Records the end of that training. If that fails, others detect the end of this process.
void end_by_hand(const std::filesystem::path& folder, std::int64_t number, results::RunState end);

}  // namespace runner
