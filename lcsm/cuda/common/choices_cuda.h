// The choices of driver/choices.h that kernels are compiled with. A source defines a macro before
// it includes any header; 0 leaves the kernel's own number. Read by nvcc, NVRTC and C++.
#pragma once

#ifndef LCSM_WALK_FORWARD_BLOCKS
#define LCSM_WALK_FORWARD_BLOCKS 0
#endif
#ifndef LCSM_WALK_REVERSE_BLOCKS
#define LCSM_WALK_REVERSE_BLOCKS 0
#endif
#ifndef LCSM_WALK_BACK_BLOCKS
#define LCSM_WALK_BACK_BLOCKS 0
#endif
#ifndef LCSM_WALK_STAGES
#define LCSM_WALK_STAGES 0
#endif
#ifndef LCSM_SCAN_FORWARD_BLOCKS
#define LCSM_SCAN_FORWARD_BLOCKS 0
#endif
#ifndef LCSM_SCAN_BACKWARD_BLOCKS
#define LCSM_SCAN_BACKWARD_BLOCKS 0
#endif
#ifndef LCSM_CHANNELS_FORWARD_BLOCKS
#define LCSM_CHANNELS_FORWARD_BLOCKS 0
#endif
#ifndef LCSM_CHANNELS_BACKWARD_BLOCKS
#define LCSM_CHANNELS_BACKWARD_BLOCKS 0
#endif
#ifndef LCSM_CHANNELS_STEPS
#define LCSM_CHANNELS_STEPS 0
#endif

#ifdef __CUDACC__
#define LCSM_HOST_DEVICE __host__ __device__
#else
#define LCSM_HOST_DEVICE
#endif

namespace lcsm {

LCSM_HOST_DEVICE constexpr int chosen(int choice, int rule) { return choice > 0 ? choice : rule; }

}  // namespace lcsm
