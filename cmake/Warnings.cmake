# What every target of ours is compiled with.
add_library(gpu_options INTERFACE)
target_compile_options(gpu_options INTERFACE -Wall -Wextra -Wpedantic -Werror -Wshadow
  -Wno-missing-field-initializers)  # members have defaults, and designated initializers rely on them
# False alarms of GCC 12 when it optimizes: on "a" + string (bug 105651) and on std::optional (80635).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(gpu_options INTERFACE -Wno-restrict -Wno-maybe-uninitialized)
endif()
target_compile_definitions(gpu_options INTERFACE KUBECTL_GPU_VERSION="${PROJECT_VERSION}")
if(KUBECTL_GPU_SANITIZE)
  target_compile_options(gpu_options INTERFACE -fsanitize=address,undefined
    -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(gpu_options INTERFACE -fsanitize=address,undefined)
  # GCC writes millions of addresses for what the sanitizers say. At a fixed place they need no
  # relocation, and a program starts in half the time: the tests start hundreds.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_link_options(gpu_options INTERFACE -no-pie)
  endif()
endif()
# Archives that only name their objects: those of a build for tests hold gigabytes of debug info.
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND CMAKE_AR MATCHES "ar[^/]*$")
  set(CMAKE_CXX_ARCHIVE_CREATE "<CMAKE_AR> qcT <TARGET> <LINK_FLAGS> <OBJECTS>")
  set(CMAKE_CXX_ARCHIVE_APPEND "<CMAKE_AR> qT <TARGET> <LINK_FLAGS> <OBJECTS>")
endif()
if(KUBECTL_GPU_COVERAGE)
  target_compile_options(gpu_options INTERFACE --coverage)
  target_link_options(gpu_options INTERFACE --coverage)
endif()
if(KUBECTL_GPU_FUZZ)
  target_compile_options(gpu_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
