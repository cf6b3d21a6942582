## What tells others where this is installed; README.md has the rest of this folder.

pkgconfigdir = $(libdir)/pkgconfig
nodist_pkgconfig_DATA = packaging/romio-autotune.pc

# A module's version is the name of its file.
modulesdir = $(pkgdatadir)/modulefiles
install-data-local:
	for module in romio-autotune mpich-autotune; do \
	    $(MKDIR_P) "$(DESTDIR)$(modulesdir)/$$module" && \
	    $(INSTALL_DATA) packaging/modulefiles/$$module "$(DESTDIR)$(modulesdir)/$$module/$(PACKAGE_VERSION)" || exit 1; \
	done
uninstall-local:
	for module in romio-autotune mpich-autotune; do \
	    rm -f "$(DESTDIR)$(modulesdir)/$$module/$(PACKAGE_VERSION)"; \
	done
