#include "lcsm/stable/extras.h"

#include "lcsm/stable/failure.h"

namespace at {
namespace {

thread_local Ambient ambient;

}  // namespace

int get_num_threads() {
  std::uint32_t threads = 1;
  TORCH_ERROR_CODE_CHECK(torch_get_num_threads(&threads));
  return static_cast<int>(threads);
}

void run_parallel(std::int64_t begin, std::int64_t end, std::int64_t grain,
                  void (*work)(std::int64_t, std::int64_t, void*), void* context) {
  if (torch_parallel_for(begin, end, grain, work, context) != AOTI_TORCH_SUCCESS)
    refuse_call("parallel_for");
}

AmbientGuard::AmbientGuard(Ambient now) : before_(std::exchange(ambient, now)) {}
AmbientGuard::~AmbientGuard() { ambient = before_; }
const Ambient& AmbientGuard::now() { return ambient; }

NoGradGuard::NoGradGuard() : before_(aoti_torch_grad_mode_is_enabled()) {
  aoti_torch_grad_mode_set_enabled(false);
}
NoGradGuard::~NoGradGuard() { aoti_torch_grad_mode_set_enabled(before_); }

}  // namespace at

namespace lcsm {
namespace {

thread_local std::optional<std::string> failure;

}  // namespace

void keep_failure(const std::exception& error) { failure = error.what(); }
std::optional<std::string> taken_failure() { return std::exchange(failure, std::nullopt); }

}  // namespace lcsm
