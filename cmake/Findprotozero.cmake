# protozero is header-only and Debian's package has no CMake config: protozero::protozero.
find_path(protozero_INCLUDE_DIR protozero/pbf_reader.hpp)
if(protozero_INCLUDE_DIR)
  file(STRINGS ${protozero_INCLUDE_DIR}/protozero/version.hpp _line REGEX "PROTOZERO_VERSION_STRING")
  string(REGEX MATCH "[0-9.]+" protozero_VERSION "${_line}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(protozero REQUIRED_VARS protozero_INCLUDE_DIR
  VERSION_VAR protozero_VERSION)
if(protozero_FOUND AND NOT TARGET protozero::protozero)
  add_library(protozero::protozero INTERFACE IMPORTED)
  target_include_directories(protozero::protozero SYSTEM INTERFACE ${protozero_INCLUDE_DIR})
endif()
