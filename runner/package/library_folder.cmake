# Removes the folders of LibTorch on the build host from programs that run on another host.
# Called as cmake -P forget_folders.cmake PROGRAM...
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE 3 ${last})
  file(RPATH_REMOVE FILE "${CMAKE_ARGV${i}}")
endforeach()
