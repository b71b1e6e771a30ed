# Every library that the project uses, found as Debian 12 installs it. Nothing is vendored.
if(KUBECTL_GPU_STATIC)
  include(static/Static)
endif()

find_package(CLI11 2.1 REQUIRED)
find_package(CURL 7.88 REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(OpenSSL 3 REQUIRED)
find_package(yaml-cpp 0.7 REQUIRED)
find_package(protozero 1.7 REQUIRED)
find_package(Threads REQUIRED)
if(BUILD_TESTING)
  find_package(Catch2 2.13 REQUIRED)
endif()
if(NOT TARGET yaml-cpp::yaml-cpp)
  add_library(yaml-cpp::yaml-cpp ALIAS yaml-cpp)  # 0.7 exports the bare name
endif()
