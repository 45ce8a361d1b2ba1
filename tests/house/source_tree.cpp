#include "tests/house/source_tree.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

namespace house {
namespace {

namespace fs = std::filesystem;

// Our own dot-folders; any other (.cache, .vscode) belongs to other tools.
const std::set<std::string> kDotFolders = {".ci", ".github"};

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The lines "/build/" and "/kit.tar.xz" of .gitignore, without their slashes.
std::set<std::string> ignored_names(const fs::path& root) {
  std::set<std::string> names = {".git"};
  const SourceFile ignore{".gitignore", read_file(root / ".gitignore")};
  for (std::string_view line : ignore.lines()) {
    if (!line.starts_with('/')) continue;
    line.remove_prefix(1);
    if (line.ends_with('/')) line.remove_suffix(1);
    names.emplace(line);
  }
  return names;
}

bool skipped(const fs::directory_entry& entry, const std::set<std::string>& ignored, int depth) {
  const std::string name = entry.path().filename().string();
  if (depth == 0 && ignored.contains(name)) return true;
  return entry.is_directory() && name.starts_with('.') && !kDotFolders.contains(name);
}

bool is_source(const std::string& word) { return word.ends_with(".cpp") || word.ends_with(".cu"); }

bool is_keyword(const std::string& word) {
  static const std::set<std::string> kKeywords = {"PUBLIC", "PRIVATE",   "INTERFACE", "STATIC",
                                                  "SHARED", "OBJECT",    "SOURCES",   "LIBS",
                                                  "MODULE", "LINK_ONLY", "FILES"};
  return kKeywords.contains(word);
}

void add_words(Target& target, const Command& command, const std::string& folder) {
  if (command.name == "lcsm_compile_again") {  // the files of another target
    target.links.push_back(command.words.at(1));
    return;
  }
  const bool links = command.name == "target_link_libraries";
  bool libraries = links;
  for (std::size_t i = 1; i < command.words.size(); ++i) {
    const std::string& word = command.words[i];
    if (word == "LIBS" || word == "SOURCES") libraries = word == "LIBS";
    if (is_keyword(word)) continue;
    if (libraries) target.links.push_back(word);
    if (!libraries && is_source(word))
      target.sources.push_back(fs::path(folder + word).lexically_normal().generic_string());
  }
}

}  // namespace

std::vector<std::string_view> SourceFile::lines() const {
  std::vector<std::string_view> found;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    found.push_back(std::string_view(text).substr(at, end - at));
    at = end + 1;
  }
  return found;
}

std::string SourceFile::folder() const {
  const std::size_t slash = path.find('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

std::string SourceFile::extension() const { return fs::path(path).extension().string(); }

const SourceFile* Tree::find(const std::string& path) const {
  const auto found = std::lower_bound(
      files.begin(), files.end(), path,
      [](const SourceFile& file, const std::string& wanted) { return file.path < wanted; });
  return found != files.end() && found->path == path ? &*found : nullptr;
}

Tree read_tree(const fs::path& root) {
  const std::set<std::string> ignored = ignored_names(root);
  Tree tree;
  for (fs::recursive_directory_iterator at(root), end; at != end; ++at) {
    if (skipped(*at, ignored, at.depth())) {
      at.disable_recursion_pending();
      continue;
    }
    if (!at->is_regular_file()) continue;
    std::string text = read_file(at->path());
    if (text.find('\0') != std::string::npos) continue;  // not text
    tree.files.push_back({fs::relative(at->path(), root).generic_string(), std::move(text)});
  }
  std::sort(tree.files.begin(), tree.files.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return tree;
}

std::vector<Command> cmake_commands(std::string_view text) {
  std::vector<Command> commands;
  std::string word;
  int depth = 0, line = 1;
  const auto end_word = [&] {
    if (!word.empty() && depth > 0) commands.back().words.push_back(word);
    if (depth > 0) word.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') ++line;
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (c == '(' && depth++ == 0) {
      commands.push_back({.name = word, .words = {}, .line = line});
      word.clear();
    } else if (c == ')') {
      end_word();
      --depth;
    } else if (c == '"') {
      for (++i; i < text.size() && text[i] != '"'; ++i) word += text[i];
    } else if (c == ' ' || c == '\n' || c == '\t' || c == ';') {
      end_word();
    } else {
      word += c;
    }
  }
  return commands;
}

std::map<std::string, Target> targets_of(const Tree& tree) {
  static const std::set<std::string> kAbout = {
      "add_library",           "add_executable", "add_project_test",  "target_sources",
      "target_link_libraries", "add_ptx",        "lcsm_compile_again"};
  std::map<std::string, Target> targets;
  for (const SourceFile& file : tree.files) {
    const fs::path path = file.path;
    if (path.filename() != "CMakeLists.txt" && path.extension() != ".cmake") continue;
    const std::string folder = file.path.substr(0, file.path.rfind('/') + 1);
    for (const Command& command : cmake_commands(file.text)) {
      if (!kAbout.contains(command.name) || command.words.empty()) continue;
      const auto& words = command.words;
      if (std::find(words.begin(), words.end(), "IMPORTED") != words.end()) continue;
      if (words[0].find('$') != std::string::npos) continue;   // inside a function
      if (words[0].find("::") != std::string::npos) continue;  // a library of others
      Target& target = targets[words[0]];
      if (target.name.empty()) target = {words[0], file.path, command.line, {}, {}};
      add_words(target, command, folder);
    }
  }
  return targets;
}

std::vector<Include> includes_of(const SourceFile& file) {
  std::vector<Include> found;
  int number = 0;
  for (std::string_view line : file.lines()) {
    ++number;
    if (!line.starts_with("#include ")) continue;
    line.remove_prefix(9);
    const std::size_t end = line.find(line.starts_with('<') ? '>' : '"', 1);
    if (line.empty() || end == std::string_view::npos) continue;
    found.push_back({std::string(line.substr(1, end - 1)), line[0] == '"', number});
  }
  return found;
}

}  // namespace house
