#include "runner/workspace/claim_hold.h"

#include <unistd.h>

#include <chrono>
#include <system_error>

#include "lcsm/files/whole_file.h"
#include "runner/base/process/run_end.h"
#include "runner/base/process/steady_time.h"
#include "runner/workspace/claim_watch.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

constexpr useconds_t kHoldMoment = 200'000;

[[noreturn]] void refuse(const fs::path& folder, const std::string& what) {
  throw RunFailure(results::RunState::kBusy, folder.string() + ": " + what);
}

std::string owner_of(const fs::path& folder, std::int64_t number) {
  const auto claim = read_claim(folder, number);
  return claim ? claim->owner.text() : "another process";
}

}  // namespace

ClaimHold::ClaimHold(const fs::path& folder, std::int64_t number) : folder_(folder) {
  const auto claim = read_claim(folder, number);
  if (!claim) refuse(folder, "expected claim " + std::to_string(number) + ", got none");
  claim_ = *claim;
  check();
  give_sign(folder_, claim_.number);
  beats_ = std::thread([this] { beat(); });
}

ClaimHold::~ClaimHold() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  ends_.notify_all();
  beats_.join();
}

void ClaimHold::beat() {
  std::unique_lock lock(mutex_);
  const std::chrono::duration<double> pause(claim_.beat);
  while (!ends_.wait_for(lock, pause, [this] { return ended_; })) give_sign(folder_, claim_.number);
}

void ClaimHold::check() const {
  const std::int64_t newest = newest_claim(folder_);
  if (newest > claim_.number)
    refuse(folder_, "expected claim " + std::to_string(claim_.number) + " to be the newest, got " +
                        std::to_string(newest) + " of " + owner_of(folder_, newest) +
                        ": it trains this run now");
}

std::int64_t claim_by_hand(const fs::path& folder) {
  lcsm::create_folder(folder);
  ClaimWatch watch;
  for (;;) {
    std::int64_t judged = 0;
    const ClaimLife life = watch.look(folder, steady_seconds(), &judged);
    if (life == ClaimLife::kAlive)
      refuse(folder, "expected no other process, but " + owner_of(folder, newest_claim(folder)) +
                         " is training this run: wait for it to end, or stop it");
    if (life == ClaimLife::kFree)
      if (const auto claim =
              make_claim(folder, {.owner = this_owner()}, /*own_segment=*/false, judged))
        return claim->number;
    usleep(kHoldMoment);
  }
}

void end_by_hand(const fs::path& folder, std::int64_t number, results::RunState end) {
  try {
    end_claim(folder, number, end);
  } catch (const std::system_error&) {
  }
}

}  // namespace runner
