# SPDX-License-Identifier: MIT
# The stock compiler by itself, with the options that the documentation gives.
quiet "$clang" -x hip --offload=spirv64 --hip-path="$stage" -B"$stage/lib/hiplz/bin" -isystem "$stage/include" "$programs/square.hip" \
  -L"$stage/lib" -lhiplz -Wl,-rpath,"$stage/lib" $clang_link -o square
runs ./square
# Without optimisation, with debug information, with fast mathematics, and as every language from C++11 on.
for options in "-O0" "-g -O2" "-std=c++11" "-std=c++20" \
    "-O2 -ffast-math -std=gnu++17 -Xarch_device -U__FLOAT128__ -Xarch_device -U__SIZEOF_FLOAT128__" \
    "-g -Xarch_device -Wp,-debug-info-kind=line-tables-only"; do
  quiet "$clang" -x hip --offload=spirv64 --hip-path="$stage" -B"$stage/lib/hiplz/bin" -isystem "$stage/include" $options \
    -c "$programs/square.hip" -o square.o
done
quiet "$clang" square.o -L"$stage/lib" -lhiplz -Wl,-rpath,"$stage/lib" $clang_link -o square2
runs ./square2
quiet "$clang" -x hip --offload=spirv64 --hip-path="$stage" -B"$stage/lib/hiplz/bin" -isystem "$stage/include" -O3 \
  -Xarch_device -Wp,-no-enable-noundef-analysis "$programs/partly_set.hip" \
  -L"$stage/lib" -lhiplz -Wl,-rpath,"$stage/lib" $clang_link -o partly_set
runs ./partly_set
