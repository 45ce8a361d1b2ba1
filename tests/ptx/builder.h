// A kernel during parsing: names in scopes, places in the register file, constants.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "tests/ptx/program.h"

namespace ptx {

struct Register {
  int at = 0, bytes = 0;
};

struct Symbol {
  Space space = Space::kGlobal;
  u64 address = 0, bytes = 0;
};

class Builder {
 public:
  explicit Builder(Kernel& built) : kernel(built) { enter(); }

  void enter() { scopes_.emplace_back(); }
  void leave() { scopes_.pop_back(); }

  // .reg .b32 %r<9>;   .local .align 8 .b8 name[32];   .shared ...;   .param .b32 name;
  void declare(const std::string& text);
  void add(const std::string& name, const Symbol& symbol) { scopes_.back().symbols[name] = symbol; }

  std::optional<Register> find_register(const std::string& name) const;
  std::optional<Symbol> find_symbol(const std::string& name) const;

  int take(int bytes);  // room for 32 values
  int constant(u64 value, int bytes);
  int special(const std::string& name);  // %tid.x

  Kernel& kernel;
  bool has_dynamic_shared = false;

 private:
  struct Scope {
    std::unordered_map<std::string, Register> registers;
    std::unordered_map<std::string, Symbol> symbols;
  };
  void declare_registers(const std::string& text);
  void declare_memory(const std::string& text);

  std::vector<Scope> scopes_;
  std::map<std::pair<u64, int>, int> constants_;
  std::map<std::string, int> specials_;
};

// A declaration of memory: `.align 8 .b8 name[32] = {1, 2}`.
struct Declaration {
  std::string name;
  u64 align = 1, bytes = 0;
  bool dynamic = false;     // name[]
  std::vector<u8> initial;  // empty when it has none
};

Declaration declaration_of(const std::string& text);

// The bits of 0f3F800000, 0d..., 12, -3, 0x1F, 1.5; nullopt if the text is not a number.
std::optional<u64> literal_of(const std::string& text, int bytes, bool real);

constexpr u64 kDynamicShared = 0x7fffd00d;  // stands for the end of static shared memory

}  // namespace ptx
