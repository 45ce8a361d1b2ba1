#include "runner/data/datasets/jpeg.h"

#include <jpeglib.h>

#include <csetjmp>
#include <cstdio>
#include <stdexcept>

namespace runner {
namespace {

constexpr int kMostScans = 100;  // of a progressive picture; each costs the time of a whole one

// libjpeg calls back on a mistake and must not be returned to.
struct JpegErrors {
  jpeg_error_mgr manager;
  jpeg_progress_mgr progress;
  std::jmp_buf after;
  char message[JMSG_LENGTH_MAX];
};

[[noreturn]] void leave(j_common_ptr common) {
  auto* errors = static_cast<JpegErrors*>(common->client_data);
  common->err->format_message(common, errors->message);
  std::longjmp(errors->after, 1);
}

// A warning is damage that libjpeg would fill with gray.
void leave_on_warning(j_common_ptr common, int level) {
  if (level < 0) leave(common);
}

void count_scans(j_common_ptr common) {
  if (reinterpret_cast<j_decompress_ptr>(common)->input_scan_number <= kMostScans) return;
  auto* errors = static_cast<JpegErrors*>(common->client_data);
  std::snprintf(errors->message, sizeof errors->message, "more than %d scans", kMostScans);
  std::longjmp(errors->after, 1);
}

class JpegDecoder {
 public:
  JpegDecoder() {
    info_.err = jpeg_std_error(&errors_.manager);
    errors_.manager.error_exit = leave;
    errors_.manager.emit_message = leave_on_warning;
    errors_.progress.progress_monitor = count_scans;
    info_.client_data = &errors_;
  }
  ~JpegDecoder() { jpeg_destroy_decompress(&info_); }
  JpegDecoder(const JpegDecoder&) = delete;
  JpegDecoder& operator=(const JpegDecoder&) = delete;

  // Nothing with a destructor may live in the two functions that longjmp leaves.
  bool read_header(std::string_view bytes) {
    if (setjmp(errors_.after) != 0) return false;
    jpeg_create_decompress(&info_);
    info_.progress = &errors_.progress;
    jpeg_mem_src(&info_, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
    jpeg_read_header(&info_, TRUE);
    return true;
  }
  void show_as(Colours colours) {
    info_.out_color_space = colours == Colours::kGrey ? JCS_GRAYSCALE : JCS_RGB;
  }
  bool read_pixels(char* into, std::size_t row) {
    if (setjmp(errors_.after) != 0) return false;
    jpeg_start_decompress(&info_);
    while (info_.output_scanline < info_.output_height) {
      auto* line = reinterpret_cast<JSAMPROW>(into + info_.output_scanline * row);
      jpeg_read_scanlines(&info_, &line, 1);
    }
    jpeg_finish_decompress(&info_);
    return true;
  }

  std::uint32_t rows() const { return info_.image_height; }
  std::uint32_t columns() const { return info_.image_width; }
  const char* message() const { return errors_.message; }

 private:
  jpeg_decompress_struct info_{};
  JpegErrors errors_{};
};

}  // namespace

Picture read_jpeg(std::string_view bytes, std::uint64_t most, Colours colours) {
  JpegDecoder decoder;
  const auto refuse = [&] {
    throw std::runtime_error(std::string("a damaged JPEG picture: ") + decoder.message());
  };
  if (!decoder.read_header(bytes)) refuse();
  decoder.show_as(colours);
  Picture picture{decoder.rows(), decoder.columns(), {}};
  if (std::uint64_t{picture.rows} * picture.columns > most)
    throw std::runtime_error(std::to_string(picture.rows) + " x " +
                             std::to_string(picture.columns) + " pixels");
  const std::size_t row = std::size_t{picture.columns} * static_cast<std::uint32_t>(colours);
  picture.pixels.resize(picture.rows * row);
  if (!decoder.read_pixels(picture.pixels.data(), row)) refuse();
  return picture;
}

}  // namespace runner
