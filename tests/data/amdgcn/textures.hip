// SPDX-License-Identifier: MIT
// Kernels that read and write images with the instructions for it, for device.machine_textures; compiled by make.sh for gfx1030. As in AMD's
// headers, a texture object is an address: the image's descriptor is there, and the sampler's 48 bytes behind.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

typedef float Colour __attribute__((ext_vector_type(4)));
typedef float Pair __attribute__((ext_vector_type(2)));
typedef float Triple __attribute__((ext_vector_type(3)));
typedef unsigned Image __attribute__((ext_vector_type(8)));
typedef unsigned Four __attribute__((ext_vector_type(4)));

// The last three operands: coordinates are not normalised (which the sampler says), failures, caches.
extern "C" {
__device__ Colour sampleLz1D(int mask, float x, Image, Four, bool, int,
                             int) __asm("llvm.amdgcn.image.sample.lz.1d.v4f32.f32");
__device__ Colour sampleLz2D(int mask, float x, float y, Image, Four, bool, int,
                             int) __asm("llvm.amdgcn.image.sample.lz.2d.v4f32.f32");
__device__ Colour sampleLz3D(int mask, float x, float y, float z, Image, Four, bool, int,
                             int) __asm("llvm.amdgcn.image.sample.lz.3d.v4f32.f32");
__device__ Colour sampleLzLayer(int mask, float x, float y, float layer, Image, Four, bool, int,
                                int) __asm("llvm.amdgcn.image.sample.lz.2darray.v4f32.f32");
__device__ Colour sampleLzCube(int mask, float x, float y, float face, Image, Four, bool, int,
                               int) __asm("llvm.amdgcn.image.sample.lz.cube.v4f32.f32");
__device__ Colour sampleL2D(int mask, float x, float y, float level, Image, Four, bool, int,
                            int) __asm("llvm.amdgcn.image.sample.l.2d.v4f32.f32");
__device__ Colour sampleD2D(int mask, float dxx, float dxy, float dyx, float dyy, float x, float y, Image, Four, bool,
                            int, int) __asm("llvm.amdgcn.image.sample.d.2d.v4f32.f32.f32");
__device__ Colour gather2D(int mask, float x, float y, Image, Four, bool, int,
                           int) __asm("llvm.amdgcn.image.gather4.lz.2d.v4f32.f32");
__device__ Colour load2D(int mask, int x, int y, Image, int, int) __asm("llvm.amdgcn.image.load.2d.v4f32.i32");
__device__ Colour loadMip2D(int mask, int x, int y, int level, Image, int,
                            int) __asm("llvm.amdgcn.image.load.mip.2d.v4f32.i32");
__device__ void store2D(Colour, int mask, int x, int y, Image, int, int) __asm("llvm.amdgcn.image.store.2d.v4f32.i32");
__device__ Colour fetch(Four, int index, int, int, int) __asm("llvm.amdgcn.struct.buffer.load.format.v4f32");
__device__ Triple fetchXyz(Four, int index, int, int, int) __asm("llvm.amdgcn.struct.buffer.load.format.v3f32");
__device__ Pair fetchXy(Four, int index, int, int, int) __asm("llvm.amdgcn.struct.buffer.load.format.v2f32");
__device__ float fetchX(Four, int index, int, int, int) __asm("llvm.amdgcn.struct.buffer.load.format.f32");
}

__device__ unsigned self() { return __builtin_amdgcn_workgroup_id_x() * 256 + __builtin_amdgcn_workitem_id_x(); }
#define IMAGE *(const __attribute__((address_space(4))) Image *)texture
#define SAMPLER *(const __attribute__((address_space(4))) Four *)(texture + 48)

// One kernel for all, so that there is one to translate. `which` are the numbers of machine_textures.hip.
extern "C" __global__ void access(unsigned long texture, const Colour *places, Colour *out, int which) {
  const Colour at = places[self()];
  Colour c = {};
  switch (which) {
  case 0: { // sample1D
    c = sampleLz1D(15, at.x, IMAGE, SAMPLER, false, 0, 0);
    break;
  }
  case 1: { // sample2D
    c = sampleLz2D(15, at.x, at.y, IMAGE, SAMPLER, false, 0, 0);
    break;
  }
  case 2: { // sample3D
    c = sampleLz3D(15, at.x, at.y, at.z, IMAGE, SAMPLER, false, 0, 0);
    break;
  }
  case 3: { // sampleLayer
    c = sampleLzLayer(15, at.x, at.y, at.z, IMAGE, SAMPLER, false, 0, 0);
    break;
  }
  case 4: { // sampleCube
    const float m = __builtin_fabsf(__builtin_amdgcn_cubema(at.x, at.y, at.z));
    c = sampleLzCube(15, __builtin_amdgcn_cubesc(at.x, at.y, at.z) / m + 1.5f,
                     __builtin_amdgcn_cubetc(at.x, at.y, at.z) / m + 1.5f, __builtin_amdgcn_cubeid(at.x, at.y, at.z),
                     IMAGE, SAMPLER, false, 0, 0);
    break;
  }
  case 5: { // sampleLevel
    c = sampleL2D(15, at.x, at.y, at.w, IMAGE, SAMPLER, false, 0, 0);
    break;
  }
  case 6: { // sampleGradient
    c = sampleD2D(15, at.z, at.w, at.w, at.z, at.x, at.y, IMAGE, SAMPLER, false, 0, 0);
    break;
  }
  case 7: { // gather
    c = gather2D(2, at.x, at.y, IMAGE, SAMPLER, false, 0, 0);
    break;
  }
  case 8: { // sampleSome
    const Colour two = sampleLz2D(10, at.x, at.y, IMAGE, SAMPLER, false, 0, 0);
    c = Colour{two.x, two.y, 0, 0};
    break;
  }
  case 9: { // load
    c = load2D(15, static_cast<int>(at.x), static_cast<int>(at.y), IMAGE, 0, 0);
    break;
  }
  case 10: { // loadLevel
    c = loadMip2D(15, static_cast<int>(at.x), static_cast<int>(at.y), static_cast<int>(at.w), IMAGE, 0, 0);
    break;
  }
  case 11: { // fetchLinear
    c = fetch(*(const __attribute__((address_space(4))) Four *)texture, static_cast<int>(at.x), 0, 0, 0);
    break;
  }
  case 12: { // store
    store2D(at, 15, static_cast<int>(self() % 80) - 8, static_cast<int>(self() / 80) - 2, IMAGE, 0, 0);
    break;
  }
  case 13: { // fetchParts
    const Four buffer = *(const __attribute__((address_space(4))) Four *)texture;
    const int index = static_cast<int>(at.x);
    c.x = fetchX(buffer, index, 0, 0, 0);
    c.y = fetchXy(buffer, index, 0, 0, 0).y;
    c.z = fetchXyz(buffer, index, 0, 0, 0).z;
    break;
  }
  default: break;
  }
  out[self()] = c;
}
