# cmake -DNPM= -DNODE= -DSOURCES= -DOUTPUT= -P bundle_charts.cmake: installs what the lock file names beside OUTPUT and
# bundles it. Never fails: without a registry OUTPUT is empty, and old, so that the next build tries again.
cmake_path(GET OUTPUT PARENT_PATH folder)
set(work ${folder}/npm)
file(MAKE_DIRECTORY ${work})
foreach(name package.json package-lock.json .npmrc charts.js)
  file(COPY_FILE ${SOURCES}/${name} ${work}/${name})
endforeach()
execute_process(
  COMMAND ${NPM} ci --ignore-scripts --prefer-offline --no-audit --no-fund --fetch-retries=1 --loglevel=error
  WORKING_DIRECTORY ${work} RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(NOT failed)
  execute_process(
    COMMAND ${NODE} ${work}/node_modules/esbuild/bin/esbuild charts.js --bundle --minify --format=iife --target=es2020
            --charset=ascii --legal-comments=none --log-level=warning --outfile=${OUTPUT}
    WORKING_DIRECTORY ${work} RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE said)
endif()
# The licences of the bundled packages must be part of the script: each text once, in a comment at the end.
if(NOT failed)
  file(GLOB licences ${work}/node_modules/*/LICEN[SC]E*)
  list(FILTER licences EXCLUDE REGEX "/esbuild/")
  foreach(licence ${licences})
    file(READ ${licence} said)
    cmake_path(GET licence PARENT_PATH package)
    cmake_path(GET package FILENAME package)
    string(SHA256 digest "${said}")
    string(REPLACE "*/" "* /" text_${digest} "${said}")
    list(APPEND packages_${digest} ${package})
    list(APPEND digests ${digest})
  endforeach()
  list(REMOVE_DUPLICATES digests)
  file(APPEND ${OUTPUT} "\n/*! This script contains the packages named here, each under the licence that follows.\n")
  foreach(digest ${digests})
    list(JOIN packages_${digest} ", " names)
    file(APPEND ${OUTPUT} "\n--- ${names}\n" "${text_${digest}}")
  endforeach()
  file(APPEND ${OUTPUT} "*/\n")
endif()
file(REMOVE_RECURSE ${work}/node_modules)  # 36 MB that nothing reads again
if(failed)
  message("warning: the chart library could not be bundled; the charts of reports will be still pictures\n${said}")
  file(WRITE ${OUTPUT} "")
  execute_process(COMMAND touch -d @0 ${OUTPUT})
endif()
