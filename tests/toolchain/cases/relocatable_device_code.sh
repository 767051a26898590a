# SPDX-License-Identifier: MIT
# -fgpu-rdc: kernels that call device functions of other files, in two steps, in one, and from a static library.
quiet "$hipcc" -fgpu-rdc -c "$programs/rdc_kernel.hip" "$programs/rdc_function.hip"
quiet "$hipcc" -c "$programs/parts_plain.c"
quiet "$hipcc" -fgpu-rdc rdc_kernel.o parts_plain.o rdc_function.o -o two_steps
runs ./two_steps
quiet "$hipcc" -fgpu-rdc "$programs/rdc_kernel.hip" "$programs/rdc_function.hip" -o one_step
runs ./one_step
quiet "$hipcc" -fgpu-rdc "$programs/rdc_kernel.hip" rdc_function.o parts_plain.o -o mixed
runs ./mixed

ar rcs libfunctions.a parts_plain.o rdc_function.o
quiet "$hipcc" -fgpu-rdc rdc_kernel.o -L. -lfunctions -o library
runs ./library
quiet "$hipcc" -fgpu-rdc libfunctions.a rdc_kernel.o -o library_first
runs ./library_first
ar rcsT libthin.a parts_plain.o rdc_function.o
quiet "$hipcc" -fgpu-rdc rdc_kernel.o ./libthin.a -o thin
runs ./thin
readelf -lW two_steps >segments
lacks segments 'GNU_STACK.* RWE'
