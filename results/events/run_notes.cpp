#include "results/events/run_notes.h"

#include <time.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include "lcsm/files/confined.h"
#include "lcsm/files/whole_file.h"
#include "results/events/run_folder.h"
#include "results/files/checksum.h"

namespace results {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTag = ".tag", kNote = ".txt";

fs::path tag_file(const fs::path& folder, std::string_view tag) {
  if (!is_sweep_name(tag))
    throw std::invalid_argument("expected a tag of " + std::string(kSweepNameRule) + ", got '" +
                                std::string(tag) + "'");
  return folder / kNotesFolder / (std::string(tag) + std::string(kTag));
}

fs::path note_file(const fs::path& folder, const std::string& name) {
  return folder / kNotesFolder / (name + std::string(kNote));
}

// Formats the time as "2026-11-23T19-30-05Z", which sorts by time.
std::string time_now() {
  const time_t now = time(nullptr);
  tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  return {text, strftime(text, sizeof text, "%Y-%m-%dT%H-%M-%SZ", &utc)};
}

// Does not follow links: a note in a workspace from somebody else could show any file.
std::string read_text(const fs::path& file) {
  const auto kind = fs::symlink_status(file);
  const bool regular = fs::is_regular_file(kind) && lcsm::link_on_the_way(file).empty();
  if (fs::exists(kind) && !regular)
    throw std::invalid_argument(file.string() + ": expected a note, got no regular file");
  std::ifstream stream(file, std::ios::binary);
  std::string text(kMostNoteBytes, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (stream.bad() || (!stream.is_open() && fs::exists(file)))
    throw std::system_error(errno, std::generic_category(), file.string() + " cannot be read");
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

void make_folder(const fs::path& folder) {
  lcsm::create_one_folder(folder / kNotesFolder);
  lcsm::sync_folder(folder);
}

}  // namespace

RunNotes read_notes(const fs::path& folder) {
  RunNotes found;
  for (const fs::directory_entry& entry : entries_of(folder / kNotesFolder)) {
    const fs::path& file = entry.path();
    const std::string name = file.stem().string();
    if (name.starts_with('.') || !entry.is_regular_file()) continue;
    if (file.extension() == kTag && is_sweep_name(name)) found.tags.push_back(name);
    if (file.extension() == kNote) found.notes.push_back({name, read_text(file)});
  }
  std::sort(found.tags.begin(), found.tags.end());
  std::sort(found.notes.begin(), found.notes.end(),
            [](const RunNote& a, const RunNote& b) { return a.name < b.name; });
  return found;
}

bool add_tag(const fs::path& folder, std::string_view tag) {
  const fs::path file = tag_file(folder, tag);
  if (fs::exists(file)) return false;
  make_folder(folder);
  lcsm::write_whole(file, "");
  return true;
}

bool remove_tag(const fs::path& folder, std::string_view tag) {
  lcsm::refuse_links(folder / kNotesFolder);
  return fs::remove(tag_file(folder, tag));
}

void add_note(const fs::path& folder, std::string_view text) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw std::invalid_argument("expected a note's text, got none");
  if (text.size() > kMostNoteBytes)
    throw std::invalid_argument("expected a note of at most " + std::to_string(kMostNoteBytes) +
                                " bytes, got " + std::to_string(text.size()));
  make_folder(folder);
  lcsm::write_whole(note_file(folder, time_now() + "-" + crc_text(crc32(text))), text);
}

void remove_note(const fs::path& folder, const RunNote& note) {
  lcsm::refuse_links(folder / kNotesFolder);
  fs::remove(note_file(folder, note.name));
}

void unite_notes(const fs::path& from, const fs::path& to) {
  const RunNotes theirs = read_notes(from), ours = read_notes(to);
  if (theirs.tags.empty() && theirs.notes.empty()) return;
  make_folder(to);
  for (const std::string& tag : theirs.tags) add_tag(to, tag);
  for (const RunNote& note : theirs.notes) {
    const auto same = [&](const RunNote& other) { return other.name == note.name; };
    const auto found = std::find_if(ours.notes.begin(), ours.notes.end(), same);
    if (found == ours.notes.end() || found->text < note.text)
      lcsm::write_whole(note_file(to, note.name), note.text);
  }
}

}  // namespace results
