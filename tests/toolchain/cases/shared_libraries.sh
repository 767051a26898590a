# SPDX-License-Identifier: MIT
# Shared libraries with kernels of the same names, linked and opened while the program runs.
for factor in 1 2; do
  quiet "$hipcc" -fPIC -shared -DFACTOR=$factor "$programs/plugin.hip" -o libplugin$factor.so
done
quiet "$hipcc" -x c++ "$programs/plugin_main.cpp" -o plugins
runs ./plugins ./libplugin1.so ./libplugin2.so
# A program that was not linked with libhiplz: the libraries bring it.
"$clang" "$programs/plugin_main.cpp" $clang_link -o host_only
readelf -dW host_only >needed
lacks needed hiplz
runs ./host_only ./libplugin1.so ./libplugin2.so

quiet "$hipcc" -fPIC -shared "$programs/parts_library.hip" -o libparts.so
quiet "$hipcc" "$programs/parts_main.hip" "$programs/parts_plain.c" -L. -lparts -Wl,-rpath,"$PWD" -o linked
runs ./linked
