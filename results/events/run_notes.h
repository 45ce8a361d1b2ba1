// Tags and notes that people add to a run: files in `notes/` of its folder, which any tool can
// write. `best.tag`, empty, is a tag; `2026-11-23T19-30-05Z-1a2b3c4d.txt` is a note, named after
// its time (UTC) and its text's checksum.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace results {

inline constexpr std::string_view kNotesFolder = "notes";
inline constexpr std::size_t kMostNoteBytes = 10'000;

struct RunNote {
  std::string name;  // of its file, without ".txt"; begins with the time
  std::string text;
  bool operator==(const RunNote&) const = default;
};
struct RunNotes {
  std::vector<std::string> tags;  // sorted
  std::vector<RunNote> notes;     // by name
  bool operator==(const RunNotes&) const = default;
};

// Other files are ignored. Throws std::system_error for one that cannot be read.
RunNotes read_notes(const std::filesystem::path& folder);

// False if the run has the tag already. Throws std::invalid_argument for a tag with other
// characters than letters, digits, '.', '_' and '-'.
bool add_tag(const std::filesystem::path& folder, std::string_view tag);
// False if the run does not have the tag.
bool remove_tag(const std::filesystem::path& folder, std::string_view tag);

// Throws std::invalid_argument for a text that is empty or longer than kMostNoteBytes.
void add_note(const std::filesystem::path& folder, std::string_view text);
void remove_note(const std::filesystem::path& folder, const RunNote& note);

// Copies the notes that `to` lacks; of two notes with one name the greater text is kept.
void unite_notes(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace results
