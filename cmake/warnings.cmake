# Sanitizers go to everything, since a half-instrumented program reports nothing or too much. -fno-sanitize-recover
# makes undefined behaviour end a test instead of scrolling past.
if(CTREE_SANITIZE)
  add_compile_options(-fsanitize=${CTREE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${CTREE_SANITIZE})
endif()

function(ctree_warnings TARGET)
  if(MSVC)
    target_compile_options(${TARGET} PRIVATE /W4)
    if(CTREE_WARNINGS_AS_ERRORS)
      target_compile_options(${TARGET} PRIVATE /WX)
    endif()
    return()
  endif()
  target_compile_options(${TARGET} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>)
  if(CTREE_WARNINGS_AS_ERRORS)
    target_compile_options(${TARGET} PRIVATE -Werror)
  endif()
endfunction()
