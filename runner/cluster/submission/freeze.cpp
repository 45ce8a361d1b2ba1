#include "runner/cluster/submission/freeze.h"

#include <elf.h>
#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "lcsm/files/open_file.h"
#include "lcsm/files/user_cache.h"
#include "lcsm/files/whole_file.h"
#include "runner/base/files/content_hash.h"
#include "runner/base/files/sha256.h"
#include "runner/base/process/command.h"
#include "runner/cluster/submission/submission.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr const char* kLibraries = "lib";
constexpr const char* kContents = "files";  // of frozen/: the files themselves, by hash
constexpr std::size_t kHashDigits = 32;

struct FileToFreeze {
  std::string name;  // in the folder: "lib/libc10.so"
  fs::path file;
  std::string sum = {};   // of the file
  bool is_ours = false;   // frozen with prefer_library_path
  std::string kept = {};  // the checksum of the frozen file
};

// Where checksums are cached. Not in the workspace, which may come from somebody else and contain
// wrong checksums.
std::string sums_folder() {
  const fs::path cache = lcsm::user_cache();
  if (cache.empty()) return "";
  std::error_code none;  // on an error, each call reads the files
  fs::create_directories(cache / "sums", none);
  return cache / "sums";
}

// Libraries that CUDA's and LibTorch's libraries open by name, besides the ones that they are
// linked with.
constexpr std::string_view kOpenedByName[] = {"libcudnn_", "libnvrtc", "libcaffe2_nvrtc.so",
                                              "libtorch_cuda_linalg.so"};

bool is_of_the_system(const fs::path& library) {
  for (const char* folder : {"/lib", "/usr/lib"})
    if (library.string().starts_with(folder)) return true;  // also lib64
  return false;
}

// Returns what `ldd` prints, without calling that script.
OwnLibraries libraries_of(const fs::path& program) {
  return own_libraries(
      run_command({program.string()}, 60s, {"LD_TRACE_LOADED_OBJECTS=1", "LC_ALL=C"}).out);
}

// LD_PRELOAD is a list separated by colons and blanks: it has the name alone.
OwnLibraries libraries_of(const fs::path& program, const fs::path& opened) {
  constexpr const char* kList =
      "cd \"$1\" && LD_TRACE_LOADED_OBJECTS=1 LD_PRELOAD=\"./$2\" exec \"$3\"";
  return own_libraries(run_command({"/bin/sh", "-c", kList, "sh", opened.parent_path().string(),
                                    opened.filename().string(), program.string()},
                                   60s, {"LC_ALL=C"})
                           .out);
}

std::vector<fs::path> opened_by_name(const std::vector<fs::path>& libraries) {
  std::set<fs::path> folders;
  for (const fs::path& library : libraries) folders.insert(library.parent_path());
  std::vector<fs::path> opened;
  for (const fs::path& folder : folders)
    for (const fs::directory_entry& each : fs::directory_iterator(folder)) {
      const std::string name = each.path().filename();
      const bool for_linkers = name.ends_with(".so") && each.is_symlink();
      if (!for_linkers && std::ranges::any_of(kOpenedByName, [&](std::string_view begin) {
            return name.starts_with(begin) && name.find(".so") < name.size();
          }))
        opened.push_back(each.path());
    }
  return opened;
}

std::vector<FileToFreeze> files_of(const std::vector<ProgramToFreeze>& programs) {
  std::vector<FileToFreeze> files;
  for (const ProgramToFreeze& program : programs) {
    const auto add = [&](const fs::path& library, bool is_ours = false) {
      files.push_back({fs::path(kLibraries) / library.filename(), library, {}, is_ours});
    };
    files.push_back({program.name, program.file, {}, true});
    const OwnLibraries own = libraries_of(program.file);
    if (!own.missing.empty())
      throw std::runtime_error(program.file.string() + " needs " + own.missing.front() +
                               ", which is not found: see `lcsm doctor`");
    for (const fs::path& library : own.found) add(library);
    if (program.opens.empty()) continue;
    add(program.opens, /*is_ours=*/true);
    const OwnLibraries more = libraries_of(program.file, program.opens);
    for (const fs::path& library : more.found) add(library);
    for (const fs::path& library : opened_by_name(more.found)) add(library);
  }
  const auto name = [](const FileToFreeze& file) { return file.name; };
  std::ranges::sort(files, {}, name);
  const auto same = std::ranges::unique(files, {}, name);
  files.erase(same.begin(), same.end());
  return files;
}

// fs::copy_file would report a full disk as an input/output error.
void copy_program(const fs::path& from, const fs::path& to) {
  std::ifstream source(from, std::ios::binary);
  const lcsm::OpenFile target(to, O_WRONLY | O_CREAT | O_EXCL);
  bool good = source.is_open() && target.is_open();
  std::string part(std::size_t{1} << 20, '\0');
  while (good && source) {
    source.read(part.data(), static_cast<std::streamsize>(part.size()));
    const auto got = static_cast<std::size_t>(source.gcount());
    good = !source.bad() && lcsm::write_all(target.handle(), std::string_view(part).substr(0, got));
  }
  if (!good) throw std::system_error(errno, std::generic_category(), to.string());
  fs::permissions(to, fs::status(from).permissions());
}

bool has_sum(const fs::path& file, const std::string& sum) {
  return fs::is_regular_file(fs::symlink_status(file)) &&
         content_hash(file.string(), sums_folder()) == sum;
}

// Stores the content once for all folders that have it. Existing content is checked against its
// checksum.
fs::path keep_content(const fs::path& frozen, FileToFreeze* file) {
  const fs::path kept = frozen / kContents / file->sum;
  if (!file->is_ours) file->kept = file->sum;
  if (!file->is_ours && has_sum(kept, file->sum)) return kept;
  const fs::path unfinished = frozen / kContents / ("." + file->sum + ".tmp");
  fs::remove(unfinished);
  copy_program(file->file, unfinished);
  fs::permissions(unfinished, fs::perms::owner_write, fs::perm_options::add);
  if (file->is_ours) {
    prefer_library_path(unfinished);
    file->kept = file_sha256(unfinished.string());
    if (has_sum(kept, file->kept)) {
      fs::remove(unfinished);
      return kept;
    }
  }
  fs::remove_all(kept);
  fs::rename(unfinished, kept);
  return kept;
}

// True if the folder has these files as they were frozen, and nothing else: jobs start the
// programs, and look for libraries there first.
bool is_intact(const fs::path& folder, const std::vector<FileToFreeze>& files) {
  if (!fs::is_directory(fs::symlink_status(folder))) return false;
  std::size_t found = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (!entry.is_directory() || entry.is_symlink()) ++found;
  return found == files.size() && std::ranges::all_of(files, [&](const FileToFreeze& file) {
           return !fs::is_symlink(folder / kLibraries) && has_sum(folder / file.name, file.kept);
         });
}

void put(const fs::path& kept, const fs::path& into) {
  std::error_code failed;
  fs::create_hard_link(kept, into, failed);
  if (failed) fs::copy_file(kept, into);
}

template <class Header>
bool read_at(std::fstream& file, std::uint64_t offset, Header* header) {
  file.seekg(static_cast<std::streamoff>(offset));
  return static_cast<bool>(file.read(reinterpret_cast<char*>(header), sizeof *header));
}

}  // namespace

OwnLibraries own_libraries(const std::string& listing) {
  OwnLibraries libraries;
  std::istringstream lines(listing);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t arrow = line.find(" => ");
    if (arrow == line.npos) continue;
    const std::string path = line.substr(arrow + 4, line.find(" (0x") - arrow - 4);
    const std::size_t begin = line.find_first_not_of(" \t");
    const std::string name = line.substr(begin, arrow - begin);
    if (path == "not found") libraries.missing.push_back(name);
    if (path.starts_with('/') && !is_of_the_system(path)) libraries.found.emplace_back(path);
  }
  return libraries;
}

std::string freeze_programs(const fs::path& workspace,
                            const std::vector<ProgramToFreeze>& programs) {
  const fs::path frozen = workspace / kFrozenFolder;
  fs::create_directories(frozen / kContents);
  std::vector<FileToFreeze> files = files_of(programs);
  std::string list;
  for (FileToFreeze& file : files) {
    file.sum = content_hash(file.file.string(), sums_folder());
    list += file.name + " " + file.sum + "\n";
  }
  const std::string hash = sha256_hex(list).substr(0, kHashDigits);
  std::vector<fs::path> contents;
  for (FileToFreeze& file : files) contents.push_back(keep_content(frozen, &file));
  if (is_intact(frozen / hash, files)) return hash;
  const fs::path unfinished = frozen / (".new-" + hash);
  lcsm::refuse_links(frozen);
  fs::remove_all(unfinished);
  fs::create_directories(unfinished / kLibraries);
  for (std::size_t i = 0; i < files.size(); ++i) put(contents[i], unfinished / files[i].name);
  lcsm::sync_folder(unfinished / kLibraries);
  lcsm::sync_folder(unfinished);
  fs::remove_all(frozen / hash);
  fs::rename(unfinished, frozen / hash);
  lcsm::sync_folder(frozen);
  return hash;
}

void prefer_library_path(const fs::path& program) {
  std::fstream file(program, std::ios::in | std::ios::out | std::ios::binary);
  Elf64_Ehdr head{};
  if (!read_at(file, 0, &head) || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
      head.e_ident[EI_CLASS] != ELFCLASS64)
    return;
  for (std::uint64_t i = 0; i < head.e_phnum; ++i) {
    Elf64_Phdr part{};
    if (!read_at(file, head.e_phoff + i * head.e_phentsize, &part)) return;
    if (part.p_type != PT_DYNAMIC) continue;
    for (std::uint64_t at = part.p_offset; at < part.p_offset + part.p_filesz;
         at += sizeof(Elf64_Dyn)) {
      Elf64_Dyn entry{};
      if (!read_at(file, at, &entry) || entry.d_tag == DT_NULL) break;
      if (entry.d_tag != DT_RPATH) continue;
      entry.d_tag = DT_RUNPATH;
      file.seekp(static_cast<std::streamoff>(at));
      file.write(reinterpret_cast<const char*>(&entry), sizeof entry);
    }
  }
}

}  // namespace runner
