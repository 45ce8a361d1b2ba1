// Collects the mistakes in all sources of a configuration and reports them together.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runner/base/files/source_error.h"

namespace runner {

// Where a value was set; without a source it is a default.
struct Place {
  int source = -1;
  std::size_t line = 0, column = 0;
  friend auto operator<=>(const Place&, const Place&) = default;
};

struct Mistake {
  Place place;
  std::string what;
  std::optional<std::string> unknown = {};  // as in lcsm::CodeError
};

class Mistakes {
 public:
  int add_source(std::string name, std::string_view text);  // a file or an argument of --set
  void note(Place place, std::string what, std::optional<std::string> unknown = {});
  void raise() const;  // throws ConfigError if there is any
  bool any() const { return !found_.empty(); }
  std::vector<Mistake> take();  // returns the mistakes and clears the list

  template <class Test>
  void drop_if(const Test& test) {
    std::erase_if(found_, test);
  }

  std::string text_of(Place place) const;  // "my.toml:3:7", "--set", "default"

 private:
  struct Source {
    std::string name, text;
  };
  std::vector<Source> sources_;
  std::vector<Mistake> found_;
};

// All mistakes, each with its place, the line and a caret.
class ConfigError : public std::invalid_argument {
 public:
  ConfigError(const std::string& what, std::size_t count)
      : std::invalid_argument(what), count_(count) {}
  std::size_t count() const { return count_; }

 private:
  std::size_t count_;
};

inline constexpr const char* kSetOption = "--set";

}  // namespace runner
