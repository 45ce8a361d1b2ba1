#include "runner/training/environment.h"

#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <elf.h>
#include <fmt/format.h>
#include <link.h>
#include <torch/headeronly/version.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>

#include "lcsm/base/allowance.h"
#include "lcsm/base/revision.h"

namespace runner {
namespace {

using nlohmann::ordered_json;

std::string file_text(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string first_word(const std::string& text) { return text.substr(0, text.find('\n')); }

// When this process started, in clock ticks since the machine did: with its number and the
// machine's start it names the process for ever. Field 22; the second may hold blanks.
std::int64_t start_ticks() {
  const std::string stat = file_text("/proc/self/stat");
  std::size_t at = stat.rfind(')');
  for (int field = 2; field < 22 && at != std::string::npos; ++field) at = stat.find(' ', at + 1);
  return at == std::string::npos ? 0 : std::atoll(stat.c_str() + at);
}

ordered_json command_line() {
  ordered_json words = ordered_json::array();
  const std::string all = file_text("/proc/self/cmdline");
  for (std::size_t at = 0; at < all.size(); at = all.find('\0', at) + 1)
    words.push_back(all.substr(at, all.find('\0', at) - at));
  return words;
}

void find_build_id(const char* notes, std::size_t size, std::string* id) {
  const auto whole_words = [](std::size_t bytes) { return (bytes + 3) / 4 * 4; };
  for (const char* const end = notes + size; notes + sizeof(ElfW(Nhdr)) <= end;) {
    ElfW(Nhdr) head;
    std::memcpy(&head, notes, sizeof head);
    const char* const name = notes + sizeof head;
    const char* const content = name + whole_words(head.n_namesz);
    if (head.n_type == NT_GNU_BUILD_ID && std::string_view(name, head.n_namesz).starts_with("GNU"))
      for (std::size_t i = 0; i < head.n_descsz; ++i)
        *id += fmt::format("{:02x}", static_cast<unsigned char>(content[i]));
    notes = content + whole_words(head.n_descsz);
  }
}

// What the linker made of the program's content, as `readelf -n` shows it; "" when it made none.
std::string build_id() {
  std::string id;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* into) {
        for (int i = 0; i < info->dlpi_phnum; ++i)
          if (info->dlpi_phdr[i].p_type == PT_NOTE)
            find_build_id(
                reinterpret_cast<const char*>(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr),
                info->dlpi_phdr[i].p_memsz, static_cast<std::string*>(into));
        return 1;  // the program comes first
      },
      &id);
  return id;
}

std::string host_name() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

}  // namespace

results::Values environment_of_process() {
  const lcsm::Allowance allowed = lcsm::read_allowance();
  return {
      {"argv", results::List{command_line().dump()}},
      {"boot", first_word(file_text("/proc/sys/kernel/random/boot_id"))},
      {"commit", std::string(lcsm::kRevision.commit)},
      {"cores", std::int64_t{allowed.cores()}},
      {"cpu", lcsm::cpu_model()},
      {"cpu_capability", at::get_cpu_capability()},
      {"dirty", lcsm::kRevision.dirty},
      {"host", host_name()},
      {"libtorch", std::string(TORCH_VERSION)},
      {"memory", static_cast<std::int64_t>(allowed.memory_total)},
      {"pid", std::int64_t{getpid()}},
      {"program", build_id()},
      {"started_ticks", start_ticks()},
      {"threads", std::int64_t{at::get_num_threads()}},
      {"version", std::string(lcsm::kRevision.version)},
  };
}

std::string json_text(const results::Values& values) {
  ordered_json json;
  for (const auto& [name, value] : values)
    std::visit(
        [&](const auto& each) {
          if constexpr (std::is_same_v<std::decay_t<decltype(each)>, results::List>)
            json[name] = ordered_json::parse(each.json);
          else
            json[name] = each;
        },
        value);
  return json.dump(2) + "\n";
}

}  // namespace runner
