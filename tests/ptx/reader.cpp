#include "tests/ptx/reader.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string_view>
#include <unordered_map>

#include "tests/ptx/opcodes.h"
#include "tests/ptx/statements.h"

namespace ptx {
namespace {

// A function of the module, copied into its callers: statements and the names of its parameters.
struct Function {
  std::size_t begin = 0, end = 0;
  std::vector<std::string> results, parameters;
};

std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names;
  const std::size_t open = list.find('('), close = list.rfind(')');
  if (open == list.npos) return names;
  for (const std::string& each : split(list.substr(open + 1, close - open - 1), ','))
    names.push_back(declaration_of(each).name);
  return names;
}

class Reader {
 public:
  Reader(const std::string& name, const std::string& text, Memory& memory)
      : cuts_(statements_of(text)), memory_(memory) {
    program_.name = name;
  }

  Program run() {
    find_files();
    find_functions();
    for (std::size_t k = 0; k < cuts_.size(); ++k) {
      const Statement& cut = cuts_[k];
      if (cut.cut == Cut::kStatement) top_level(cut.text);
      if (cut.cut != Cut::kOpen) continue;
      const std::size_t end = closing(k);
      if (cut.text.find(".entry") != cut.text.npos) entry(cut, k + 1, end);
      k = end;
    }
    return std::move(program_);
  }

 private:
  std::size_t closing(std::size_t open) const {
    int depth = 0;
    for (std::size_t k = open; k < cuts_.size(); ++k) {
      if (cuts_[k].cut == Cut::kOpen) ++depth;
      if (cuts_[k].cut == Cut::kClose && --depth == 0) return k;
    }
    throw std::runtime_error(program_.name + ": expected } for the { of line " +
                             std::to_string(cuts_[open].line) + ": is the text complete?");
  }

  // .file 1 "path"; compilers write them last.
  void find_files() {
    for (const Statement& cut : cuts_) {
      if (!cut.text.starts_with(".file")) continue;
      const std::vector<std::string> words = split(cut.text, ' ');
      const std::string path = words.at(2).substr(1, words[2].find('"', 1) - 1);
      files_[words[1]] = std::filesystem::path(path).filename();
    }
  }

  // .func (.param .b32 result) name(.param .b32 first)
  void find_functions() {
    for (std::size_t k = 0; k < cuts_.size(); ++k) {
      const std::string& text = cuts_[k].text;
      const std::size_t at = text.find(".func");
      if (cuts_[k].cut != Cut::kOpen || at == text.npos) continue;
      std::string rest = trimmed(text.substr(at + 5));
      Function function{k + 1, closing(k), {}, {}};
      if (rest.starts_with('(')) {
        function.results = names_in(rest.substr(0, rest.find(')') + 1));
        rest = trimmed(rest.substr(rest.find(')') + 1));
      }
      function.parameters = names_in(rest);
      functions_[trimmed(rest.substr(0, rest.find('(')))] = function;
    }
  }

  void top_level(const std::string& text) {
    const bool shared = text.find(".shared") != text.npos;
    if (shared) shared_.push_back(text);
    if (shared || (text.find(".global") == text.npos && text.find(".const") == text.npos)) return;
    const Declaration declared = declaration_of(text);
    const u64 bytes = std::max<u64>(declared.bytes, 1);
    const u64 address = memory_.allocate(declared.name, bytes);
    std::vector<u8> first = declared.initial;
    first.resize(bytes);  // C++ initializes the rest with zeros
    memory_.write(address, first.data(), bytes);
    program_.arrays.emplace_back(declared.name, address);
  }

  void entry(const Statement& head, std::size_t begin, std::size_t end) {
    Kernel& kernel = program_.kernels.emplace_back();
    std::string rest = trimmed(head.text.substr(head.text.find(".entry") + 6));
    kernel.name = trimmed(rest.substr(0, rest.find_first_of("( ")));
    kernel.most_threads = most_threads(rest);
    Builder builder(kernel);
    for (const auto& [name, address] : program_.arrays)
      builder.add(name, {Space::kGlobal, address, 0});
    for (const std::string& text : shared_) builder.declare(text);
    parameters(builder, rest.substr(0, rest.find(')') + 1));
    builder_ = &builder;
    jumps_.clear();
    labels_.clear();
    source_ = "no .loc";
    body(begin, end, "");
    Instruction exit = decoded(builder, "ret", head.line, source_);
    exit.opcode = opcode("ret");
    kernel.code.push_back(exit);
    resolve(kernel);
    place_dynamic(kernel);
  }

  // .maxntid 32, 8, 1, as compilers write it: all of a block along x.
  static u64 most_threads(const std::string& head) {
    constexpr std::string_view kWord = ".maxntid ";
    const std::size_t at = head.find(kWord);
    return at == head.npos ? Kernel{}.most_threads : std::stoull(head.substr(at + kWord.size()));
  }

  void parameters(Builder& builder, const std::string& list) {
    const std::size_t open = list.find('(');
    if (open == list.npos || list.empty()) return;
    Kernel& kernel = builder.kernel;
    for (const std::string& each : split(list.substr(open + 1, list.size() - open - 2), ',')) {
      const Declaration declared = declaration_of(each);
      const int align = static_cast<int>(declared.align), bytes = static_cast<int>(declared.bytes);
      const int offset = (kernel.parameter_bytes + align - 1) / align * align;
      kernel.parameters.push_back({declared.name, offset, bytes});
      kernel.parameter_bytes = offset + bytes;
      builder.add(declared.name, {Space::kParam, static_cast<u64>(offset), declared.bytes});
    }
  }

  void body(std::size_t begin, std::size_t end, const std::string& copy) {
    for (std::size_t k = begin; k < end; ++k) {
      const Statement& cut = cuts_[k];
      if (cut.cut == Cut::kOpen) builder_->enter();
      if (cut.cut == Cut::kClose) builder_->leave();
      if (cut.cut == Cut::kLabel)
        labels_[copy + cut.text] = static_cast<int>(builder_->kernel.code.size());
      if (cut.cut == Cut::kStatement) statement(cut, copy);
    }
  }

  void statement(const Statement& cut, const std::string& copy) {
    const std::string& text = cut.text;
    if (text.starts_with(".loc ")) return locate(split(text, ' '));
    for (const char* word : {".reg", ".shared", ".local", ".param", ".extern .shared"})
      if (text.starts_with(word)) return builder_->declare(text);
    if (text.starts_with('.')) return;  // .pragma
    if (text.starts_with("call")) return call(cut);
    Instruction made = decoded(*builder_, text, cut.line, source_);
    const std::size_t skip = text.starts_with('@') ? text.find(' ') + 1 : 0;
    made.opcode = opcode(text.substr(skip, text.find(' ', skip) - skip));
    const std::string last = trimmed(text.substr(text.find_last_of(" ,") + 1));
    Kernel& kernel = builder_->kernel;
    const bool leaves = made.flow == Flow::kExit && !copy.empty();
    if (leaves) made.flow = Flow::kBranch;
    if (made.flow == Flow::kBranch)
      jumps_.push_back({kernel.code.size(), copy + (leaves ? "return" : last)});
    if (made.bytes != 0) kernel.piece = std::min<u64>(kernel.piece, made.bytes);
    kernel.code.push_back(std::move(made));
  }

  // call.uni (result), name, (first, second);
  void call(const Statement& cut) {
    const std::vector<std::string> parts = split(cut.text.substr(cut.text.find(' ')), ',');
    const bool results = parts[0].starts_with('(');
    const std::string& name = parts.at(results ? 1 : 0);
    const auto found = functions_.find(name);
    const std::string where = program_.name + ", PTX line " + std::to_string(cut.line);
    if (found == functions_.end())
      throw std::runtime_error(where + ": `" + cut.text + "` calls " + name +
                               ", which the module does not define: no device library is linked.");
    if (++depth_ > 20) throw std::runtime_error(where + ": recursion is not implemented.");
    const Function& function = found->second;
    std::vector<std::pair<std::string, std::string>> same;
    const auto pair_up = [&](const std::vector<std::string>& formal, const std::string& actual) {
      const auto given = split(actual.substr(1, actual.size() - 2), ',');
      for (std::size_t k = 0; k < formal.size(); ++k) same.emplace_back(formal[k], given.at(k));
    };
    if (results) pair_up(function.results, parts[0]);
    if (!function.parameters.empty()) pair_up(function.parameters, parts.at(results ? 2 : 1));
    const std::string copy = name + "#" + std::to_string(copies_++) + "/";
    builder_->enter();
    for (const auto& [formal, actual] : same)
      builder_->add(formal, builder_->find_symbol(actual).value());
    const std::string source = source_;
    body(function.begin, function.end, copy);
    source_ = source;
    builder_->leave();
    labels_[copy + "return"] = static_cast<int>(builder_->kernel.code.size());
    --depth_;
  }

  // .loc file line column[, function_name label, inlined_at file line column]
  void locate(const std::vector<std::string>& words) {
    source_ = files_[words.at(1)] + ":" + words.at(2);
    const auto outer = std::find(words.begin(), words.end(), "inlined_at");
    if (words.end() - outer > 2) source_ += ", inlined at " + files_[outer[1]] + ":" + outer[2];
  }

  void resolve(Kernel& kernel) {
    for (const auto& [at, name] : jumps_) {
      Instruction& jump = kernel.code[at];
      if (!labels_.contains(name))
        throw std::runtime_error(kernel.name + ": no label " + name + " for `" + jump.text + "`");
      jump.target = labels_[name];
    }
    find_meetings(kernel);
  }

  // Dynamic shared memory follows static memory, whose size is known only now.
  static void place_dynamic(Kernel& kernel) {
    kernel.shared_bytes = (kernel.shared_bytes + 127) / 128 * 128;
    for (Constant& constant : kernel.constants)
      if (constant.value == kDynamicShared) constant.value = static_cast<u64>(kernel.shared_bytes);
  }

  int opcode(const std::string& name) {
    const auto [found, fresh] = opcodes_.try_emplace(name, static_cast<int>(opcodes_.size()));
    if (fresh) program_.opcodes.push_back(name);
    return found->second;
  }

  std::vector<Statement> cuts_;
  Memory& memory_;
  Program program_;
  Builder* builder_ = nullptr;
  std::map<std::string, Function> functions_;
  std::map<std::string, std::string> files_;
  std::vector<std::string> shared_;
  std::map<std::string, int> labels_;
  std::unordered_map<std::string, int> opcodes_;
  std::vector<std::pair<std::size_t, std::string>> jumps_;
  std::string source_;
  int depth_ = 0, copies_ = 0;
};

}  // namespace

Program read_program(const std::string& name, const std::string& text, Memory& memory) {
  return Reader(name, text, memory).run();
}

Program load_program(const std::string& path, Memory& memory) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("expected PTX in " + path + ", found no such file");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return read_program(std::filesystem::path(path).filename(), text, memory);
}

}  // namespace ptx
