# SPDX-License-Identifier: MIT
# Run by CPack in each package's folder before it is closed: what belongs outside /opt/hiplz, which `cmake --install` has no
# business with. Licence, changelog, what lintian must know, and pkg-config files where pkg-config looks.
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # SOURCE_DATE_EPOCH sets it
file(READ ${CPACK_HIPLZ_SOURCE_DIR}/LICENSE licence)
string(REGEX MATCH "Copyright \\(c\\) ([^\n]*)" copyright "${licence}")
set(copyright "${CMAKE_MATCH_1}")
string(REGEX REPLACE "^.*Copyright[^\n]*\n+" "" licence "${licence}")
string(REGEX REPLACE "\n\n" "\n.\n" licence "${licence}")
string(REGEX REPLACE "\n$" "" licence "${licence}")
string(REPLACE "\n" "\n " licence "${licence}")
file(READ ${CMAKE_CURRENT_LIST_DIR}/compiled_in_licences others)

foreach(component ${CPACK_COMPONENTS_ALL})
  string(TOUPPER ${component} upper)
  set(name ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  set(root ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component})
  set(documents ${root}/usr/share/doc/${name})
  file(WRITE ${documents}/copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: HIPLZ

Files: *
Copyright: ${copyright}
License: Expat
 ${licence}
${others}")
  file(WRITE ${documents}/changelog "${CPACK_PACKAGE_NAME} (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * Release ${CPACK_PACKAGE_VERSION}.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
  execute_process(COMMAND gzip -9nf ${documents}/changelog COMMAND_ERROR_IS_FATAL ANY)
  # The tree has to be one prefix for clang, as HiplzDebian.cmake says.
  file(WRITE ${root}/usr/share/lintian/overrides/${name}
    "# A prefix of its own: clang searches the headers of a HIP prefix before the system's.\n${name}: dir-or-file-in-opt *\n")
  file(GLOB configurations ${root}${CPACK_PACKAGING_INSTALL_PREFIX}/lib/pkgconfig/*.pc)
  foreach(configuration ${configurations})
    cmake_path(GET configuration FILENAME file)
    file(READ ${configuration} text)
    string(REGEX REPLACE "#[^\n]*\nprefix=[^\n]*" "prefix=${CPACK_PACKAGING_INSTALL_PREFIX}" text "${text}")
    file(WRITE ${root}/usr/share/pkgconfig/${file} "${text}")
  endforeach()
endforeach()
