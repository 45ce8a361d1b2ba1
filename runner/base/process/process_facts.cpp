#include "runner/base/process/process_facts.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>

namespace runner {

// proc(5): the second field, in parentheses, may contain spaces and parentheses.
std::optional<ProcessFacts> facts_of_process(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  // std::istreambuf_iterator would throw if the process ended before the file is read.
  std::string text;
  std::getline(file, text, '\0');
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(text.substr(name_end + 1));
  ProcessFacts facts;
  std::string skipped;
  std::int64_t user = 0, system = 0;
  fields >> facts.state;
  for (int field = 4; field < 14; ++field) fields >> skipped;
  fields >> user >> system;
  for (int field = 16; field < 22; ++field) fields >> skipped;
  if (!(fields >> facts.started)) return std::nullopt;
  facts.used = user + system;
  return facts;
}

std::string boot_id() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  file >> id;
  return id;
}

std::string host_name() {
  std::array<char, 256> host{};
  return gethostname(host.data(), host.size() - 1) == 0 ? host.data() : "";
}

std::string user_at_host() {
  const passwd* user = getpwuid(geteuid());
  return fmt::format("{}@{}", user != nullptr ? user->pw_name : std::to_string(geteuid()).c_str(),
                     host_name());
}

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

std::filesystem::path program_folder() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path();
}

std::string environment_variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace runner
