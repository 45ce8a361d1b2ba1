#include "runner/data/datasets/picture.h"

#include "runner/data/datasets/jpeg.h"
#include "runner/data/datasets/png.h"

namespace runner {

Picture read_picture(std::string_view bytes, std::uint64_t most, Colours colours) {
  return bytes.starts_with("\xff\xd8") ? read_jpeg(bytes, most, colours)
                                       : read_png(bytes, most, colours);
}

}  // namespace runner
