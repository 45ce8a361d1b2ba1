#include "lcsm/cuda/driver/nvrtc.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "lcsm/cuda/driver/kernel_headers.h"

namespace lcsm {
namespace {

// The part of nvrtc.h that is needed; handles and results are plain values there too.
using Handle = void*;
struct Library {
  std::string missing;
  int (*create)(Handle*, const char*, const char*, int, const char* const*, const char* const*);
  int (*compile)(Handle, int, const char* const*);
  int (*ptx_size)(Handle, std::size_t*);
  int (*ptx)(Handle, char*);
  int (*log_size)(Handle, std::size_t*);
  int (*log)(Handle, char*);
  int (*binary_size)(Handle, std::size_t*);
  int (*binary)(Handle, char*);
  int (*version)(int*, int*);
  int (*architecture_count)(int*);
  int (*architectures)(int*);
  int (*destroy)(Handle*);
};

// A library that the process has loaded already, such as the one of Python's torch, comes first:
// another one may be too new for the driver.
void* opened() {
  for (const char* loaded : {"libnvrtc.so.13", "libnvrtc.so.12"})
    if (void* library = dlopen(loaded, RTLD_NOW | RTLD_NOLOAD)) return library;
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
    find(opened_library, "nvrtcGetCUBINSize", all.binary_size, all.missing);
    find(opened_library, "nvrtcGetCUBIN", all.binary, all.missing);
    find(opened_library, "nvrtcVersion", all.version, all.missing);
    find(opened_library, "nvrtcGetNumSupportedArchs", all.architecture_count, all.missing);
    find(opened_library, "nvrtcGetSupportedArchs", all.architectures, all.missing);
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
  return text;
}

std::vector<std::string> options_of(const CudaSource& source) {
  std::vector<std::string> options = {"-arch=" + source.architecture, "-std=c++17",
                                      "-default-device"};  // lambdas are the device's, as by nvcc
  if (source.lines) options.push_back("-lineinfo");
  return options;
}

}  // namespace

std::string nvrtc_missing() { return library().missing; }

std::string nvrtc_architecture(int major, int minor) {
  const Library& all = library();
  if (!all.missing.empty()) throw std::runtime_error(all.missing);
  int count = 0;
  all.architecture_count(&count);
  std::vector<int> known(static_cast<std::size_t>(count));  // ascending: 75, 80, ..., 120
  all.architectures(known.data());
  const int own = 10 * major + minor;
  const auto above = std::upper_bound(known.begin(), known.end(), own);
  if (above == known.begin() || above[-1] == own) return "sm_" + std::to_string(own);
  return "compute_" + std::to_string(above[-1]);
}

std::string nvrtc_identity(const CudaSource& source) {
  const Library& all = library();
  if (!all.missing.empty()) throw std::runtime_error(all.missing);
  int major = 0, minor = 0;
  all.version(&major, &minor);
  std::string text = "nvrtc " + std::to_string(major) + "." + std::to_string(minor);
  for (const std::string& option : options_of(source)) text += " " + option;
  return text;
}

NvrtcResult compile_cuda(const CudaSource& source) {
  const Library& all = library();
  if (!all.missing.empty()) throw std::runtime_error(all.missing);
  std::vector<const char*> texts, names;
  for (const std::span<const KernelHeader> headers : {kernel_headers(), source.headers})
    for (const KernelHeader& header : headers) {
      names.push_back(header.path);
      texts.push_back(header.text);
    }
  Handle program = nullptr;
  if (all.create(&program, source.text.c_str(), source.name.c_str(), static_cast<int>(names.size()),
                 texts.data(), names.data()) != 0)
    throw std::runtime_error("nvrtcCreateProgram failed for " + source.name);
  const std::vector<std::string> options = options_of(source);
  std::vector<const char*> words;
  for (const std::string& option : options) words.push_back(option.c_str());
  const int error = all.compile(program, static_cast<int>(words.size()), words.data());
  NvrtcResult result;
  result.log = text_of(program, all.log_size, all.log);
  const bool binary = source.architecture.starts_with("sm_");
  if (error == 0)
    result.code = binary ? text_of(program, all.binary_size, all.binary)
                         : text_of(program, all.ptx_size, all.ptx);
  if (error == 0 && !binary) result.code.pop_back();  // the zero at the end
  if (!result.log.empty()) result.log.pop_back();
  all.destroy(&program);
  return result;
}

}  // namespace lcsm
