// SPDX-License-Identifier: MIT
// Linking of programs. Each that imports something is compiled once more, together with copies of all modules that it can reach
// through imports, whose variables stay their own. So it does not matter whether modules import from each other in a circle, and
// code that has been linked is as fast as code of one module.
#include "cpu/program/program.h"

#include <algorithm>
#include <map>

namespace hiplz::cpu {

class Program::Linking {
public:
  Linking(std::span<const std::shared_ptr<const Program>> programs, std::string &log)
      : programs_(programs), log_(log) {}

  bool run(std::vector<std::shared_ptr<const Program>> &linked) {
    for (const auto &program : programs_)
      nodes_[nodeOf(program->unit_)].object = program->shared_;
    for (const auto &program : programs_)
      if (program->linked_)
        adopt(*program);
    bool good = true;
    for (size_t i = 0; i < programs_.size(); ++i)
      good = (programs_[i]->linked_ || bind(i)) && good;
    std::vector<Made> made;
    for (size_t i = 0; good && i < programs_.size(); ++i)
      good = programs_[i]->linked_ || compile(i, made);
    for (Made &one : made) // all have their addresses now
      good = good && finish(one);
    if (!good)
      return false;
    linked.assign(programs_.size(), nullptr);
    for (Made &one : made)
      linked[one.node] = std::move(one.program);
    return true;
  }

private:
  /// A module that takes part. The first ones are the programs'.
  struct Node {
    std::shared_ptr<const ModuleUnit> unit;
    std::shared_ptr<const ElfObject> object;
    std::map<std::string, size_t> bindings; // nodes
  };

  struct Made {
    size_t node;
    std::unique_ptr<Program> program;
    std::vector<size_t> modules; // nodes, the program's own the first
  };

  bool fail(const std::string &line) {
    log_ += line + "\n";
    return false;
  }

  size_t nodeOf(const std::shared_ptr<const ModuleUnit> &unit) {
    const auto found = std::ranges::find(nodes_, unit, &Node::unit);
    const auto index = static_cast<size_t>(found - nodes_.begin());
    if (found == nodes_.end())
      nodes_.push_back({unit, nullptr, {}});
    return index;
  }

  // The programs that a program was linked with come with it.
  void adopt(const Program &program) {
    std::vector<size_t> nodes;
    for (const LinkedModule &module : program.modules_)
      nodes.push_back(nodeOf(module.unit));
    for (size_t i = 0; i < nodes.size(); ++i) {
      nodes_[nodes[i]].object = program.objects_[i];
      for (const LinkBinding &binding : program.modules_[i].bindings)
        nodes_[nodes[i]].bindings.try_emplace(binding.name, nodes[binding.exporter]);
    }
  }

  bool bind(size_t importer) {
    bool good = true;
    for (const LinkSymbol &symbol : nodes_[importer].unit->imports) {
      const LinkSymbol *exported = nullptr;
      size_t exporter = 0, count = 0;
      for (size_t i = 0; i < programs_.size(); ++i)
        for (const LinkSymbol &candidate : nodes_[i].unit->exports)
          if (i != importer && candidate.name == symbol.name) {
            exported = &candidate;
            exporter = i;
            ++count;
          }
      const char *kind = symbol.isFunction ? "function " : "variable ";
      if (count == 0)
        good = fail("link: unresolved: no module exports the " + (kind + symbol.name));
      else if (count > 1)
        good = fail("link: ambiguous: several modules export " + symbol.name);
      else if (exported->isFunction != symbol.isFunction)
        good = fail("link: " + symbol.name + " is a function in one module and a variable in another one");
      else if (nodes_[exporter].unit->parts.empty())
        good = fail("link: the module that exports " + symbol.name +
                    " was created from native code that was made without it in mind");
      else
        nodes_[importer].bindings[symbol.name] = exporter;
    }
    return good;
  }

  bool compile(size_t node, std::vector<Made> &made) {
    Made one{node, nullptr, {node}};
    LinkSet set;
    for (size_t i = 0; i < one.modules.size(); ++i) {
      const Node &module = nodes_[one.modules[i]];
      const auto parts = parseLinkSet(module.unit->parts);
      if (!parts)
        return fail("link: the source of a module is not there");
      for (LinkPart part : parts->parts) {
        part.module = static_cast<uint32_t>(i);
        set.parts.push_back(std::move(part));
      }
      for (const auto &[name, exporter] : module.bindings) {
        auto found = std::ranges::find(one.modules, exporter);
        if (found == one.modules.end())
          found = one.modules.insert(found, exporter);
        set.bindings.push_back({static_cast<uint32_t>(i), name, static_cast<uint32_t>(found - one.modules.begin())});
      }
    }
    one.program = fromLinkSet(set, programs_[node]->source_.buildFlags);
    one.program->unit_ = nodes_[node].unit;
    for (const size_t module : one.modules)
      one.program->modules_.push_back({nodes_[module].unit, {}});
    for (LinkBinding &binding : set.bindings)
      one.program->modules_[binding.importer].bindings.push_back(std::move(binding));
    std::string log;
    if (!one.program->compile(log))
      return fail(log);
    if (!one.program->linked_)
      return fail("link: something that is imported is not there");
    log_ += log;
    nodes_[node].object = one.program->shared_;
    made.push_back(std::move(one));
    return true;
  }

  bool finish(Made &one) {
    for (const size_t module : one.modules)
      one.program->objects_.push_back(nodes_[module].object);
    std::string why;
    return one.program->linkShared(why) || fail("link: " + why);
  }

  std::span<const std::shared_ptr<const Program>> programs_;
  std::string &log_;
  std::vector<Node> nodes_;
};

bool Program::link(std::span<const std::shared_ptr<const Program>> programs,
                   std::vector<std::shared_ptr<const Program>> &linked, std::string &log) {
  return Linking(programs, log).run(linked);
}

} // namespace hiplz::cpu
