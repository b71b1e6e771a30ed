# Debian 12's RE2 has no CMake config; later ones do, and need what it names (Abseil): re2::re2.
find_package(re2 CONFIG QUIET)
if(NOT TARGET re2::re2)
  find_path(re2_INCLUDE_DIR re2/re2.h)
  find_library(re2_LIBRARY re2)
endif()
include(FindPackageHandleStandardArgs)
if(TARGET re2::re2)
  find_package_handle_standard_args(re2 REQUIRED_VARS re2_DIR)
else()
  find_package_handle_standard_args(re2 REQUIRED_VARS re2_LIBRARY re2_INCLUDE_DIR)
endif()
if(re2_FOUND AND NOT TARGET re2::re2)
  find_package(Threads REQUIRED)
  add_library(re2::re2 UNKNOWN IMPORTED)
  set_target_properties(re2::re2 PROPERTIES IMPORTED_LOCATION "${re2_LIBRARY}"
                                            INTERFACE_INCLUDE_DIRECTORIES "${re2_INCLUDE_DIR}"
                                            INTERFACE_LINK_LIBRARIES Threads::Threads)
endif()
