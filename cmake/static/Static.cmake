# One executable without any shared library, for releases: KUBECTL_GPU_STATIC=ON and, in CMAKE_PREFIX_PATH, the folder
# that scripts/static-deps filled. Include it after project() and before the first find_package().

# Static PIE: as free of dependencies as -static, and the kernel still places it at a random address.
add_compile_options(-fPIE -ffunction-sections -fdata-sections)
add_link_options(-static-pie -Wl,--gc-sections)

set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
set(OPENSSL_USE_STATIC_LIBS ON)
set(ZLIB_USE_STATIC_LIBS ON)

# CURL::libcurl with all that it needs. A later find_package(CURL) finds the same one.
find_package(CURL CONFIG QUIET)
if(CURL_FOUND)
  get_target_property(curl_type CURL::libcurl TYPE)
endif()
if(NOT curl_type STREQUAL "STATIC_LIBRARY")
  message(FATAL_ERROR "No static libcurl. Run scripts/static-deps PREFIX, then configure with -DCMAKE_PREFIX_PATH=PREFIX")
endif()

# Debian's own configuration of yaml-cpp names the shared library; it leaves a target alone that exists already.
find_library(YAML_CPP_ARCHIVE yaml-cpp REQUIRED)
find_path(YAML_CPP_HEADERS yaml-cpp/yaml.h REQUIRED)
mark_as_advanced(YAML_CPP_ARCHIVE YAML_CPP_HEADERS)
add_library(yaml-cpp STATIC IMPORTED)
set_target_properties(yaml-cpp PROPERTIES IMPORTED_LOCATION "${YAML_CPP_ARCHIVE}"
                                          INTERFACE_INCLUDE_DIRECTORIES "${YAML_CPP_HEADERS}")
