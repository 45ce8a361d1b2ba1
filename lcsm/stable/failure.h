// LibTorch's stable ABI tells a caller only that an operator failed. The message of an operator of
// ours is kept here until the caller takes it.
#pragma once

#include <exception>
#include <optional>
#include <string>

namespace lcsm {

void keep_failure(const std::exception& error);
std::optional<std::string> taken_failure();

// Runs `work`. Keeps the message of an exception and rethrows it; forgets an earlier message that
// nobody took.
template <class Work>
auto keeping_failure(const Work& work) {
  taken_failure();
  try {
    return work();
  } catch (const std::exception& error) {
    keep_failure(error);
    throw;
  }
}

}  // namespace lcsm
