#include "lcsm/kernel/kernel_cache.h"

#include <cstdio>
#include <system_error>

#include "lcsm/files/read_file.h"
#include "lcsm/files/whole_file.h"
#include "lcsm/kernel/kernel_headers.h"

namespace lcsm {
namespace {

// Everything that decides the code. It ends with a zero, which no part of it contains.
std::string key_of(const CudaSource& source) {
  std::string key = nvrtc_identity(source) + "\n";
  for (const KernelHeader& header : kernel_headers()) key += header.text;
  return key + source.name + "\n" + source.text + '\0';
}

std::string hash_of(const std::string& key) {  // FNV-1a of 64 bits
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : key) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

// What is kept for a key: the key, the hash of the code, the code.
std::string kept_of(const std::string& key, const std::string& code) {
  return key + hash_of(code) + code;
}

}  // namespace

std::filesystem::path KernelCache::file_of(const CudaSource& source) const {
  return folder_ / (hash_of(key_of(source)) + ".kernel");
}

std::string KernelCache::code(const CudaSource& source, const std::string& gate) {
  const std::string key = key_of(source);
  const std::filesystem::path file = folder_ / (hash_of(key) + ".kernel");
  const std::size_t start = key.size() + 16;
  try {
    const std::string kept = read_file(file);
    if (kept.size() > start && kept == kept_of(key, kept.substr(start))) return kept.substr(start);
  } catch (const std::system_error&) {
  }
  const NvrtcResult result = compile_cuda(source);
  ++compiled_;
  if (result.code.empty())
    throw KernelError("the CUDA compiler refused the kernel of the gate " + gate + ":\n" +
                      result.log +
                      "\nreport this formula as a fault; run it with run.device = "
                      "\"cpu\" until then");
  try {
    std::filesystem::create_directories(folder_);
    write_whole(file, kept_of(key, result.code));
  } catch (const std::system_error&) {
  }
  return result.code;
}

}  // namespace lcsm
