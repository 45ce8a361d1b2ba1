#include "runner/workspace/claim.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "lcsm/files/open_file.h"
#include "lcsm/files/whole_file.h"
#include "results/events/checkpoints.h"
#include "results/events/event_file.h"
#include "results/events/run_folder.h"
#include "runner/base/files/json_file.h"
#include "runner/base/process/batch_job.h"
#include "runner/base/process/process_facts.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kClaimSchema = "lcsm.claim/1";
constexpr const char* kEnd = ".end";

fs::path file_of(const fs::path& folder, std::int64_t number) {
  return folder / results::kClaimsFolder / std::to_string(number);
}

std::string machine_id() {
  std::ifstream file("/etc/machine-id");
  std::string id;
  file >> id;
  return id;
}

std::string text_of(const Claim& claim) {
  const ClaimOwner& owner = claim.owner;
  const Json json = {{"schema", kClaimSchema},
                     {"number", claim.number},
                     {"segment", claim.segment},
                     {"step", claim.step},
                     {"submission", claim.submission},
                     {"beat", claim.beat},
                     {"silence", claim.silence},
                     {"node", owner.node},
                     {"machine", owner.machine},
                     {"boot", owner.boot},
                     {"process", owner.process},
                     {"started", owner.started},
                     {"by", owner.by},
                     {"since", owner.since},
                     {"job", owner.job}};
  return printed_json(json, -1);
}

// Larger than every number in use, even if the claims were not copied with the run.
std::int64_t next_number(const fs::path& folder) {
  std::int64_t last = std::max(newest_claim(folder), results::newest_segment(folder));
  for (const results::CheckpointPlace& place : results::checkpoints_of(folder))
    last = std::max(last, place.segment);
  return last + 1;
}

// A process of another host may still append to the file unless its end was seen. A process of this
// host holds a lock on the file.
bool others_may_write(const fs::path& folder, std::int64_t before, const ClaimOwner& owner) {
  for (std::int64_t number = 1; number < before; ++number) {
    if (last_sign(folder, number) == 0 || claim_end(folder, number)) continue;
    const std::optional<Claim> claim = read_claim(folder, number);
    if (!claim || !same_host(claim->owner, owner)) return true;
  }
  return false;
}

[[noreturn]] void fail(const fs::path& path) {
  throw std::system_error(errno, std::generic_category(), path.string());
}

fs::path write_beside(const fs::path& file, const std::string& text) {
  static std::atomic<unsigned> count{0};
  const fs::path temporary =
      file.parent_path() / fmt::format(".{}-{}-{}.tmp", host_name(), getpid(), count++);
  const lcsm::OpenFile handle(temporary, O_WRONLY | O_CREAT | O_TRUNC);
  if (!handle.is_open() || !lcsm::write_all(handle.handle(), text)) {
    const int reason = errno;
    unlink(temporary.c_str());
    errno = reason;
    fail(temporary);
  }
  return temporary;
}

// Without hard links the file appears before its content. A claim without content is judged by its
// signs of life alone.
bool put_in_place(const fs::path& temporary, const fs::path& file, const std::string& text) {
  if (link(temporary.c_str(), file.c_str()) == 0) return true;
  if (errno == EEXIST) {  // or the reply to a successful link() was lost
    struct stat facts {};
    return stat(temporary.c_str(), &facts) == 0 && facts.st_nlink == 2;
  }
  if (errno != EPERM && errno != EOPNOTSUPP && errno != EMLINK && errno != ENOSYS) fail(file);
  const lcsm::OpenFile handle(file, O_WRONLY | O_CREAT | O_EXCL);
  if (!handle.is_open() && errno == EEXIST) return false;
  if (!handle.is_open() || !lcsm::write_all(handle.handle(), text)) fail(file);
  return true;
}

}  // namespace

std::string ClaimOwner::text() const {
  const std::string who = process == 0 ? "" : fmt::format("process {} of ", process);
  return fmt::format("{}{} since {}{}", who, by, since, job.empty() ? "" : ", job " + job);
}

ClaimOwner this_owner() {
  const auto facts = facts_of_process(getpid());
  const BatchJob job = this_batch_job();
  return {job.node,       machine_id(), boot_id(), getpid(), facts ? facts->started : 0,
          user_at_host(), utc_now(),    job.id};
}

bool same_host(const ClaimOwner& a, const ClaimOwner& b) {
  return a.node == b.node && a.machine == b.machine;
}

std::int64_t newest_claim(const fs::path& folder) {
  return results::largest_number(folder / results::kClaimsFolder);
}

std::optional<Claim> read_claim(const fs::path& folder, std::int64_t number) {
  const Json json = read_json_file(file_of(folder, number));
  try {
    if (!json.is_object() || json.at("schema") != kClaimSchema || json.at("number") != number)
      return std::nullopt;
    return Claim{number,
                 json.at("segment"),
                 json.at("step"),
                 json.at("submission"),
                 json.at("beat"),
                 json.at("silence"),
                 {json.at("node"), json.at("machine"), json.at("boot"), json.at("process"),
                  json.at("started"), json.at("by"), json.at("since"), json.at("job")}};
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

std::optional<Claim> make_claim(const fs::path& folder, const Claim& wish, bool own_segment,
                                std::int64_t after) {
  // Does not create parent folders: a workspace that was moved away must not reappear.
  lcsm::refuse_links(folder / results::kClaimsFolder);
  fs::create_directory(folder);
  fs::create_directory(folder / results::kClaimsFolder);
  Claim claim = wish;
  claim.number = next_number(folder);
  // Checked only now: every number beyond `after` was made under a claim that is visible here.
  if (newest_claim(folder) != after) return std::nullopt;
  claim.step = results::newest_checkpoint(folder);
  const bool shared = !own_segment && results::newest_segment(folder) == 0 &&
                      !others_may_write(folder, claim.number, claim.owner);
  claim.segment = shared ? 0 : claim.number;
  const fs::path file = file_of(folder, claim.number);
  const std::string text = text_of(claim);
  const fs::path temporary = write_beside(file, text);
  bool made = false;
  try {
    made = put_in_place(temporary, file, text);
  } catch (...) {
    unlink(temporary.c_str());
    throw;
  }
  unlink(temporary.c_str());
  return made ? std::optional(claim) : std::nullopt;
}

void end_claim(const fs::path& folder, std::int64_t number, results::RunState end) {
  fs::path file = file_of(folder, number);
  if (!fs::exists(file)) return;
  write_json_file(file += kEnd, {{"schema", kClaimSchema}, {"end", name_of(end)}});
}

std::optional<results::RunState> claim_end(const fs::path& folder, std::int64_t number) {
  fs::path file = file_of(folder, number);
  const Json json = read_json_file(file += kEnd);
  if (!json.is_object() || !json.contains("end") || !json["end"].is_string()) return std::nullopt;
  return results::named_state(json["end"].get<std::string>());
}

void give_sign(const fs::path& folder, std::int64_t number) {
  utimensat(AT_FDCWD, file_of(folder, number).c_str(), nullptr, 0);
}

// Opens the file first, which makes a network file system query its server.
std::int64_t last_sign(const fs::path& folder, std::int64_t number) {
  const lcsm::OpenFile file(file_of(folder, number), O_RDONLY);
  struct stat facts {};
  if (!file.is_open() || fstat(file.handle(), &facts) != 0) return 0;
  return std::int64_t{facts.st_mtim.tv_sec} * 1'000'000'000 + facts.st_mtim.tv_nsec;
}

std::int64_t fruitless_claims(const fs::path& folder, const std::string& submission) {
  const std::int64_t step = results::newest_checkpoint(folder);
  std::int64_t count = 0;
  for (std::int64_t number = newest_claim(folder); number > 0; --number) {
    const std::optional<Claim> claim = read_claim(folder, number);
    if (!claim || claim->submission != submission || claim->step < step) break;
    ++count;
  }
  return count;
}

}  // namespace runner
