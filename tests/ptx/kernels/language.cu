// Ordinary code as nvcc compiles it: functions of the library, calls, switches, local arrays,
// arrays of the module.

__constant__ float table[4] = {1, 2, 3, 4};
__device__ unsigned calls;

__device__ __noinline__ float iterate(float x, int times) {
  for (int k = 0; k < times; ++k) x = x * x - 0.7f;
  atomicAdd(&calls, 1u);
  return x;
}

__device__ float chosen(float x, int which) {
  switch (which) {
    case 0:
      return expf(x);
    case 1:
      return logf(x);
    case 2:
      return tanhf(x);
    case 3:
      return sinf(x);
    case 4:
      return sqrtf(x);
    case 5:
      return 1 / (1 + __expf(-x));
    case 6:
      return log1pf(x);
    case 7:
      return powf(x, 1.7f);
    case 8:
      return erff(x);
    case 9:
      return cosf(1e6f * x);
    case 10:
      return rsqrtf(x);
    case 11:
      return fmodf(x, 0.3f);
    default:
      return x / 3;
  }
}

extern "C" __global__ void functions(const float* x, float* y, int count, int which) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < count) y[k] = chosen(x[k], which);
}

extern "C" __global__ void functions64(const double* x, double* y) {
  const double a = x[threadIdx.x];
  y[threadIdx.x] = exp(a) + log(a) / sqrt(a);
}

struct Rule {
  float scale;
  int order[8];
};

extern "C" __global__ void ordinary(const float* x, float* y, Rule rule) {
  float kept[8];
  const int t = threadIdx.x;
  for (int k = 0; k < 8; ++k) kept[rule.order[k]] = x[t] * k;
  y[t] = iterate(kept[t % 8] * rule.scale, t % 3) + table[t % 4];
}
