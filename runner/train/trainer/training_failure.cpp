#include "runner/train/trainer/training_failure.h"

#include <c10/util/Exception.h>

#include <new>
#include <string_view>
#include <system_error>

#include "lcsm/cuda/driver/driver.h"
#include "lcsm/files/safetensors_error.h"
#include "runner/base/process/command.h"

namespace runner {
namespace {

using results::RunState;

bool is_out_of_room(const std::error_code& code) {
  for (const std::errc each : {std::errc::no_space_on_device, std::errc::file_too_large,
                               std::errc::io_error, std::errc::read_only_file_system})
    if (code == each) return true;
  return code == std::error_code(EDQUOT, std::generic_category());
}

// The CPU allocator throws a plain c10::Error.
bool is_out_of_memory(const c10::Error& error) {
  return dynamic_cast<const c10::OutOfMemoryError*>(&error) != nullptr ||
         std::string_view(error.what()).find("DefaultCPUAllocator") != std::string_view::npos;
}

}  // namespace

TrainingFailure current_failure() {
  try {
    throw;
  } catch (const RunFailure& error) {
    return {error.end(), error.what()};
  } catch (const std::bad_alloc&) {
    return {RunState::kOutOfMemory, "the host is out of memory"};
  } catch (const c10::Error& error) {
    const RunState end = is_out_of_memory(error) ? RunState::kOutOfMemory : RunState::kInternal;
    return {end, first_line(error.what_without_backtrace())};  // the rest is a stack trace
  } catch (const lcsm::CudaOutOfMemory& error) {
    return {RunState::kOutOfMemory, error.what()};
  } catch (const lcsm::SafeTensorsError& error) {
    return {RunState::kNoRoom, error.what()};
  } catch (const std::system_error& error) {
    if (is_out_of_room(error.code())) return {RunState::kNoRoom, error.what()};
    return {RunState::kInternal, error.what()};
  } catch (const std::exception& error) {
    return {RunState::kInternal, error.what()};
  }
}

}  // namespace runner
