// SPDX-License-Identifier: MIT
// Executable graphs.
#include "api/graph_handles.h"

#include <algorithm>
#include <cstring>

using namespace hiplz;

namespace {

// The flags of hipGraphInstantiateWithFlags; hipGraphInstantiateWithParams has two more. HIP allows one at a time.
bool isFlag(unsigned long long flags) {
  return flags == 0 || flags == hipGraphInstantiateFlagAutoFreeOnLaunch ||
         flags == hipGraphInstantiateFlagUseNodePriority;
}
bool isParamsFlag(unsigned long long flags) {
  return isFlag(flags) || flags == hipGraphInstantiateFlagUpload || flags == hipGraphInstantiateFlagDeviceLaunch;
}

// `culprit` receives the node that cannot be executed, or null.
LZGraphExec &instantiate(hipGraph_t graph, unsigned long long flags, bool known, const LZGraphNode *&culprit) {
  const LZGraph &source = graphFrom(graph);
  if (!known)
    throw HipError(hipErrorInvalidValue, "flags is not exactly one of the flags that this function accepts");
  if (flags & hipGraphInstantiateFlagDeviceLaunch)
    throw HipError(hipErrorNotSupported, "graphs cannot be launched by kernels");
  return LZGraphExec::create(source, flags, &culprit);
}

hipError_t instantiateInto(hipGraphExec_t *exec, hipGraph_t graph, unsigned long long flags) {
  if (!exec)
    return refuse(hipErrorInvalidValue, "the destination for the executable graph is null");
  const LZGraphNode *culprit = nullptr;
  *exec = toHandle(instantiate(graph, flags, isFlag(flags), culprit));
  return hipSuccess;
}

hipGraphInstantiateResult resultOf(const HipError &error, const LZGraphNode *culprit) {
  if (error.code() == hipErrorNotSupported)
    return culprit ? hipGraphInstantiateMultipleDevicesNotSupported : hipGraphInstantiateNodeOperationNotSupported;
  return hipGraphInstantiateError;
}

void storeText(char *buffer, size_t bytes, const char *text) {
  if (!buffer || bytes == 0)
    return;
  const size_t length = std::min(std::strlen(text), bytes - 1);
  std::memcpy(buffer, text, length);
  buffer[length] = 0;
}

} // namespace

extern "C" {

hipError_t hipGraphInstantiate(hipGraphExec_t *pGraphExec, hipGraph_t graph, hipGraphNode_t *pErrorNode,
                               char *pLogBuffer, size_t bufferSize) {
  return HIPLZ_API(hipGraphInstantiate, pGraphExec, graph, pErrorNode, static_cast<const void *>(pLogBuffer),
                   bufferSize)([&] {
    if (!pGraphExec)
      return refuse(hipErrorInvalidValue, "pGraphExec is null");
    const LZGraphNode *culprit = nullptr;
    try {
      *pGraphExec = toHandle(instantiate(graph, 0, true, culprit));
    } catch (const HipError &error) {
      if (pErrorNode)
        *pErrorNode = culprit ? toHandle(*culprit) : nullptr;
      storeText(pLogBuffer, bufferSize, error.what());
      throw;
    }
    if (pErrorNode)
      *pErrorNode = nullptr;
    storeText(pLogBuffer, bufferSize, "");
    return hipSuccess;
  });
}

hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t *pGraphExec, hipGraph_t graph, unsigned long long flags) {
  return HIPLZ_API(hipGraphInstantiateWithFlags, pGraphExec, graph,
                   flags)([&] { return instantiateInto(pGraphExec, graph, flags); });
}

hipError_t hipGraphInstantiateWithParams(hipGraphExec_t *pGraphExec, hipGraph_t graph,
                                         hipGraphInstantiateParams *instantiateParams) {
  return HIPLZ_API(hipGraphInstantiateWithParams, pGraphExec, graph, instantiateParams)([&] {
    HIPLZ_NOT_NULL(pGraphExec, instantiateParams);
    const LZGraphNode *culprit = nullptr;
    try {
      LZGraphExec &exec = instantiate(graph, instantiateParams->flags, isParamsFlag(instantiateParams->flags), culprit);
      *pGraphExec = toHandle(exec);
    } catch (const HipError &error) {
      instantiateParams->result_out = resultOf(error, culprit);
      instantiateParams->errNode_out = culprit ? toHandle(*culprit) : nullptr;
      throw;
    }
    instantiateParams->result_out = hipGraphInstantiateSuccess;
    instantiateParams->errNode_out = nullptr;
    // An executable graph is recorded when it is made, so there is nothing left to upload.
    if (instantiateParams->flags & hipGraphInstantiateFlagUpload)
      queueFrom(instantiateParams->uploadStream);
    return hipSuccess;
  });
}

hipError_t hipGraphExecGetFlags(hipGraphExec_t graphExec, unsigned long long *flags) {
  return HIPLZ_API(hipGraphExecGetFlags, graphExec, flags)([&] {
    const LZGraphExec &exec = execFrom(graphExec);
    if (!flags)
      return refuse(hipErrorInvalidValue, "flags is null");
    *flags = exec.flags();
    return hipSuccess;
  });
}

hipError_t hipGraphExecUpdate(hipGraphExec_t hGraphExec, hipGraph_t hGraph, hipGraphNode_t *hErrorNode_out,
                              hipGraphExecUpdateResult *updateResult_out) {
  return HIPLZ_API(hipGraphExecUpdate, hGraphExec, hGraph, hErrorNode_out, updateResult_out)([&] {
    LZGraphExec &exec = execFrom(hGraphExec);
    const LZGraph &graph = graphFrom(hGraph);
    HIPLZ_NOT_NULL(hErrorNode_out, updateResult_out);
    const LZGraphNode *culprit = nullptr;
    *updateResult_out = exec.update(graph, culprit);
    *hErrorNode_out = culprit ? toHandle(*culprit) : nullptr;
    return *updateResult_out == hipGraphExecUpdateSuccess
               ? hipSuccess
               : refuse(hipErrorGraphExecUpdateFailure, "the graphs differ; *updateResult_out says how");
  });
}

hipError_t hipGraphExecDestroy(hipGraphExec_t graphExec) {
  return HIPLZ_API(hipGraphExecDestroy, graphExec)([&] {
    return LZGraphExec::destroy(execFrom(graphExec))
               ? hipSuccess
               : refuse(hipErrorInvalidValue, "the executable graph does not exist, or it has been destroyed");
  });
}

hipError_t hipGraphUpload(hipGraphExec_t graphExec, hipStream_t stream) {
  return HIPLZ_API(hipGraphUpload, graphExec, stream)([&] {
    LZGraphExec &exec = execFrom(graphExec);
    queueFrom(stream);
    return exec.upload();
  });
}

hipError_t hipGraphLaunch(hipGraphExec_t graphExec, hipStream_t stream) {
  return HIPLZ_API(hipGraphLaunch, graphExec, stream)([&] {
    LZQueue &queue = queueFrom(stream);
    return execFrom(graphExec).launch(queue);
  });
}

hipError_t hipGraphLaunch_spt(hipGraphExec_t graphExec, hipStream_t stream) {
  return HIPLZ_API(hipGraphLaunch_spt, graphExec, stream)([&] {
    LZQueue &queue = queueFrom(stream, NullStream::perThread);
    return execFrom(graphExec).launch(queue);
  });
}

hipError_t hipGraphNodeSetEnabled(hipGraphExec_t hGraphExec, hipGraphNode_t hNode, unsigned int isEnabled) {
  return HIPLZ_API(hipGraphNodeSetEnabled, hGraphExec, hNode, isEnabled)([&] {
    LZGraphExec &exec = execFrom(hGraphExec);
    return exec.setEnabled(nodeFrom(hNode), isEnabled != 0);
  });
}

hipError_t hipGraphNodeGetEnabled(hipGraphExec_t hGraphExec, hipGraphNode_t hNode, unsigned int *isEnabled) {
  return HIPLZ_API(hipGraphNodeGetEnabled, hGraphExec, hNode, isEnabled)([&] {
    LZGraphExec &exec = execFrom(hGraphExec);
    const LZGraphNode &node = nodeFrom(hNode);
    if (!isEnabled)
      return refuse(hipErrorInvalidValue, "isEnabled is null");
    bool enabled = false;
    hipError_t error = exec.isEnabled(node, enabled);
    if (!error)
      *isEnabled = enabled;
    return error;
  });
}

} // extern "C"
