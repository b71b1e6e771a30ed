# Packages for people who do not use krew: cpack in the build folder makes a .tar.gz and a .deb.
# With KUBECTL_GPU_STATIC the .deb depends on nothing.

# Completions, where each shell looks for those of packages.
install(FILES ${PROJECT_SOURCE_DIR}/completions/kubectl-gpu.bash
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME kubectl-gpu)
install(FILES ${PROJECT_SOURCE_DIR}/completions/kubectl-gpu.zsh
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions RENAME _kubectl-gpu)
install(FILES ${PROJECT_SOURCE_DIR}/completions/kubectl-gpu.fish
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

set(CPACK_GENERATOR TGZ DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PACKAGE_VENDOR kubectl-gpu)
set(CPACK_PACKAGE_CONTACT "kubectl-gpu maintainers <maintainers@kubectl-gpu.invalid>")
set(CPACK_PACKAGE_HOMEPAGE_URL https://github.com/kubectl-gpu/kubectl-gpu)
set(CPACK_PACKAGE_DESCRIPTION "A kubectl plugin that shows GPUs, explains pending pods, prices what is held
and checks the GPU stack. It only reads the cluster.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
if(NOT KUBECTL_GPU_STATIC)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()
include(CPack)
