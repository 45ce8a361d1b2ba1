#include "runner/data/import/fetch.h"

#include <fcntl.h>
#include <poll.h>
#include <strings.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>

#include "lcsm/base/words.h"
#include "lcsm/files/open_file.h"
#include "lcsm/files/read_file.h"
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

constexpr std::size_t kMostHeaders = 1 << 16;
constexpr int kLook = 200;  // milliseconds between looks at the file
constexpr std::string_view kCannotContinue = "exit status 33";  // curl: no ranges on this server
constexpr std::array kSchemes = {"http://", "https://", "ftp://", "file://"};

void require_curl() {
  if (!run_command({"curl", "--version"}, 10s).started)
    throw DataMissing(
        "expected the program curl, got none: install it, or download the file yourself and "
        "pass it with --from");
}

// The files of a download that is not complete.
struct Parts {
  explicit Parts(const fs::path& file)
      : part(file.string() + ".part"),
        headers(file.string() + ".headers"),
        log(file.string() + ".log") {}

  fs::path part, headers, log;
};

// Redirections stay on the network.
std::vector<std::string> curl_command(const Fetching& fetching, const Parts& parts,
                                      const std::string& version) {
  std::vector<std::string> words = {"/bin/sh",
                                    "-c",
                                    "exec curl \"$@\"",
                                    "curl",
                                    "--fail",
                                    "--dump-header",
                                    parts.headers.string(),
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
                                    std::to_string(fetching.most_bytes),
                                    "--output",
                                    parts.part.string()};
  if (!version.empty()) words.insert(words.end(), {"--header", "If-Range: " + version});
  words.insert(words.end(), {"--", fetching.url});
  return words;
}

std::uint64_t size_of(const fs::path& file) {
  std::error_code none;
  const std::uintmax_t size = fs::file_size(file, none);
  return none ? 0 : size;
}

// Identifies the version of a server's file: its ETag, else its Last-Modified; "" if it has
// neither. Headers of redirections come first.
std::string version_in(const fs::path& headers) {
  std::string tag, modified;
  if (size_of(headers) == 0) return "";
  const std::string all = lcsm::read_file(headers, 0, kMostHeaders);
  for (std::string_view rest = all; !rest.empty();) {
    std::string_view value = lcsm::take_until(&rest, '\n');
    if (value.starts_with("HTTP/")) tag = modified = "";
    const std::string name(lcsm::take_until(&value, ':'));
    value.remove_prefix(std::min(value.size(), value.find_first_not_of(' ')));
    value = value.substr(0, value.find('\r'));
    const bool strong = !value.starts_with("W/");  // a weak tag allows other bytes
    if (strcasecmp(name.c_str(), "ETag") == 0 && strong) tag = value;
    if (strcasecmp(name.c_str(), "Last-Modified") == 0) modified = value;
  }
  return tag.empty() ? modified : tag;
}

// The message that curl printed last.
std::string said(const fs::path& log, const Ended& end) {
  const std::vector<std::string> lines = last_lines(log, 1, 4096);
  return lines.empty() ? "curl ended with " + end.why : lines.back();
}

// Waits until curl has ended; nullopt if stopped.
std::optional<Ended> run_curl(const Fetching& fetching, const Parts& parts,
                              const std::string& version) {
  std::error_code none;
  fs::remove(parts.log, none);
  ChildProcess curl(curl_command(fetching, parts, version), parts.log);
  for (;;) {
    pollfd end{curl.handle(), POLLIN, 0};
    poll(&end, 1, kLook);
    const std::optional<Ended> ended = curl.ended();
    if (size_of(parts.part) > fetching.most_bytes)
      throw IntakeError("'" + fetching.url + "': expected at most " +
                        std::to_string(fetching.most_bytes) + " bytes, got more: remove '" +
                        parts.part.string() + "'");
    if (ended) return ended;
    if (fetching.stop && fetching.stop()) return std::nullopt;
    if (fetching.progress) fetching.progress(size_of(parts.part));
  }
}

// Resumes a partial download if the server's file has not changed; otherwise restarts it.
std::optional<Ended> download(const Fetching& fetching, const Parts& parts) {
  std::error_code none;
  const bool http = fetching.url.starts_with("http");
  const std::string version = http ? version_in(parts.headers) : "";
  if (http && version.empty()) fs::remove(parts.part, none);
  std::optional<Ended> end = run_curl(fetching, parts, version);
  const std::string now = version_in(parts.headers);
  const bool changed = end && !version.empty() && !now.empty() && now != version;
  if (end && (end->why == kCannotContinue || changed) && fs::remove(parts.part, none))
    return run_curl(fetching, parts, "");
  if (now.empty() && !version.empty()) lcsm::write_whole(parts.headers, "ETag: " + version + "\n");
  return end;
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
  const fs::path file =
      folder / (fetching.name.empty() ? name_in_url(fetching.url) : fetching.name);
  if (fs::is_regular_file(file)) return file;
  require_curl();
  std::error_code error;
  fs::create_directories(folder, error);
  const Parts parts(file);
  const fs::path locked = file.string() + ".lock";
  const lcsm::OpenFile lock(locked, O_RDWR | O_CREAT);
  if (!lock.is_open())
    throw lcsm::WriteError(errno,
                           "'" + folder.string() + "' cannot be written: choose another workspace");
  if (!results::lock_for_writing(lock.handle()))
    throw IntakeError("another process is fetching '" + fetching.url + "': wait for it");
  if (fs::is_regular_file(file)) {  // another process has fetched it meanwhile
    fs::remove(locked, error);
    return file;
  }
  const std::optional<Ended> end = download(fetching, parts);
  if (!end) return std::nullopt;
  if (end->state != results::RunState::kDone)
    throw IntakeError("'" + fetching.url + "': " + said(parts.log, *end) + "; " +
                      (size_of(parts.part) > 0 ? std::to_string(size_of(parts.part)) +
                                                     " bytes are fetched: run the same command to "
                                                     "resume, or remove '" +
                                                     parts.part.string() + "' to start over"
                                               : "check the address and the network"));
  if (size_of(parts.part) == 0)
    throw IntakeError("'" + fetching.url + "': expected a file, got an empty one");
  fs::rename(parts.part, file);
  lcsm::sync_folder(folder);
  for (const fs::path& rest : {parts.headers, parts.log, locked}) fs::remove(rest, error);
  return file;
}

}  // namespace runner
