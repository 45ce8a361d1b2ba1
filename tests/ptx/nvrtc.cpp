#include "tests/ptx/nvrtc.h"

#include <dlfcn.h>

#include <cstdlib>
#include <stdexcept>
#include <vector>

namespace ptx {
namespace {

// The part of nvrtc.h that is needed; handles and results are plain there too.
using Handle = void*;
struct Library {
  std::string missing;
  int (*create)(Handle*, const char*, const char*, int, const char* const*, const char* const*);
  int (*compile)(Handle, int, const char* const*);
  int (*ptx_size)(Handle, std::size_t*);
  int (*ptx)(Handle, char*);
  int (*log_size)(Handle, std::size_t*);
  int (*log)(Handle, char*);
  int (*destroy)(Handle*);
};

void* opened() {
  const char* home = std::getenv("CUDA_HOME");
  const std::string toolkit = home != nullptr ? home : "/usr/local/cuda";
  for (const std::string& path : {std::string("libnvrtc.so.13"), toolkit + "/lib64/libnvrtc.so.13",
                                  std::string("libnvrtc.so.12")})
    if (void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  return nullptr;
}

template <class F>
void find(void* library, const char* name, F& function, std::string& missing) {
  function = reinterpret_cast<F>(dlsym(library, name));
  if (function == nullptr) missing = std::string("libnvrtc has no ") + name;
}

const Library& library() {
  static const Library found = [] {
    Library all = {};
    void* opened_library = opened();
    if (opened_library == nullptr) {
      all.missing = "libnvrtc.so.13 was not found: install the CUDA 13 toolkit or set CUDA_HOME";
      return all;
    }
    find(opened_library, "nvrtcCreateProgram", all.create, all.missing);
    find(opened_library, "nvrtcCompileProgram", all.compile, all.missing);
    find(opened_library, "nvrtcGetPTXSize", all.ptx_size, all.missing);
    find(opened_library, "nvrtcGetPTX", all.ptx, all.missing);
    find(opened_library, "nvrtcGetProgramLogSize", all.log_size, all.missing);
    find(opened_library, "nvrtcGetProgramLog", all.log, all.missing);
    find(opened_library, "nvrtcDestroyProgram", all.destroy, all.missing);
    return all;
  }();
  return found;
}

std::string text_of(Handle program, int (*size)(Handle, std::size_t*), int (*get)(Handle, char*)) {
  std::size_t count = 0;
  if (size(program, &count) != 0 || count == 0) return "";
  std::string text(count, ' ');
  get(program, text.data());
  text.pop_back();  // the zero at the end
  return text;
}

}  // namespace

std::string nvrtc_missing() { return library().missing; }

NvrtcResult compile(const std::string& source, const std::string& name,
                    const std::string& architecture) {
  const Library& all = library();
  if (!all.missing.empty()) throw std::runtime_error(all.missing);
  Handle program = nullptr;
  if (all.create(&program, source.c_str(), name.c_str(), 0, nullptr, nullptr) != 0)
    throw std::runtime_error("nvrtcCreateProgram failed for " + name);
  const std::string arch = "-arch=" + architecture;
  const std::vector<const char*> options = {arch.c_str(), "-std=c++20", "-lineinfo"};
  const int error = all.compile(program, static_cast<int>(options.size()), options.data());
  NvrtcResult result;
  result.log = text_of(program, all.log_size, all.log);
  if (error == 0) result.ptx = text_of(program, all.ptx_size, all.ptx);
  all.destroy(&program);
  return result;
}

}  // namespace ptx
