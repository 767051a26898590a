// SPDX-License-Identifier: MIT
// Conditional nodes of graphs, which HIPLZ adds to HIP: graphs that run if, or as long as, a value says so. Kernels set the
// value; the host decides each time the graph gets to the node. docs/graphs.md has an example.
#ifndef HIPLZ_GRAPH_CONDITIONS_H
#define HIPLZ_GRAPH_CONDITIONS_H

#include <hip/spirv/user_macros_off.h>

#ifdef __HIPCC__
#include <hip/hip_runtime.h>
#else
#include <hip/hip_runtime_api.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// The type of conditional nodes, as hipGraphNodeGetType stores it.
#define hiplzGraphNodeTypeConditional ((hipGraphNodeType)15)

/// Stands for the value by which conditional nodes of a graph decide. Kernels set it with hiplzGraphSetConditional.
typedef unsigned long long hiplzGraphConditionalHandle;

/// Each launch of the graph begins by setting the value to its default.
#define hiplzGraphConditionalAssignDefault 1u

/// The meaning of the value.
typedef enum hiplzGraphConditionalType {
  hiplzGraphConditionalIf = 0, ///< the first body runs if the value is not 0; else the second one, if there are two
  hiplzGraphConditionalWhile,  ///< the only body runs as long as the value is not 0
  hiplzGraphConditionalSwitch  ///< the body with this number runs, if there is one
} hiplzGraphConditionalType;

/// A conditional node.
typedef struct hiplzConditionalNodeParams {
  hiplzGraphConditionalHandle handle;
  hiplzGraphConditionalType type;
  unsigned int size;       ///< number of bodies
  hipGraph_t *phGraph_out; ///< the bodies, stored by hiplzGraphAddConditionalNode
  hipCtx_t ctx;            ///< unused
} hiplzConditionalNodeParams;

/// Makes the value of conditional nodes of a graph. flags is 0 or hiplzGraphConditionalAssignDefault; without that, the value is
/// defaultValue until a kernel sets it. The value lives as long as the graph and its executable.
hipError_t hiplzGraphConditionalHandleCreate(hiplzGraphConditionalHandle *handle, hipGraph_t graph,
                                             unsigned int defaultValue, unsigned int flags);

/// Adds a conditional node and stores in nodeParams where its bodies are. They are empty graphs that belong to the node; fill them
/// before the graph is instantiated. hipErrorInvalidValue for a handle of another graph or a wrong number of bodies. A graph with
/// conditional nodes has one executable at a time, which cannot be updated, and cannot be cloned or become a child.
hipError_t hiplzGraphAddConditionalNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *dependencies,
                                        size_t numDependencies, hiplzConditionalNodeParams *nodeParams);

#ifdef __cplusplus
}

#ifdef __HIPCC__
/// Sets the value of conditional nodes that come after the kernel.
__device__ inline void hiplzGraphSetConditional(hiplzGraphConditionalHandle handle, unsigned int value) {
  __hip_atomic_store((unsigned int *)handle, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
}
#endif
#endif

#include <hip/spirv/user_macros_on.h>
#endif
