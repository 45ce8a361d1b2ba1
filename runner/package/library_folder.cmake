# Makes programs and libraries look for their libraries in lib/ beside their own folder, and nowhere
# in the folders of the build host. Called as cmake -P library_folder.cmake FILE...
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE 3 ${last})
  set(rpath "")
  set(runpath "")
  file(READ_ELF "${CMAKE_ARGV${i}}" RPATH rpath RUNPATH runpath CAPTURE_ERROR error)
  if(rpath OR runpath)
    file(RPATH_SET FILE "${CMAKE_ARGV${i}}" NEW_RPATH "$ORIGIN/../lib")
  endif()
endforeach()
