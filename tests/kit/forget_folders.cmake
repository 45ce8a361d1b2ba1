# Where LibTorch lay on the building machine means nothing on another.
# Called as cmake -P forget_folders.cmake PROGRAM...
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE 3 ${last})
  file(RPATH_REMOVE FILE "${CMAKE_ARGV${i}}")
endforeach()
