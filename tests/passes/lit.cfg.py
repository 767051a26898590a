# SPDX-License-Identifier: MIT
# Substitutions of the pass tests. opt loads the plug-in of the build and verifies the module after every pass.
import os
import lit.formats

config.name = "passes"
config.test_format = lit.formats.ShTest(execute_external=False)
config.excludes = ["Inputs"]
config.suffixes = [".ll", ".hip", ".test"]
config.test_source_root = os.path.dirname(__file__)
# Each test is a lit of its own, and lits that share a folder damage the file in which they keep the times of tests.
config.test_exec_root = os.path.join(config.hiplz_test_build, "run", lit_config.params["test"])
config.environment["PATH"] = config.hiplz_llvm_bin + os.pathsep + os.environ["PATH"]
# `%passes=a,b file` runs passes; `%clang` compiles HIP as a user does, without the device library and the HIP headers,
# so that a test depends on the passes alone.
stage = config.hiplz_stage
clang = (f"{config.hiplz_clangxx} -x hip --offload=spirv64 --hip-path={stage} -B{stage}/lib/hiplz/bin "
         f"-nogpuinc -nogpulib -I{config.test_source_root}/Inputs")
config.substitutions += [
    ("%passes", f"{config.hiplz_llvm_bin}/opt -S -verify-each "
                f"-load-pass-plugin={stage}/lib/libLLVMHipSpvPasses.so -passes"),
    ("%pipeline", f"{config.hiplz_llvm_bin}/opt -verify-each "
                  f"-load-pass-plugin={stage}/lib/libLLVMHipSpvPasses.so -passes=hip-post-link-passes"),
    ("%plugin", f"{stage}/lib/libLLVMHipSpvPasses.so"),
    ("%hipcc", f"{stage}/bin/hipcc"),
    ("%clangxx", config.hiplz_clangxx),
    ("%clang", clang),
    ("%link", f"{config.hiplz_clangxx} --hip-link -no-hip-rt --offload=spirv64 --hip-path={stage} "
              f"-B{stage}/lib/hiplz/bin -nogpulib -Wno-unused-command-line-argument"),
    ("%llvm_spirv", f"{stage}/lib/hiplz/bin/llvm-spirv --spirv-max-version=1.1 --spirv-ext=+all"),
    ("%unbundle", f"{config.hiplz_llvm_bin}/clang-offload-bundler -type=o -unbundle "
                  "-targets=hip-spirv64----generic"),
    ("%python", config.python),
    ("%lli", f"{config.hiplz_llvm_bin}/lli"),
]
# `REQUIRES: llvm-20` is for what LLVM has had from that version on.
config.available_features.update(f"llvm-{version}" for version in range(15, config.hiplz_llvm_version + 1))
# `FileCheck %s %typed`: what only one kind of pointers shows has the prefix TYPED or OPAQUE; the rest is written for typed ones.
typed = config.hiplz_llvm_version == 15
config.substitutions += [("%typed", f"--check-prefixes=CHECK,{'TYPED' if typed else 'OPAQUE'} --allow-unused-prefixes")]
if not typed:
    config.substitutions += [("\\bFileCheck\\b", f"{config.python} {config.test_source_root}/opaque_check.py FileCheck")]
