#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <string_view>
#include <system_error>

#include "results/proofs/proof_files.h"
#include "results/proofs/workspace.h"

namespace results {
namespace {

constexpr std::string_view kText = "written, synced, renamed, read back\n";

void write_and_sync(ProofFile& file) {
  const ssize_t wrote = ::write(file.fd(), kText.data(), kText.size());
  if (wrote < 0) fail("the file cannot be written");
  if (static_cast<std::size_t>(wrote) != kText.size())
    throw std::system_error(ENOSPC, std::generic_category(), "the file cannot be written");
  if (fsync(file.fd()) != 0) fail("the file cannot be synced");
  file.close();
}

void sync_folder(const std::filesystem::path& folder) {
  const int fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) fail("the folder cannot be opened");
  const int failed = fsync(fd);
  const int why = errno;
  close(fd);
  errno = why;
  if (failed != 0) fail("the folder cannot be synced");
}

bool reads_back(const std::string& path) {
  char text[kText.size() + 1];
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) fail("the renamed file cannot be opened");
  const ssize_t got = read(fd, text, sizeof text);
  close(fd);
  return got >= 0 && std::string_view(text, static_cast<std::size_t>(got)) == kText;
}

}  // namespace

Proof prove_rename(const std::filesystem::path& folder) {
  bool tried = false;
  try {
    ProofFile file(folder);
    tried = true;
    write_and_sync(file);
    const std::string target = file.path() + ".renamed";
    if (std::rename(file.path().c_str(), target.c_str()) != 0) fail("the file cannot be renamed");
    file.renamed_to(target);
    sync_folder(folder);
    if (!reads_back(target)) return {false, "the renamed file does not contain what was written"};
    return {true, "write, fsync, rename, fsync of the folder, read back"};
  } catch (const std::system_error& error) {
    return {false, error.what(), tried && error.code().value() != ENOSPC};
  }
}

}  // namespace results
