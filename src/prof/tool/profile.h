// SPDX-License-Identifier: MIT
// A run as hiplz-prof knows it: one process for each trace file, all times on the host's clock.
#pragma once
#include "base/trace_format.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace hiplz::prof {

struct Call {
  uint32_t thread;
  std::string_view function; // of the process's names
  uint64_t id, begin, end;
  int32_t result;
};

struct Command {
  trace::Command about;
  std::string_view kernel; // as the module calls it; empty if it is none
  uint32_t thread = 0;     // that submitted it
  bool executed = false;   // else it has no times
  uint64_t begin = 0, end = 0;
  std::string_view title; // of a kernel in the outputs, which have it if it is wanted: chooseKernels()
  bool wanted = true;
  uint64_t duration() const { return end - begin; }
};

struct Node {
  trace::Node about;
  std::string_view kernel;
  uint64_t begin, end;
  std::string_view title; // as of commands
  bool wanted = true;
};

struct Marker {
  uint32_t thread;
  trace::Marker about;
  std::string message;
};

struct Compilation {
  uint32_t thread;
  std::string_view kernel; // empty: a module
  uint64_t begin, end, bytes;
  std::string_view title; // of the kernel in the outputs
};

struct Device {
  trace::Device about;
  std::string name;
  std::string given; // by the application, or empty
  std::string title() const { return given.empty() ? name : given + " (" + name + ")"; }
};

struct KernelUse {
  std::string_view kernel;
  trace::Kernel about;
};

/// One process.
struct Process {
  std::string file;
  trace::Process about{};
  std::vector<std::string> arguments;
  bool ended = false;           // in good order
  uint64_t first = 0, last = 0; // all that is known of it lies between
  size_t damagedChunks = 0;

  std::unordered_map<uint32_t, std::string> names;
  std::set<std::string> titles; // of kernels in the outputs
  std::map<uint32_t, std::string> threads;
  std::map<uint32_t, Device> devices;
  std::map<uint64_t, trace::Stream> streams;
  std::map<uint64_t, std::string> streamNames; // that the application gave, by the id of the stream
  std::vector<Call> calls;                     // by begin
  std::vector<Command> commands;               // by id
  std::vector<Node> nodes;                     // by begin
  std::vector<trace::Memory> memory;           // by time
  std::vector<Compilation> compilations;       // by begin
  std::vector<KernelUse> kernels;
  std::vector<Marker> markers; // by time

  /// "saxpy (4711)" or "saxpy (4711, rank 3)".
  std::string title() const;
};

/// Reads a trace. Records behind a damaged place are lost, with the rest of their chunk. Throws std::runtime_error for a file
/// that is no trace or cannot be read.
Process readTrace(const std::string &path);

/// All traces of a folder, in the order of their beginnings. Those that cannot be read are told on standard error.
std::vector<Process> readTraces(const std::string &folder);

/// "kernel", "copy host to device", "fill": what a command is.
std::string commandTitle(const trace::CommandType &type, trace::Place from, trace::Place to);
/// Of a copy: "HtoD", "DtoH", "DtoD", "HtoH"; managed memory is the device's.
const char *copyDirection(trace::Place from, trace::Place to);

} // namespace hiplz::prof
