# Where LibTorch lay on the building machine means nothing on another.
file(GLOB programs ${KIT}/bin/*)
foreach(program ${programs})
  file(RPATH_REMOVE FILE ${program})
endforeach()
