// SPDX-License-Identifier: MIT
// The tables of the tools and system management parts of the API. The loader refuses a driver without them; this driver
// offers nothing of either, so that every entry of every table is the same function.
#include <algorithm>
#include <level_zero/zes_ddi.h>
#include <level_zero/zet_ddi.h>

namespace {

ze_result_t reportUnsupported() { return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE; }

/// The tables consist of function pointers alone. In the calling convention of x86-64 the caller removes its arguments, so
/// a function that looks at none may stand for one with any.
template <class Table> ze_result_t fill(ze_api_version_t version, Table *table) {
  if (!table)
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  if (ZE_MAJOR_VERSION(version) != ZE_MAJOR_VERSION(ZE_API_VERSION_1_4) || version < ZE_API_VERSION_1_4)
    return ZE_RESULT_ERROR_UNSUPPORTED_VERSION;
  using Entry = ze_result_t (*)();
  static_assert(sizeof(Table) % sizeof(Entry) == 0);
  std::fill_n(reinterpret_cast<Entry *>(table), sizeof(Table) / sizeof(Entry), reportUnsupported);
  return ZE_RESULT_SUCCESS;
}

} // namespace

extern "C" {

ZE_DLLEXPORT ze_result_t ZE_APICALL zetGetDeviceProcAddrTable(ze_api_version_t version, zet_device_dditable_t *table) {
  return fill(version, table);
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zetGetContextProcAddrTable(ze_api_version_t version,
                                                               zet_context_dditable_t *table) {
  return fill(version, table);
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zetGetCommandListProcAddrTable(ze_api_version_t version,
                                                                   zet_command_list_dditable_t *table) {
  return fill(version, table);
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zetGetModuleProcAddrTable(ze_api_version_t version, zet_module_dditable_t *table) {
  return fill(version, table);
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zetGetKernelProcAddrTable(ze_api_version_t version, zet_kernel_dditable_t *table) {
  return fill(version, table);
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zetGetMetricGroupProcAddrTable(ze_api_version_t version,
                                                                   zet_metric_group_dditable_t *table) {
  return fill(version, table);
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zetGetMetricGroupExpProcAddrTable(ze_api_version_t version,
                                                                      zet_metric_group_exp_dditable_t *table) {
  return fill(version, table);
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zetGetMetricProcAddrTable(ze_api_version_t version, zet_metric_dditable_t *table) {
  return fill(version, table);
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zetGetMetricStreamerProcAddrTable(ze_api_version_t version,
                                                                      zet_metric_streamer_dditable_t *table) {
  return fill(version, table);
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zetGetMetricQueryPoolProcAddrTable(ze_api_version_t version,
                                                                       zet_metric_query_pool_dditable_t *table) {
  return fill(version, table);
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zetGetMetricQueryProcAddrTable(ze_api_version_t version,
                                                                   zet_metric_query_dditable_t *table) {
  return fill(version, table);
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zetGetTracerExpProcAddrTable(ze_api_version_t version,
                                                                 zet_tracer_exp_dditable_t *table) {
  return fill(version, table);
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zetGetDebugProcAddrTable(ze_api_version_t version, zet_debug_dditable_t *table) {
  return fill(version, table);
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zesGetDriverProcAddrTable(ze_api_version_t version, zes_driver_dditable_t *table) {
  return fill(version, table);
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zesGetDeviceProcAddrTable(ze_api_version_t version, zes_device_dditable_t *table) {
  return fill(version, table);
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zesGetSchedulerProcAddrTable(ze_api_version_t version,
                                                                 zes_scheduler_dditable_t *table) {
  return fill(version, table);
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zesGetPerformanceFactorProcAddrTable(ze_api_version_t version,
                                                                         zes_performance_factor_dditable_t *table) {
  return fill(version, table);
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zesGetPowerProcAddrTable(ze_api_version_t version, zes_power_dditable_t *table) {
  return fill(version, table);
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zesGetFrequencyProcAddrTable(ze_api_version_t version,
                                                                 zes_frequency_dditable_t *table) {
  return fill(version, table);
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zesGetEngineProcAddrTable(ze_api_version_t version, zes_engine_dditable_t *table) {
  return fill(version, table);
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zesGetStandbyProcAddrTable(ze_api_version_t version,
                                                               zes_standby_dditable_t *table) {
  return fill(version, table);
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zesGetFirmwareProcAddrTable(ze_api_version_t version,
                                                                zes_firmware_dditable_t *table) {
  return fill(version, table);
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zesGetMemoryProcAddrTable(ze_api_version_t version, zes_memory_dditable_t *table) {
  return fill(version, table);
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zesGetFabricPortProcAddrTable(ze_api_version_t version,
                                                                  zes_fabric_port_dditable_t *table) {
  return fill(version, table);
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zesGetTemperatureProcAddrTable(ze_api_version_t version,
                                                                   zes_temperature_dditable_t *table) {
  return fill(version, table);
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zesGetPsuProcAddrTable(ze_api_version_t version, zes_psu_dditable_t *table) {
  return fill(version, table);
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zesGetFanProcAddrTable(ze_api_version_t version, zes_fan_dditable_t *table) {
  return fill(version, table);
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zesGetLedProcAddrTable(ze_api_version_t version, zes_led_dditable_t *table) {
  return fill(version, table);
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zesGetRasProcAddrTable(ze_api_version_t version, zes_ras_dditable_t *table) {
  return fill(version, table);
}

ZE_DLLEXPORT ze_result_t ZE_APICALL zesGetDiagnosticsProcAddrTable(ze_api_version_t version,
                                                                   zes_diagnostics_dditable_t *table) {
  return fill(version, table);
}

} // extern "C"
