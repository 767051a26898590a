# SPDX-License-Identifier: MIT
# Substitutions of the vectoriser's tests. `%vectorize PASS` is the tool, which verifies what it prints; `%plugin` makes opt know the
# passes; `%machine_plugin` those on waves of machine code.
import os
import lit.formats

config.name = "vectorizer"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll", ".test"]
config.test_source_root = os.path.dirname(__file__)
# Each test is a lit of its own, and lits that share a folder damage the file in which they keep the times of tests.
config.test_exec_root = os.path.join(config.hiplz_test_build, "run", lit_config.params["test"])
config.environment["PATH"] = config.hiplz_llvm_bin + os.pathsep + os.environ["PATH"]
config.substitutions += [("%vectorize", config.hiplz_vectorize),
                         ("%plugin", f"-load-pass-plugin={config.hiplz_vectorizer_plugin}"), ("%machine_plugin", f"-load-pass-plugin={config.hiplz_amdgcn_plugin}"), ("%opt", f"{config.hiplz_llvm_bin}/opt -S"),
                         ("%instcombine", "instcombine<no-verify-fixpoint>" if config.hiplz_llvm_version >= 18 else "instcombine"),
                         ("%lli", f"{config.hiplz_llvm_bin}/lli"),
                         ("%check", f"{config.hiplz_llvm_bin}/FileCheck --dump-input=fail %s")]
