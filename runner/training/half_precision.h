// While one lives, LibTorch computes products in bfloat16 and keeps sums and norms in float32.
#pragma once

namespace runner {

class HalfPrecision {
 public:
  explicit HalfPrecision(bool wanted);
  ~HalfPrecision();
  HalfPrecision(const HalfPrecision&) = delete;
  HalfPrecision& operator=(const HalfPrecision&) = delete;

 private:
  bool wanted_;
};

}  // namespace runner
