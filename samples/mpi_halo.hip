// SPDX-License-Identifier: MIT
// MPI: a heated plate whose rows are divided among the ranks. In each step the rows at the borders are computed first; while MPI
// exchanges them with the neighbours, the device computes the interior in a second stream. MPI gets device pointers, which any MPI
// accepts on the CPU device. For a GPU without a GPU-aware MPI, `--staged` passes the rows through page-locked host memory.
//   OMPI_CXX=hipcc mpicxx -O3 mpi_halo.hip -o mpi_halo && mpirun -n 4 ./mpi_halo
#include "common.h"

#define OMPI_SKIP_MPICXX // MPI's C++ interface is gone since MPI 3
#include <mpi.h>

#include <algorithm>
#include <cstring>

constexpr int kWidth = 1024, kHeight = 1000, kSteps = 100;

// Rows [first, first + gridDim.y) of the next step. Sums of floats and a product with a power of two: the host gets the same bits.
__global__ void relax(float *next, const float *now, int first) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  const size_t i = size_t(first + blockIdx.y) * kWidth + x;
  if (x < kWidth - 1)
    next[i] = 0.25f * ((now[i - kWidth] + now[i + kWidth]) + (now[i - 1] + now[i + 1]));
}

void launchRelax(float *next, const float *now, int first, int rows, hipStream_t stream) {
  constexpr unsigned kBlock = 256;
  if (rows > 0)
    relax<<<dim3((kWidth + kBlock - 1) / kBlock, unsigned(rows)), kBlock, 0, stream>>>(next, now, first);
  HIP_CHECK(hipGetLastError());
}

// The plate at the beginning: hot at the top, cold elsewhere. Its outermost rows and columns keep their temperature.
std::vector<float> plate(int firstRow, int rows) {
  std::vector<float> cells(size_t(rows) * kWidth, 0.0f);
  if (firstRow == 0)
    std::fill_n(cells.begin(), kWidth, 100.0f);
  return cells;
}

std::vector<float> serialResult() {
  std::vector<float> now = plate(0, kHeight), next = now;
  for (int step = 0; step < kSteps; ++step, std::swap(now, next))
    for (size_t y = 1; y < kHeight - 1; ++y)
      for (size_t i = y * kWidth + 1; i < (y + 1) * kWidth - 1; ++i)
        next[i] = 0.25f * ((now[i - kWidth] + now[i + kWidth]) + (now[i - 1] + now[i + 1]));
  return now;
}

// Exchanges the outermost rows of a part with the neighbours, which put them into the rows around their own parts.
class Halo {
public:
  Halo(int rank, int ranks, bool staged)
      : above_(rank > 0 ? rank - 1 : MPI_PROC_NULL), below_(rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL) {
    if (staged)
      HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&host_), 4 * kBytes, hipHostMallocDefault));
  }
  ~Halo() {
    if (host_)
      (void)hipHostFree(host_);
  }
  Halo(const Halo &) = delete;
  Halo &operator=(const Halo &) = delete;

  // `cells`: a part of `rows` rows and one more row on either side. All work of `stream` is done when it returns.
  void exchange(float *cells, int rows, hipStream_t stream) {
    float *const end = cells + size_t(rows) * kWidth; // the last own row
    float *first = cells + kWidth, *last = end, *fromAbove = cells, *fromBelow = end + kWidth;
    if (host_) {
      first = host_, last = host_ + kWidth, fromAbove = host_ + 2 * kWidth, fromBelow = host_ + 3 * kWidth;
      HIP_CHECK(hipMemcpyAsync(first, cells + kWidth, kBytes, hipMemcpyDeviceToHost, stream));
      HIP_CHECK(hipMemcpyAsync(last, end, kBytes, hipMemcpyDeviceToHost, stream));
    }
    HIP_CHECK(hipStreamSynchronize(stream)); // MPI knows nothing of streams
    MPI_Request requests[4];
    MPI_Irecv(fromAbove, kWidth, MPI_FLOAT, above_, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(fromBelow, kWidth, MPI_FLOAT, below_, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(first, kWidth, MPI_FLOAT, above_, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(last, kWidth, MPI_FLOAT, below_, 0, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    if (host_ && above_ != MPI_PROC_NULL)
      HIP_CHECK(hipMemcpyAsync(cells, fromAbove, kBytes, hipMemcpyHostToDevice, stream));
    if (host_ && below_ != MPI_PROC_NULL)
      HIP_CHECK(hipMemcpyAsync(end + kWidth, fromBelow, kBytes, hipMemcpyHostToDevice, stream));
    if (host_)
      HIP_CHECK(hipStreamSynchronize(stream));
  }

private:
  static constexpr size_t kBytes = kWidth * sizeof(float);
  const int above_, below_;
  float *host_ = nullptr; // two rows to send and two to receive
};

// The ranks of a machine share its devices.
int chooseDevice() {
  MPI_Comm machine;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  int localRank = 0, devices = 0;
  MPI_Comm_rank(machine, &localRank);
  MPI_Comm_free(&machine);
  HIP_CHECK(hipGetDeviceCount(&devices));
  HIP_CHECK(hipSetDevice(localRank % devices));
  return localRank % devices;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const bool staged = argc > 1 && std::strcmp(argv[1], "--staged") == 0;
  hipDeviceProp_t properties;
  const int device = chooseDevice();
  HIP_CHECK(hipGetDeviceProperties(&properties, device));
  std::printf("rank %d of %d: device %d, %d compute units\n", rank, ranks, device, properties.multiProcessorCount);

  // The rows that change belong to the ranks; each has a row of its neighbour, or of the plate's border, on either side.
  std::vector<int> counts(ranks), offsets(ranks);
  for (int r = 0, row = 1; r < ranks; row += counts[r++] / kWidth) {
    offsets[r] = row * kWidth;
    counts[r] = ((kHeight - 2) / ranks + (r < (kHeight - 2) % ranks)) * kWidth;
  }
  const int rows = counts[rank] / kWidth;
  const std::vector<float> begin = plate(offsets[rank] / kWidth - 1, rows + 2);
  sample::DeviceArray<float> first(begin), second(begin);
  float *now = first.get(), *next = second.get();

  hipStream_t border, interior;
  HIP_CHECK(hipStreamCreateWithFlags(&border, hipStreamNonBlocking));
  HIP_CHECK(hipStreamCreateWithFlags(&interior, hipStreamNonBlocking));
  Halo halo(rank, ranks, staged);
  launchRelax(next, now, 1, rows, interior); // compiles the kernel, before the time is taken
  HIP_CHECK(hipStreamSynchronize(interior));
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int step = 0; step < kSteps; ++step, std::swap(now, next)) {
    launchRelax(next, now, 1, 1, border);
    if (rows > 1)
      launchRelax(next, now, rows, 1, border);
    launchRelax(next, now, 2, rows - 2, interior);
    halo.exchange(next, rows, border);
    HIP_CHECK(hipStreamSynchronize(interior));
  }
  const double seconds = MPI_Wtime() - start;

  // The parts together, compared with what one processor computes. A collective takes device pointers, too.
  std::vector<float> whole, host;
  if (rank == 0)
    whole = plate(0, kHeight);
  const float *own = now + kWidth;
  if (staged) {
    host.resize(counts[rank]);
    HIP_CHECK(hipMemcpy(host.data(), own, host.size() * sizeof(float), hipMemcpyDeviceToHost));
    own = host.data();
  }
  MPI_Gatherv(own, counts[rank], MPI_FLOAT, whole.data(), counts.data(), offsets.data(), MPI_FLOAT, 0, MPI_COMM_WORLD);
  int code = 0;
  if (rank == 0)
    code = sample::report("mpi_halo", whole == serialResult(), seconds * 1e6 / kSteps, "us/step");
  MPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD);
  HIP_CHECK(hipStreamDestroy(border));
  HIP_CHECK(hipStreamDestroy(interior));
  MPI_Finalize();
  return code;
}
