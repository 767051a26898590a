# SPDX-License-Identifier: MIT
"""Removes from LAMMPS' sources what its benchmarks lj, eam, chain and rhodo do not need, so that it compiles in a quarter of the time.

LAMMPS has no list of its styles: its CMake files take the headers that they find. What stays is the program itself, the styles in
ROOTS, and what these include, followed from file to file. The files that stay are not changed.
"""

import pathlib
import re
import sys

FOLDERS = ("", "KOKKOS", "MOLECULE", "MANYBODY", "KSPACE", "RIGID")
# A style that a benchmark names, or that LAMMPS makes by name in its own code, with its version for Kokkos.
ROOTS = """main lammps library atom_map
atom_vec_atomic atom_vec_bond atom_vec_full atom_vec_hybrid
pair_lj_cut pair_eam pair_lj_charmm_coul_long bond_fene bond_harmonic angle_charmm dihedral_charmm improper_harmonic pppm
fix_nve fix_nh fix_npt fix_langevin fix_shake compute_temp compute_pressure compute_pe region_block verlet min_cg
create_box create_atoms velocity read_data run
nbin_standard npair_bin npair_halffull npair_skip npair_copy npair_trim nstencil_bin
ntopo_angle_all ntopo_bond_all ntopo_dihedral_all ntopo_improper_all
ntopo_angle_partial ntopo_bond_partial ntopo_dihedral_partial ntopo_improper_partial
ntopo_angle_template ntopo_bond_template ntopo_dihedral_template ntopo_improper_template fmtlib_format fmtlib_os
kokkos atom_kokkos atom_map_kokkos atom_vec_kokkos comm_kokkos comm_tiled_kokkos min_kokkos min_linesearch_kokkos neighbor_kokkos
neigh_list_kokkos neigh_bond_kokkos fix_nh_kokkos nbin_kokkos npair_kokkos npair_halffull_kokkos domain_kokkos modify_kokkos
fft3d_kokkos grid3d_kokkos remap_kokkos""".split()


def main(source):
    folders = [source / folder for folder in FOLDERS]
    stems = {}
    for folder in folders:
        for path in folder.iterdir():
            if path.suffix in (".cpp", ".h"):
                stems.setdefault(path.name, path)
    kept = set()
    waiting = [name for root in ROOTS for name in (root, root + "_kokkos")]
    while waiting:
        stem = waiting.pop()
        for name in (stem + ".cpp", stem + ".h"):
            if name in kept or name not in stems:
                continue
            kept.add(name)
            text = stems[name].read_text(errors="replace")
            waiting += [pathlib.PurePath(header).stem for header in re.findall(r'^\s*#\s*include\s+"([^"]+\.h)"', text, re.M)]
    for name, path in stems.items():
        if name not in kept:
            path.unlink()
    print("kept %d of %d source files" % (len(kept), len(stems)))


main(pathlib.Path(sys.argv[1]))
