#include <algorithm>

#include "lcsm/base/words.h"
#include "lcsm/files/safetensors_header.h"
#include "lcsm/files/whole_file.h"
#include "lcsm/tensors/safetensors.h"
#include "lcsm/tensors/safetensors_types.h"

namespace lcsm {
namespace {

[[noreturn]] void refuse_tensor(const std::string& path, const std::string& name,
                                const std::string& got) {
  throw SafeTensorsError("'" + path + "' was not written: expected a dense tensor of type " +
                         joined_of(kSafeTensorsTypes, &SafeTensorsType::name) + " as " +
                         shown_word(name) + ", got " + got + "; convert it");
}

SafeTensorsEntry entry_of(const std::string& path, const std::string& name,
                          const at::Tensor& tensor) {
  if (!tensor.defined()) refuse_tensor(path, name, "an undefined one");
  if (tensor.layout() != at::kStrided || tensor.is_meta())
    refuse_tensor(path, name, "one without dense storage");
  const auto row = std::find(kScalarTypes.begin(), kScalarTypes.end(), tensor.scalar_type());
  if (row == kScalarTypes.end()) refuse_tensor(path, name, c10::toString(tensor.scalar_type()));
  SafeTensorsEntry entry;
  entry.name = name;
  entry.type = static_cast<std::size_t>(row - kScalarTypes.begin());
  entry.shape = tensor.sizes().vec();
  entry.end = static_cast<std::uint64_t>(tensor.nbytes());
  return entry;
}

// Lays tensors out in the order of the data, which gives the offsets.
std::vector<SafeTensorsEntry> lay_out(const std::string& path, const SafeTensors& content) {
  std::vector<SafeTensorsEntry> entries;
  for (const auto& [name, tensor] : content.tensors)
    entries.push_back(entry_of(path, name, tensor));
  std::stable_sort(entries.begin(), entries.end(),
                   [](const SafeTensorsEntry& a, const SafeTensorsEntry& b) {
                     return kSafeTensorsTypes[a.type].bytes > kSafeTensorsTypes[b.type].bytes;
                   });
  std::uint64_t end = 0;
  for (SafeTensorsEntry& entry : entries) {
    entry.begin = end;
    end = entry.end += end;
  }
  return entries;
}

}  // namespace

void write_safetensors(const std::string& path, const SafeTensors& content) {
  const std::vector<SafeTensorsEntry> data = lay_out(path, content);
  SafeTensorsHeader header{data, content.metadata};
  std::sort(header.entries.begin(), header.entries.end(),
            [](const SafeTensorsEntry& a, const SafeTensorsEntry& b) { return a.name < b.name; });
  const std::string start = print_safetensors_header(path, header);
  try {
    WholeFile file(path);
    file.write(start.data(), start.size());
    for (const SafeTensorsEntry& entry : data) {
      const at::Tensor tensor =
          content.tensors.at(entry.name).detach().to(at::kCPU).resolve_neg().contiguous();
      file.write(tensor.const_data_ptr(), tensor.nbytes());
    }
    file.keep();
  } catch (const WriteError& error) {
    throw SafeTensorsError(error.what());
  }
}

}  // namespace lcsm
