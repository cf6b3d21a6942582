## What tells others where this is installed; README.md has the rest of this folder.

pkgconfigdir = $(libdir)/pkgconfig
nodist_pkgconfig_DATA = packaging/romio-autotune.pc

# A module's version is the name of its file.
modulesdir = $(pkgdatadir)/modulefiles
install-data-local: install-documents
	for module in romio-autotune mpich-autotune; do \
	    $(MKDIR_P) "$(DESTDIR)$(modulesdir)/$$module" && \
	    $(INSTALL_DATA) packaging/modulefiles/$$module "$(DESTDIR)$(modulesdir)/$$module/$(PACKAGE_VERSION)" || exit 1; \
	done
uninstall-local: uninstall-documents
	$(top_srcdir)/tools/mpich/uninstall --libdir $(libdir) --destdir "$(DESTDIR)"
	for module in romio-autotune mpich-autotune; do \
	    rm -f "$(DESTDIR)$(modulesdir)/$$module/$(PACKAGE_VERSION)"; \
	done

# The guide and what it leads to, where the links of README.md find them.
documents = `cd $(top_srcdir) && tools/manifest | grep -E '/.*\.md$$|^doc/.*\.svg$$'`
install-documents:
	for document in $(documents); do \
	    $(MKDIR_P) "$(DESTDIR)$(docdir)/$${document%/*}" && \
	    $(INSTALL_DATA) "$(top_srcdir)/$$document" "$(DESTDIR)$(docdir)/$$document" || exit 1; \
	done
uninstall-documents:
	for document in $(documents); do rm -f "$(DESTDIR)$(docdir)/$$document"; done
.PHONY: install-documents uninstall-documents
