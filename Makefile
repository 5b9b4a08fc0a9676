# The project's commands. Each one works as the first on a fresh Debian 12 with Swift 6.3: it installs
# the packages it needs.
PREFIX ?= /usr/local
DESTDIR ?=
CACHECTL := .build/release/cachectl
DECODE := $(dir $(CACHECTL))cachectl-decode
RELEASE := swift build -c release --static-swift-stdlib
# Beside the commands: the library for other languages, which shows its own functions and nothing of Swift.
LIBRARY := $(dir $(CACHECTL))libcachectl-shared.so
ARCHIVE := $(dir $(CACHECTL))libcachectl.a

.PHONY: build demo test check bench soak docs install clean

build:
	scripts/install-packages build
	$(RELEASE) --product cachectl
	$(RELEASE) --product cachectl-decode
	$(RELEASE) --product cachectl-shared -Xlinker -soname=libcachectl.so.1 \
	  -Xlinker --version-script=Sources/CCachectl/exports.map
	$(RELEASE) --product cachectl-static
	scripts/bundle-archive $(dir $(ARCHIVE))libcachectl-static.a $(ARCHIVE)

# The main job on real images, from nothing: what the tool does and how it is typed.
demo: build
	scripts/install-packages demo
	scripts/demo $(CACHECTL)

# All tests, or those that FILTER names: make test FILTER=FaultShim
test: build
	scripts/install-packages test
	swift test --disable-xctest $(if $(FILTER),--filter $(FILTER))

# All that must hold before a change goes in.
check: test
	scripts/check-format
	scripts/check-documents $(CACHECTL)
	scripts/check-reference

# Every figure the project promises, beside its peers: make bench N=100000 takes about a minute.
N ?= 1000000
bench: build
	scripts/install-packages bench
	$(RELEASE) --product cachectl-bench
	Benchmarks/run --entries $(N) $(BENCH)

# Some minutes of writers, readers, gcs and kills at random: make soak SOAK=600 SEED=7
SOAK ?= 180
soak: build
	scripts/install-packages test
	SOAK_SECONDS=$(SOAK) SOAK_SEED=$(SEED) swift test --disable-xctest --filter SoakTests

# Renders man/ and completions/ from the command table.
docs: build
	$(CACHECTL) docs .

# Builds nothing that is there, so that `make && sudo make install` needs no Swift for root. The linker's
# cache is the running system's: it is renewed for what is installed there, and not below a DESTDIR.
share := $(DESTDIR)$(PREFIX)/share
install:
	test -x $(CACHECTL) -a -x $(DECODE) -a -f $(LIBRARY) -a -f $(ARCHIVE) || $(MAKE) build
	install -D -m 755 $(CACHECTL) $(DESTDIR)$(PREFIX)/bin/cachectl
	install -D -m 755 $(DECODE) $(DESTDIR)$(PREFIX)/libexec/cachectl/cachectl-decode
	install -D -m 644 Sources/CCachectl/include/cachectl.h $(DESTDIR)$(PREFIX)/include/cachectl.h
	install -D -m 644 $(LIBRARY) $(DESTDIR)$(PREFIX)/lib/libcachectl.so.1
	ln -sf libcachectl.so.1 $(DESTDIR)$(PREFIX)/lib/libcachectl.so
	install -m 644 $(ARCHIVE) $(DESTDIR)$(PREFIX)/lib/libcachectl.a
	$(if $(DESTDIR),,test "$$(id -u)" != 0 || /sbin/ldconfig)
	install -d $(share)/man/man1 $(share)/man/man5
	install -m 644 man/*.1 $(share)/man/man1
	install -m 644 man/*.5 $(share)/man/man5
	install -D -m 644 -t $(share)/cachectl/schema man/schema/*.json
	install -D -m 644 completions/cachectl.bash $(share)/bash-completion/completions/cachectl
	install -D -m 644 completions/_cachectl $(share)/zsh/site-functions/_cachectl
	install -D -m 644 completions/cachectl.fish $(share)/fish/vendor_completions.d/cachectl.fish

clean:
	rm -rf .build
