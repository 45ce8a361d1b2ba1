#include "lcsm/cuda/driver/kernel_cache.h"

#include <system_error>

#include "lcsm/base/name_hash.h"
#include "lcsm/cuda/driver/kernel_headers.h"
#include "lcsm/files/read_file.h"
#include "lcsm/files/whole_file.h"

namespace lcsm {
namespace {

// Everything that decides the code, terminated by a zero, which no part contains.
std::string key_of(const CudaSource& source) {
  std::string key = nvrtc_identity(source) + "\n";
  for (const std::span<const KernelHeader> headers : {kernel_headers(), source.headers})
    for (const KernelHeader& header : headers) key += header.text;
  return key + source.name + "\n" + source.text + '\0';
}

// The content of a cache file: the key, the hash of the code, the code.
std::string kept_of(const std::string& key, const std::string& code) {
  return key + name_hash(code) + code;
}

}  // namespace

std::filesystem::path KernelCache::file_of(const CudaSource& source) const {
  return folder_ / (name_hash(key_of(source)) + ".kernel");
}

std::string KernelCache::code(const CudaSource& source, const std::string& what) {
  const std::string key = key_of(source);
  const std::filesystem::path file = folder_ / (name_hash(key) + ".kernel");
  const std::size_t start = key.size() + 16;
  try {
    const std::string kept = read_file(file);
    if (kept.size() > start && kept == kept_of(key, kept.substr(start))) return kept.substr(start);
  } catch (const std::system_error&) {
  }
  const NvrtcResult result = compile_cuda(source);
  ++compiled_;
  if (result.code.empty())
    throw KernelError("the CUDA compiler rejected the kernels of " + what + ":\n" + result.log +
                      "\nplease report this bug; until it is fixed, run it on the CPU");
  try {
    std::filesystem::create_directories(folder_);
    write_whole(file, kept_of(key, result.code));
  } catch (const std::system_error&) {
  }
  return result.code;
}

}  // namespace lcsm
