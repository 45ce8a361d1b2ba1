#include "tests/ptx/builder.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "tests/ptx/statements.h"

namespace ptx {
namespace {

u64 up(u64 value, u64 unit) { return (value + unit - 1) / unit * unit; }

Type type_in(const std::vector<std::string>& words) {
  for (const std::string& word : words)
    if (word.starts_with('.'))
      if (const Type type = type_named(word.substr(1)); type != Type::kNone) return type;
  return Type::kNone;
}

// Elements between braces, all literals.
std::vector<u8> initial_of(const std::string& text, int bytes, bool real) {
  std::vector<u8> data;
  std::string inside = trimmed(text);
  if (inside.starts_with('{')) inside = inside.substr(1, inside.size() - 2);
  for (const std::string& part : split(inside, ',')) {
    const auto bits = literal_of(part, bytes, real);
    if (!bits)
      throw std::runtime_error("expected numbers as first values, got " + part +
                               ": addresses there are not implemented in tests/ptx/builder.cpp");
    u8 raw[8];
    std::memcpy(raw, &*bits, 8);
    data.insert(data.end(), raw, raw + bytes);
  }
  return data;
}

}  // namespace

std::optional<u64> literal_of(const std::string& text, int bytes, bool real) {
  if (text.empty() || text.find_first_not_of("+-.0123456789abcdefABCDEFxXUu") != text.npos)
    return std::nullopt;
  const bool sign = text[0] == '-';
  const std::string digits = text.substr(sign ? 1 : 0);
  if (digits.empty() || digits[0] < '0' || digits[0] > '9') return std::nullopt;
  const char mark = digits.size() > 2 && digits[0] == '0' ? digits[1] : ' ';
  if (std::strchr("fFdD", mark) != nullptr) {
    const u64 bits = std::stoull(digits.substr(2), nullptr, 16);
    return sign ? bits ^ (bytes == 4 ? 1ull << 31 : 1ull << 63) : bits;
  }
  if (digits.find('.') != digits.npos || real) {
    const double value = std::stod(text);
    return bytes == 4 ? std::bit_cast<u32>(static_cast<float>(value)) : std::bit_cast<u64>(value);
  }
  const u64 value = std::stoull(digits, nullptr, 0);
  return sign ? 0 - value : value;
}

Declaration declaration_of(const std::string& text) {
  Declaration found;
  const std::size_t equals = text.find('=');
  std::string head = trimmed(text.substr(0, equals));
  u64 count = 1;
  while (head.ends_with(']')) {
    const std::size_t open = head.rfind('[');
    const std::string inside = trimmed(head.substr(open + 1, head.size() - open - 2));
    found.dynamic = found.dynamic || inside.empty();
    if (!inside.empty()) count *= std::stoull(inside);
    head = trimmed(head.substr(0, open));
  }
  const std::vector<std::string> words = split(head, ' ');
  const Type type = type_in(words);
  found.name = words.back();
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == ".align") found.align = std::stoull(words[i + 1]);
    if (words[i] == ".v2" || words[i] == ".v4") count *= static_cast<u64>(words[i][2] - '0');
  }
  if (type == Type::kNone)
    throw std::runtime_error("expected a type in a declaration, got " + text);
  const int bytes = bytes_of(type);
  found.align = std::max(found.align, static_cast<u64>(bytes));
  if (equals != text.npos)
    found.initial = initial_of(text.substr(equals + 1), bytes, is_float(type));
  found.bytes = count * static_cast<u64>(bytes);
  if (found.dynamic) found.bytes = found.initial.size();
  return found;
}

void Builder::declare(const std::string& text) {
  if (text.starts_with(".reg"))
    declare_registers(text);
  else
    declare_memory(text);
}

void Builder::declare_registers(const std::string& text) {
  const std::size_t end = text.find_first_of(" \t", text.find('.', 4));
  const Type type =
      type_named(trimmed(text.substr(text.find('.', 4) + 1, end - text.find('.', 4) - 1)));
  if (type == Type::kNone)
    throw std::runtime_error("expected a type that tests/ptx/program.cpp lists, got " + text);
  for (const std::string& name : split(text.substr(end), ',')) {
    const std::size_t open = name.find('<');
    const int count = open == name.npos ? 1 : std::stoi(name.substr(open + 1));
    for (int i = 0; i < count; ++i) {
      const std::string each = open == name.npos ? name : name.substr(0, open) + std::to_string(i);
      scopes_.back().registers[each] = {take(bytes_of(type)), bytes_of(type)};
    }
  }
}

// Parameters of a call lie in local memory, as the body of the called function does.
void Builder::declare_memory(const std::string& text) {
  const Declaration declared = declaration_of(text);
  const bool shared = text.find(".shared") != text.npos;
  if (shared && declared.dynamic) {
    has_dynamic_shared = true;
    return add(declared.name, {Space::kShared, kDynamicShared, 0});
  }
  int& top = shared ? kernel.shared_bytes : kernel.local_bytes;
  const u64 address = up(static_cast<u64>(top), declared.align);
  top = static_cast<int>(address + declared.bytes);
  add(declared.name, {shared ? Space::kShared : Space::kLocal, address, declared.bytes});
}

std::optional<Register> Builder::find_register(const std::string& name) const {
  for (std::size_t i = scopes_.size(); i-- > 0;)
    if (const auto found = scopes_[i].registers.find(name); found != scopes_[i].registers.end())
      return found->second;
  return std::nullopt;
}

std::optional<Symbol> Builder::find_symbol(const std::string& name) const {
  for (std::size_t i = scopes_.size(); i-- > 0;)
    if (const auto found = scopes_[i].symbols.find(name); found != scopes_[i].symbols.end())
      return found->second;
  return std::nullopt;
}

int Builder::take(int bytes) {
  const int at = kernel.file_bytes;
  kernel.file_bytes += 32 * bytes;
  return at;
}

int Builder::constant(u64 value, int bytes) {
  const auto [found, fresh] = constants_.try_emplace({value, bytes}, 0);
  if (fresh) {
    found->second = take(bytes);
    kernel.constants.push_back({found->second, bytes, value});
  }
  return found->second;
}

int Builder::special(const std::string& name) {
  const auto [found, fresh] = specials_.try_emplace(name, 0);
  if (fresh) {
    found->second = take(4);
    kernel.specials.push_back({found->second, name});
  }
  return found->second;
}

}  // namespace ptx
