#include "runner/data/import/source.h"

#include <unistd.h>

#include "lcsm/files/whole_file.h"
#include "runner/base/files/content_hash.h"
#include "runner/base/process/process_facts.h"
#include "runner/data/import/archive.h"
#include "runner/data/import/fetch.h"
#include "runner/data/import/intake.h"
#include "runner/data/import/plain_files.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

// A file that is itself one of the row's files, such as enwik8.
bool is_one_of(const IntakeRow& row, const fs::path& file) {
  return matching_parts(row.files, file.filename().string()) == 1;
}

// Makes a folder for this process, and removes the folders of killed processes of this host.
fs::path make_scratch(const fs::path& folder) {
  const std::string host = host_name() + "-";
  std::error_code error;
  fs::create_directories(folder, error);
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.rfind(host, 0) != 0) continue;
    const std::int64_t owner = whole_number(name.substr(host.size()));
    if (owner > 0 && !fs::exists("/proc/" + std::to_string(owner)))
      fs::remove_all(entry.path(), error);
  }
  const fs::path own = folder / (host + std::to_string(getpid()));
  fs::remove_all(own, error);
  if (!fs::create_directory(own, error))
    throw lcsm::WriteError(error.value(), "'" + own.string() + "' cannot be created: " +
                                              error.message() + "; choose another workspace");
  return own;
}

// The name of the row's only file, if the URL is that file and not an archive.
std::string saved_as(const IntakeRow& row, const std::string& url) {
  const bool one = row.files.find_first_of(" *") == std::string_view::npos;
  const bool plain = fs::path(name_in_url(url)).extension() == fs::path(row.files).extension();
  return one && plain ? std::string(row.files) : "";
}

fs::path fetched(const IntakeRow& row, const std::string& url, const fs::path& data,
                 const SourceTalk& talk) {
  talk.say(std::string(row.name) + ": fetching " + url);
  const auto progress = [&](std::uint64_t bytes) { talk.progress("fetched", bytes, 0); };
  const std::optional<fs::path> file =
      fetch({url, data / ".downloads", progress, talk.stop, saved_as(row, url), row.most_fetched});
  if (!file) throw Interrupted("stopped; run the same command to resume");
  talk.say(std::string(row.name) + ": saved as '" + file->string() + "'; you may remove it");
  return *file;
}

}  // namespace

void check_sum(const IntakeRow& row, const fs::path& archive, const SourceTalk& talk) {
  const std::string name = archive.filename().string();
  const std::string found = file_sha256(archive.string());
  const bool known = !row.sha256.empty() && name == name_in_url(row.url);
  if (known && found != row.sha256)
    throw IntakeError(
        "'" + archive.string() + "': expected the SHA-256 " + std::string(row.sha256) + " of " +
        name + ", got " + found +
        ": it is damaged or a different file; remove it, or rename it to use it anyway");
  talk.say(std::string(row.name) + ": sha256 " + found +
           (known ? ", as expected" : "; no checksum of this file is known"));
}

IntakeSource::IntakeSource(const IntakeRow& row, const std::string& from, const std::string& inside,
                           const fs::path& data, const SourceTalk& talk) {
  const bool remote = is_url(from);
  const fs::path path = remote ? fetched(row, from, data, talk) : fs::path(from);
  std::error_code none;
  if (fs::is_directory(path, none)) {
    folder_ = inside.empty() ? path : path / inside;
  } else if (!fs::is_regular_file(path, none)) {
    throw IntakeError("'" + from + "': expected a folder, an archive or a URL, got none");
  } else if (is_one_of(row, path)) {
    folder_ = path.parent_path().empty() ? fs::path(".") : path.parent_path();
  } else if (is_archive(path)) {
    check_sum(row, path, talk);
    unpack_into(row, path, inside, data, talk);
  } else {
    throw IntakeError("'" + from + "': expected a folder that holds " + std::string(row.files) +
                      ", or an archive (.zip, .tar.gz and the like), got another file");
  }
}

void IntakeSource::unpack_into(const IntakeRow& row, const fs::path& archive,
                               const std::string& inside, const fs::path& data,
                               const SourceTalk& talk) {
  unpacked_ = make_scratch(data / ".unpacked");
  const auto progress = [&](std::uint64_t done, std::uint64_t all) {
    if (talk.stop()) throw Interrupted("stopped; nothing was imported");
    talk.progress("unpacked", done, all);
  };
  try {
    folder_ = unpack({archive, row.files, inside.empty() ? row.inside : std::string_view(inside),
                      row.most_bytes, progress},
                     unpacked_);
  } catch (...) {
    remove_unpacked();
    throw;
  }
}

void take_from(const IntakeRow& row, const std::vector<std::string>& sources,
               const std::string& inside, const fs::path& data, const fs::path& folder,
               const SourceTalk& talk) {
  for (const std::string& source : sources) try {
      const IntakeSource files(row, source, inside, data, talk);
      return take_dataset(row, files.folder(), folder);
    } catch (const IntakeError& error) {
      if (&source == &sources.back()) throw;
      talk.say(std::string(row.name) + ": " + error.what() + "; trying the next address");
    }
}

IntakeSource::~IntakeSource() { remove_unpacked(); }

void IntakeSource::remove_unpacked() const {
  std::error_code none;
  if (unpacked_.empty()) return;
  fs::remove_all(unpacked_, none);
  fs::remove(unpacked_.parent_path(), none);  // if it is empty
}

}  // namespace runner
