# gpu_room(PATH NEEDS room... [LIBRARIES target...] [SEPARATE] [DOORS header...]): one room of the house, lib/PATH or cmd/PATH,
# as the library gpu_PATH ("/" becomes "_"), of all .cpp files in that folder.
#
#   NEEDS      the rooms that it may include from, all of them lower
#   LIBRARIES  what else it sees of the outside world
#   SEPARATE   each file is compiled by itself: they use the same names for what is their own
#   DOORS      its headers that other rooms may include; the others are its own business
#
# CMake links by this table, and tests/lint/layout.py holds every #include against it.
function(gpu_in_few_units target)
  # Headers and templates that several files share are compiled once for all of these: half the time of a build.
  if(KUBECTL_GPU_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  endif()
endfunction()

function(gpu_room path)
  cmake_parse_arguments(PARSE_ARGV 1 room "SEPARATE" "" "NEEDS;LIBRARIES;DOORS")
  string(REPLACE "/" "_" name ${path})
  set(folder ${PROJECT_SOURCE_DIR}/lib/${path})
  if(path MATCHES "^cmd")
    set(folder ${PROJECT_SOURCE_DIR}/${path})
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  list(TRANSFORM room_NEEDS REPLACE "/" "_")
  list(TRANSFORM room_NEEDS PREPEND gpu_)
  add_library(gpu_${name} STATIC ${sources})
  target_include_directories(gpu_${name} PUBLIC ${PROJECT_SOURCE_DIR}/lib)
  target_link_libraries(gpu_${name} PUBLIC gpu_options ${room_NEEDS} ${room_LIBRARIES})
  if(NOT room_SEPARATE)
    gpu_in_few_units(gpu_${name})
  endif()
  # gpu_FLOOR is all rooms of a floor.
  if(path MATCHES "^([^/]+)/")
    set(floor gpu_${CMAKE_MATCH_1})
    if(NOT TARGET ${floor})
      add_library(${floor} INTERFACE)
    endif()
    target_link_libraries(${floor} INTERFACE gpu_${name})
  endif()
endfunction()
