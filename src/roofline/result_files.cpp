// SPDX-License-Identifier: MIT
#include "roofline/result_files.h"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace hiplz::roofline {

namespace {

using Json = nlohmann::ordered_json;

Json levelJson(const Level &level) {
  Json json = {{"name", level.name}, {"source", level.source}};
  if (level.bytes) {
    json["bytes"] = level.bytes;
    json["instances"] = level.instances;
  }
  if (level.latency > 0)
    json["latency_ns"] = level.latency;
  if (level.bandwidth > 0)
    json["bandwidth_gb_s"] = level.bandwidth;
  return json;
}

Level levelOf(const Json &json) {
  Level level;
  level.name = json.at("name");
  level.source = json.at("source");
  level.bytes = json.value("bytes", uint64_t{0});
  level.instances = json.value("instances", 1u);
  level.latency = json.value("latency_ns", 0.0);
  level.bandwidth = json.value("bandwidth_gb_s", 0.0);
  return level;
}

Json sampleJson(const Sample &sample) {
  Json json = {{"section", sample.section}, {"kernel", sample.kernel}};
  if (!sample.type.empty())
    json["type"] = sample.type;
  const auto put = [&](const char *name, auto value) {
    if (value > 0)
      json[name] = value;
  };
  put("width", sample.width);
  put("chains", sample.chains);
  put("blocks", sample.blocks);
  put("threads", sample.threads);
  put("bytes", sample.bytes);
  put("stride", sample.stride);
  put("intensity", sample.intensity);
  json["value"] = sample.value;
  json["unit"] = sample.unit;
  json["median_s"] = sample.time.median;
  json["best_s"] = sample.time.best;
  json["spread"] = sample.time.spread;
  json["repetitions"] = sample.time.repetitions;
  if (sample.watts)
    json["watts"] = *sample.watts;
  if (sample.perJoule)
    json["giga_per_joule"] = *sample.perJoule;
  return json;
}

Sample sampleOf(const Json &json) {
  Sample sample;
  sample.section = json.at("section");
  sample.kernel = json.at("kernel");
  sample.type = json.value("type", "");
  sample.width = json.value("width", 0u);
  sample.chains = json.value("chains", 0u);
  sample.blocks = json.value("blocks", 0u);
  sample.threads = json.value("threads", 0u);
  sample.bytes = json.value("bytes", uint64_t{0});
  sample.stride = json.value("stride", uint64_t{0});
  sample.intensity = json.value("intensity", 0.0);
  sample.value = json.at("value");
  sample.unit = json.at("unit");
  sample.time = {json.at("median_s"), json.at("best_s"), json.at("spread"), json.at("repetitions")};
  if (json.contains("watts"))
    sample.watts = json.at("watts").get<double>();
  if (json.contains("giga_per_joule"))
    sample.perJoule = json.at("giga_per_joule").get<double>();
  return sample;
}

Json factsJson(const Facts &facts) {
  Json caches = Json::array();
  for (const Level &level : facts.systemCaches)
    caches.push_back(levelJson(level));
  return {{"name", facts.name},
          {"uuid", facts.uuid},
          {"kind", facts.kind},
          {"units", facts.units},
          {"lanes_per_unit", facts.lanesPerUnit},
          {"lanes_formula", facts.lanesFormula},
          {"clock_mhz", facts.megahertz},
          {"warp_size", facts.warpSize},
          {"threads_per_block", facts.maxThreads},
          {"threads_per_unit", facts.residentThreads},
          {"memory_bytes", facts.memory},
          {"cache_bytes", facts.cache},
          {"doubles", facts.doubles},
          {"system_caches", caches}};
}

Facts factsOf(const Json &json) {
  Facts facts;
  facts.name = json.at("name");
  facts.uuid = json.at("uuid");
  facts.kind = json.at("kind");
  facts.units = json.at("units");
  facts.lanesPerUnit = json.at("lanes_per_unit");
  facts.lanesFormula = json.at("lanes_formula");
  facts.megahertz = json.at("clock_mhz");
  facts.warpSize = json.at("warp_size");
  facts.maxThreads = json.at("threads_per_block");
  facts.residentThreads = json.at("threads_per_unit");
  facts.memory = json.at("memory_bytes");
  facts.cache = json.at("cache_bytes");
  facts.doubles = json.at("doubles");
  for (const Json &level : json.at("system_caches"))
    facts.systemCaches.push_back(levelOf(level));
  return facts;
}

} // namespace

std::string toJson(const Result &result) {
  Json json = {{"schema", kSchema},
               {"hiplz", result.version},
               {"date", result.date},
               {"mode", result.mode},
               {"seconds", result.seconds},
               {"drift", result.drift ? Json(*result.drift) : Json()},
               {"energy_source", result.energySource},
               {"device", factsJson(result.device)}};
  Json peaks = Json::array(), levels = Json::array(), samples = Json::array();
  for (const Peak &peak : result.peaks) {
    Json entry = {{"operation", peak.operation}, {"type", peak.type}, {"gop_s", peak.value}, {"sample", peak.sample}};
    if (peak.theoretical > 0) {
      entry["theoretical_gop_s"] = peak.theoretical;
      entry["share"] = peak.value / peak.theoretical;
      entry["formula"] = peak.formula;
    }
    peaks.push_back(entry);
  }
  json["peaks"] = peaks;
  if (result.reference) {
    json["reference"] = {{"code", result.referenceCode}, {"gop_s", *result.reference}};
    if (result.referenceShare)
      json["reference"]["share"] = *result.referenceShare;
  }
  for (const Level &level : result.levels)
    levels.push_back(levelJson(level));
  json["levels"] = levels;
  json["notes"] = result.notes;
  for (const Sample &sample : result.samples)
    samples.push_back(sampleJson(sample));
  json["samples"] = samples;
  return json.dump(1) + "\n";
}

Result fromJson(const std::string &text, const std::string &name) {
  try {
    const Json json = Json::parse(text);
    if (json.at("schema") != kSchema)
      throw FileError(name + ": schema " + json.at("schema").dump() + ", but this program reads " +
                      std::to_string(kSchema));
    Result result;
    result.version = json.at("hiplz");
    result.date = json.at("date");
    result.mode = json.at("mode");
    result.seconds = json.at("seconds");
    if (const Json &drift = json.at("drift"); !drift.is_null())
      result.drift = drift.get<double>();
    result.energySource = json.at("energy_source");
    result.device = factsOf(json.at("device"));
    for (const Json &sample : json.at("samples"))
      result.samples.push_back(sampleOf(sample));
    for (const Json &entry : json.at("peaks")) {
      Peak peak{entry.at("operation"),      entry.at("type"),  entry.at("gop_s"), entry.value("theoretical_gop_s", 0.0),
                entry.value("formula", ""), entry.at("sample")};
      if (peak.sample >= result.samples.size())
        throw FileError(name + ": a peak of sample " + std::to_string(peak.sample) + ", which is not there");
      result.peaks.push_back(peak);
    }
    if (json.contains("reference")) {
      const Json &reference = json.at("reference");
      result.referenceCode = reference.at("code");
      result.reference = reference.at("gop_s").get<double>();
      if (reference.contains("share"))
        result.referenceShare = reference.at("share").get<double>();
    }
    for (const Json &level : json.at("levels"))
      result.levels.push_back(levelOf(level));
    for (const Json &note : json.at("notes"))
      result.notes.push_back(note);
    return result;
  } catch (const nlohmann::json::exception &error) {
    throw FileError(name + ": not a result of hiplz-roofline: " + error.what());
  }
}

std::string toCsv(const Result &result) {
  std::ostringstream out;
  out << "section,kernel,type,width,chains,blocks,threads,bytes,stride,intensity,value,unit,median_s,best_s,spread,"
         "repetitions,"
         "watts,giga_per_joule\n";
  for (const Sample &s : result.samples) {
    // Names with a comma, as of atomics, are in quotes; none has any.
    out << s.section << ",\"" << s.kernel << "\"," << s.type << ',' << s.width << ',' << s.chains << ',' << s.blocks
        << ',' << s.threads << ',' << s.bytes << ',' << s.stride << ',' << s.intensity << ',' << s.value << ','
        << s.unit << ',' << s.time.median << ',' << s.time.best << ',' << s.time.spread << ',' << s.time.repetitions
        << ',';
    if (s.watts)
      out << *s.watts;
    out << ',';
    if (s.perJoule)
      out << *s.perJoule;
    out << '\n';
  }
  return out.str();
}

std::string readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file)
    throw FileError(path + ": cannot be read: " + std::strerror(errno));
  return text.str();
}

void writeFile(const std::string &path, const std::string &text) {
  // A device such as /dev/stdout is written to, a file replaced.
  const bool replaces = !std::filesystem::exists(path) || std::filesystem::is_regular_file(path);
  const std::string written = replaces ? path + "." + std::to_string(getpid()) : path;
  std::ofstream file(written, std::ios::binary);
  file << text;
  file.close();
  if (!file || (replaces && std::rename(written.c_str(), path.c_str()) != 0)) {
    const std::string why = std::strerror(errno);
    if (replaces)
      std::remove(written.c_str());
    throw FileError(path + ": cannot be written: " + why);
  }
}

std::string savedPath(const std::string &uuid) {
  const char *data = std::getenv("XDG_DATA_HOME"), *home = std::getenv("HOME");
  std::string folder;
  if (data && data[0] == '/')
    folder = data;
  else if (home && home[0] == '/')
    folder = std::string(home) + "/.local/share";
  else
    return {};
  return folder + "/hiplz/roofline/" + uuid + ".json";
}

std::optional<Result> loadSaved(const std::string &uuid, const std::string &name) {
  const std::string path = savedPath(uuid);
  if (path.empty())
    return std::nullopt;
  try {
    Result result = fromJson(readFile(path), path);
    return result.device.name == name ? std::optional(std::move(result)) : std::nullopt;
  } catch (const FileError &) {
    return std::nullopt;
  }
}

std::optional<Result> loadSavedOf(const std::string &name) {
  std::optional<Result> latest;
  std::error_code error;
  for (const auto &entry :
       std::filesystem::directory_iterator(std::filesystem::path(savedPath("none")).parent_path(), error))
    if (std::optional<Result> result = loadSaved(entry.path().stem().string(), name);
        result && (!latest || latest->date < result->date))
      latest = std::move(result);
  return latest;
}

} // namespace hiplz::roofline
