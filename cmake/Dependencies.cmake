# Every library that the project uses, found as Debian 12 installs it. Nothing is vendored.
if(KUBECTL_GPU_STATIC)
  include(static/Static)
endif()

find_package(CLI11 2.1 REQUIRED)
find_package(CURL 7.88 REQUIRED)
find_package(EXPAT 2.5 REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(OpenSSL 3 REQUIRED)
find_package(yaml-cpp 0.7 REQUIRED)
find_package(protozero 1.7 REQUIRED)
find_package(re2 REQUIRED)
find_package(Threads REQUIRED)
find_package(ZLIB 1.2 REQUIRED)
if(BUILD_TESTING)
  find_package(Catch2 2.13 REQUIRED)
endif()
# fmt's headers without what compiles all of it again in every file: lib/base/fmt_library.cpp is the library.
add_library(fmt_headers INTERFACE)
target_include_directories(fmt_headers SYSTEM INTERFACE
  $<TARGET_PROPERTY:fmt::fmt-header-only,INTERFACE_INCLUDE_DIRECTORIES>)
if(NOT TARGET yaml-cpp::yaml-cpp)
  add_library(yaml-cpp::yaml-cpp ALIAS yaml-cpp)  # 0.7 exports the bare name
endif()
