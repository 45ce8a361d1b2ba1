// A socket that closes itself.
#pragma once

#include <unistd.h>

#include <utility>

namespace runner {

class Socket {
 public:
  Socket() = default;
  explicit Socket(int handle) : handle_(handle) {}
  Socket(Socket&& other) noexcept : handle_(std::exchange(other.handle_, -1)) {}
  Socket& operator=(Socket&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Socket() {
    if (handle_ >= 0) close(handle_);
  }

  int handle() const { return handle_; }

 private:
  int handle_ = -1;
};

}  // namespace runner
