// Constraints on one or two integers of a configuration.
#pragma once

#include <cstdint>
#include <string_view>

namespace runner {

struct NumberRule {
  std::string_view key, beside;  // "task.vocab", "task.length"; beside may be empty
  bool (*holds)(std::int64_t value, std::int64_t beside);
  std::string_view expected;  // of `key`; {} is replaced by "task.length = 64"
};

}  // namespace runner
