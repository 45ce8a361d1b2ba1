// LibTorch's stable ABI tells a caller only that an operator failed. The sentence of one of ours is
// kept here until the caller takes it.
#pragma once

#include <exception>
#include <optional>
#include <string>

namespace lcsm {

void keep_failure(const std::exception& error);
std::optional<std::string> taken_failure();

// Runs `work`. Keeps the sentence of an exception and throws it again; forgets an earlier sentence
// that nobody took.
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
