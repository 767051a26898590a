// SPDX-License-Identifier: MIT
// Launches that a structure describes, their attributes, and the attributes of streams: the additions of HIP 7.
#include "api/api_scope.h"
#include "api/clusters.h"
#include "api/device_properties.h"
#include "api/launch_checks.h"
#include "api/lost_errors.h"
#include "lz/module/registry.h"

namespace hiplz {

void checkAccessPolicy(const hipAccessPolicyWindow &window, LZDevice &device) {
  const auto require = [](bool holds, const char *otherwise) {
    if (!holds)
      throw HipError(hipErrorInvalidValue, otherwise);
  };
  require(window.hitRatio >= 0 && window.hitRatio <= 1, "the hit ratio of an access policy is not between 0 and 1");
  require(window.missProp != hipAccessPropertyPersisting,
          "the missProp of an access policy is hipAccessPropertyPersisting");
  require(window.num_bytes == 0 || window.hitRatio != 0, "the hit ratio of an access policy is 0, but its size is not");
  require(window.num_bytes <= static_cast<size_t>(hipProperties(device).accessPolicyMaxWindowSize),
          "an access policy is for more bytes than hipDeviceAttributeAccessPolicyMaxWindowSize");
}

} // namespace hiplz

using namespace hiplz;

namespace {

/// True if the attributes make the launch cooperative. The others change speed, never results, and no driver of Level Zero
/// takes them. Throws HipError{hipErrorInvalidValue}.
bool readAttributes(const hipLaunchAttribute *attributes, unsigned count, LZDevice &device) {
  if (count != 0 && !attributes)
    throw HipError(hipErrorInvalidValue, "attrs is null");
  bool cooperative = false;
  for (unsigned index = 0; index < count; ++index) {
    const hipLaunchAttributeValue &value = attributes[index].val;
    switch (attributes[index].id) {
    case hipLaunchAttributeIgnore:
    case hipLaunchAttributePriority:
    case hipLaunchAttributeMemSyncDomainMap:
    case hipLaunchAttributeMemSyncDomain:
    case hipLaunchAttributeClusterSchedulingPolicyPreference: break;
    case hipLaunchAttributeClusterDimension: checkCluster(value); break;
    case hipLaunchAttributeAccessPolicyWindow: checkAccessPolicy(value.accessPolicyWindow, device); break;
    case hipLaunchAttributeCooperative: cooperative = value.cooperative != 0; break;
    default: throw HipError(hipErrorInvalidValue, "attrs has something that is no attribute of a launch");
    }
  }
  return cooperative;
}

/// The queue whose attributes are asked for. Throws HipError{hipErrorInvalidHandle} for a stream that does not exist.
LZQueue &attributeQueueFrom(hipStream_t stream) {
  return anyQueueFrom(stream, NullStream::legacy, hipErrorInvalidHandle);
}

hipError_t getAttribute(hipStream_t stream, hipLaunchAttributeID id, hipLaunchAttributeValue *value) {
  HIPLZ_NOT_NULL(value);
  LZQueue &queue = attributeQueueFrom(stream);
  const StreamAttributes attributes = queue.attributes();
  switch (id) {
  case hipLaunchAttributeAccessPolicyWindow: value->accessPolicyWindow = attributes.accessPolicy; break;
  case hipLaunchAttributeSynchronizationPolicy:
    value->syncPolicy = static_cast<hipSynchronizationPolicy>(attributes.synchronizationPolicy);
    break;
  case hipLaunchAttributePriority: value->priority = queue.priority(); break;
  case hipLaunchAttributeMemSyncDomainMap:
    value->memSyncDomainMap = {attributes.memoryDomains[0], attributes.memoryDomains[1]};
    break;
  case hipLaunchAttributeMemSyncDomain:
    value->memSyncDomain = static_cast<hipLaunchMemSyncDomain>(attributes.memoryDomain);
    break;
  default: return refuse(hipErrorInvalidValue, "attr is not an attribute of a stream");
  }
  return hipSuccess;
}

hipError_t setAttribute(hipStream_t stream, hipLaunchAttributeID id, const hipLaunchAttributeValue *value) {
  HIPLZ_NOT_NULL(value);
  LZQueue &queue = attributeQueueFrom(stream);
  if (queue.captured())
    return refuse(hipErrorStreamCaptureUnsupported, "the attributes of a stream cannot be set while it is captured");
  StreamAttributes attributes = queue.attributes();
  switch (id) {
  case hipLaunchAttributeAccessPolicyWindow:
    checkAccessPolicy(value->accessPolicyWindow, queue.device());
    attributes.accessPolicy = value->accessPolicyWindow;
    break;
  case hipLaunchAttributeSynchronizationPolicy:
    if (value->syncPolicy < hipSyncPolicyAuto || value->syncPolicy > hipSyncPolicyBlockingSync)
      return refuse(hipErrorInvalidValue, "the value is not one of hipSynchronizationPolicy");
    attributes.synchronizationPolicy = value->syncPolicy;
    break;
  case hipLaunchAttributePriority:
    return value->priority == queue.priority()
               ? hipSuccess
               : refuse(hipErrorNotSupported, "the priority of a stream is fixed when it is created");
  case hipLaunchAttributeMemSyncDomainMap:
    attributes.memoryDomains[0] = value->memSyncDomainMap.default_;
    attributes.memoryDomains[1] = value->memSyncDomainMap.remote;
    break;
  case hipLaunchAttributeMemSyncDomain:
    if (static_cast<unsigned>(value->memSyncDomain) > hipLaunchMemSyncDomainRemote)
      return refuse(hipErrorInvalidValue, "the value is not one of hipLaunchMemSyncDomain");
    attributes.memoryDomain = value->memSyncDomain;
    break;
  default: return refuse(hipErrorInvalidValue, "attr is not an attribute of a stream");
  }
  queue.setAttributes(attributes);
  return hipSuccess;
}

} // namespace

extern "C" {

hipError_t hipLaunchKernelExC(const hipLaunchConfig_t *config, const void *fPtr, void **args) {
  return HIPLZ_API(hipLaunchKernelExC, config, fPtr, args)([&] {
    if (!fPtr)
      return refuse(hipErrorInvalidDeviceFunction, "fPtr is null");
    if (!config)
      return refuse(hipErrorInvalidConfiguration, "config is null");
    return notingFailure(fPtr, [&] {
      LZQueue &queue = launchQueueFrom(config->stream);
      const LaunchShape shape = shapeOf(config->gridDim, config->blockDim, config->dynamicSmemBytes);
      if (!readAttributes(config->attrs, config->numAttrs, queue.device()))
        return launchFunction(fPtr, shape, {args}, queue);
      return launchCooperatively(LZRegistry::instance().kernelFor(fPtr), shape, {args}, queue, kCooperativeErrors);
    });
  });
}

hipError_t hipDrvLaunchKernelEx(const HIP_LAUNCH_CONFIG *config, hipFunction_t f, void **params, void **extra) {
  return HIPLZ_API(hipDrvLaunchKernelEx, config, f, params, extra)([&] {
    HIPLZ_NOT_NULL(config);
    LZQueue &queue = moduleQueueFrom(config->hStream);
    const LaunchShape shape =
        shapeOf({config->gridDimX, config->gridDimY, config->gridDimZ},
                {config->blockDimX, config->blockDimY, config->blockDimZ}, config->sharedMemBytes);
    if (!readAttributes(config->attrs, config->numAttrs, queue.device()))
      return launchHandle(f, shape, queue, params, extra, kConfigurationErrors);
    LaunchArguments arguments;
    if (hipError_t error = parseArguments(params, extra, arguments))
      return error;
    return launchCooperatively(LZRegistry::instance().kernelOf(f), shape, arguments, queue,
                               {kConfigurationErrors, hipErrorInvalidValue});
  });
}

hipError_t hipStreamGetAttribute(hipStream_t stream, hipLaunchAttributeID attr, hipLaunchAttributeValue *value_out) {
  return HIPLZ_API(hipStreamGetAttribute, stream, attr,
                   value_out)([&] { return getAttribute(stream, attr, value_out); });
}

hipError_t hipStreamSetAttribute(hipStream_t stream, hipLaunchAttributeID attr, const hipLaunchAttributeValue *value) {
  return HIPLZ_API(hipStreamSetAttribute, stream, attr, value)([&] { return setAttribute(stream, attr, value); });
}

hipError_t hipStreamCopyAttributes(hipStream_t dst, hipStream_t src) {
  return HIPLZ_API(hipStreamCopyAttributes, dst, src)([&] {
    LZQueue &to = attributeQueueFrom(dst), &from = attributeQueueFrom(src);
    if (&to.device() != &from.device())
      return refuse(hipErrorInvalidValue, "the streams belong to different devices");
    to.setAttributes(from.attributes());
    return hipSuccess;
  });
}

hipError_t hipStreamGetId(hipStream_t stream, unsigned long long *streamId) {
  return HIPLZ_API(hipStreamGetId, stream, streamId)([&] {
    HIPLZ_NOT_NULL(streamId);
    *streamId = anyQueueFrom(stream).id();
    return hipSuccess;
  });
}

} // extern "C"
