# Makes programs and libraries look for their libraries in lib/ beside their own folder, and nowhere
# in the folders of the build host. Called as cmake -P library_folder.cmake FILE...
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE 3 ${last})
  file(RPATH_SET FILE "${CMAKE_ARGV${i}}" NEW_RPATH "$ORIGIN/../lib")
endforeach()
