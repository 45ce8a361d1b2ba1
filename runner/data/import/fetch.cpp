#include "runner/data/import/fetch.h"

#include <fcntl.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>

#include "lcsm/files/open_file.h"
#include "lcsm/files/whole_file.h"
#include "results/files/file_lock.h"
#include "runner/base/files/sha256.h"
#include "runner/base/files/text_tail.h"
#include "runner/base/process/child_process.h"
#include "runner/base/process/command.h"
#include "runner/data/datasets/intake_error.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 37;
constexpr int kLook = 200;  // milliseconds between looks at the file
constexpr std::string_view kCannotContinue = "exit status 33";  // curl: no ranges on this server
constexpr std::array kSchemes = {"http://", "https://", "ftp://", "file://"};

void require_curl() {
  if (!run_command({"curl", "--version"}, 10s).started)
    throw DataMissing(
        "expected the program curl, got none: install it, or download the file yourself and "
        "pass it with --from");
}

// Redirections stay on the network.
std::vector<std::string> curl_command(const std::string& url, const fs::path& part) {
  return {"/bin/sh",
          "-c",
          "exec curl \"$@\"",
          "curl",
          "--fail",
          "--location",
          "--globoff",
          "--silent",
          "--show-error",
          "--continue-at",
          "-",
          "--proto",
          "=http,https,ftp,file",
          "--proto-redir",
          "=http,https,ftp",
          "--retry",
          "3",
          "--connect-timeout",
          "30",
          "--max-filesize",
          std::to_string(kMostBytes),
          "--output",
          part.string(),
          "--",
          url};
}

std::uint64_t size_of(const fs::path& file) {
  std::error_code none;
  const std::uintmax_t size = fs::file_size(file, none);
  return none ? 0 : size;
}

// The message that curl printed last.
std::string said(const fs::path& log, const Ended& end) {
  const std::vector<std::string> lines = last_lines(log, 1, 4096);
  return lines.empty() ? "curl ended with " + end.why : lines.back();
}

// Waits until curl has ended; nullopt if stopped.
std::optional<Ended> run_curl(const Fetching& fetching, const fs::path& part, const fs::path& log) {
  std::error_code none;
  fs::remove(log, none);
  ChildProcess curl(curl_command(fetching.url, part), log);
  for (;;) {
    pollfd end{curl.handle(), POLLIN, 0};
    poll(&end, 1, kLook);
    if (const std::optional<Ended> ended = curl.ended()) return ended;
    if (fetching.stop && fetching.stop()) return std::nullopt;
    if (fetching.progress) fetching.progress(size_of(part));
    if (size_of(part) > kMostBytes)
      throw IntakeError("'" + fetching.url + "': expected at most " + std::to_string(kMostBytes) +
                        " bytes, got more");
  }
}

}  // namespace

bool is_url(std::string_view text) {
  return std::any_of(kSchemes.begin(), kSchemes.end(),
                     [&](const char* scheme) { return text.starts_with(scheme); });
}

std::string name_in_url(std::string_view url) {
  url = url.substr(0, url.find_first_of("?#"));
  url = url.substr(url.rfind('/') + 1);
  std::string name;
  for (const char c : url)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.')
      name += c;
  return name.find_first_not_of('.') == std::string::npos ? "file" : name;
}

std::optional<fs::path> fetch(const Fetching& fetching) {
  const fs::path folder = fetching.folder / sha256_hex(fetching.url).substr(0, 8);
  const fs::path file = folder / name_in_url(fetching.url);
  if (fs::is_regular_file(file)) return file;
  require_curl();
  std::error_code error;
  fs::create_directories(folder, error);
  const fs::path part = file.string() + ".part", log = file.string() + ".log";
  const lcsm::OpenFile lock(file.string() + ".lock", O_RDWR | O_CREAT);
  if (!lock.is_open())
    throw lcsm::WriteError(errno,
                           "'" + folder.string() + "' cannot be written: choose another workspace");
  if (!results::lock_for_writing(lock.handle()))
    throw IntakeError("another process is fetching '" + fetching.url + "': wait for it");
  std::optional<Ended> end = run_curl(fetching, part, log);
  if (end && end->why == kCannotContinue && fs::remove(part, error))
    end = run_curl(fetching, part, log);
  if (!end) return std::nullopt;
  if (end->state != results::RunState::kDone)
    throw IntakeError("'" + fetching.url + "': " + said(log, *end) + "; " +
                      (size_of(part) > 0 ? std::to_string(size_of(part)) +
                                               " bytes are fetched: run the same command to "
                                               "resume, or remove '" +
                                               part.string() + "' to start over"
                                         : "check the address and the network"));
  if (size_of(part) == 0)
    throw IntakeError("'" + fetching.url + "': expected a file, got an empty one");
  fs::rename(part, file);
  lcsm::sync_folder(folder);
  fs::remove(log, error);
  fs::remove(file.string() + ".lock", error);
  return file;
}

}  // namespace runner
