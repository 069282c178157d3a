# make            the program: build/forage
# make test       every test, under the address and undefined-behaviour sanitizers
#                 (T=name builds and runs only those whose file or name contains it)
# make install    into PREFIX (/usr/local), below DESTDIR; make uninstall takes it out again
# make lib        libforage, shared and static, in build/lib (docs/scheduler.md)
# make deb        a Debian package, in build/
# make man        renew the parts of docs/man that come from the program
# make conformance, bench, fuzz, tsan, lint, format, clean
# Everything made goes to build/.

VERSION := 0.1.0
PREFIX  ?= /usr/local
DESTDIR ?=
CC      ?= cc
T       ?=

# V is the variant: release, asan (address and undefined), tsan (thread), fuzz.
V ?= release
B := build/$(V)

LIBS   := libpq libmicrohttpd openblas libxml-2.0 icu-uc libpsl jansson yaml-0.1 libxxhash libzstd zlib uchardet sqlite3 libcurl libcrypto libevent
PKG_CFLAGS := $(shell pkg-config --cflags $(LIBS))
PKG_LIBS   := $(shell pkg-config --libs $(LIBS)) -lstemmer -lm -pthread

WARN := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
        -Wpointer-arith -Wvla -Wno-format-truncation -Wno-psabi -Werror
# As a shared library needs it; it costs the program nothing.
FLAGS_release := -O2 -fPIC -fvisibility=hidden
FLAGS_asan    := -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
FLAGS_tsan    := -O1 -fsanitize=thread
# Zero bytes from NULL are an empty text here; clang counts adding them as an overflow.
FLAGS_fuzz    := -O1 -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize=pointer-overflow -fno-sanitize-recover=all
ifeq ($(V),fuzz)
CC := clang
WARN += -Wno-unknown-warning-option -Wno-missing-field-initializers
endif

CFLAGS ?= -g
# Contracting a * b + c into one rounding would make results depend on the processor.
ALL_CFLAGS := -std=gnu17 -D_GNU_SOURCE -ffp-contract=off $(CFLAGS) $(FLAGS_$(V)) $(WARN) -Isrc -Itests -Ibench -MMD -MP \
              -DFG_VERSION='"$(VERSION)"' $(PKG_CFLAGS)
ALL_LDFLAGS := $(LDFLAGS) $(FLAGS_$(V))

SRC  := $(filter-out src/cli/main.c,$(wildcard src/*/*.c src/*/*/*.c))
OBJ  := $(SRC:src/%.c=$(B)/%.o)
LIB  := $(B)/libforage.a
BIN  := $(if $(filter release,$(V)),build/forage,$(B)/forage)

TESTS := $(patsubst %.c,$(B)/%,$(wildcard tests/*/test_*.c))
# Programs that tests call to make something.
MAKERS := $(patsubst %.c,$(B)/%,$(wildcard tests/*/make_*.c))
SUITES := $(patsubst %.c,$(B)/%,$(wildcard tests/conformance/suite_*.c))
FUZZ   := $(patsubst %.c,$(B)/%,$(wildcard tests/fuzz/fuzz_*.c))
BENCH  := $(patsubst %.c,$(B)/%,$(wildcard bench/bench_*.c bench/run_*.c))

.PHONY: all test conformance bench fuzz tsan lint format install uninstall deb man clean
.SECONDARY:
all: $(BIN)

$(BIN): $(B)/cli/main.o $(LIB)
	@echo "link $@"
	@$(CC) $(ALL_LDFLAGS) -o $@ $^ $(PKG_LIBS)

$(LIB): $(OBJ)
	@rm -f $@
	@ar rcs $@ $^

$(B)/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	@echo "cc $<"
	@$(CC) $(ALL_CFLAGS) -c -o $@ $<

# The dashboard is part of the program.
$(B)/server/assets.o: $(wildcard src/server/dashboard/*)

$(B)/tests/%.o: tests/%.c Makefile
	@mkdir -p $(@D)
	@echo "cc $<"
	@$(CC) $(ALL_CFLAGS) -c -o $@ $<

$(B)/bench/%.o: bench/%.c Makefile
	@mkdir -p $(@D)
	@echo "cc $<"
	@$(CC) $(ALL_CFLAGS) -c -o $@ $<

# What tests share: a hostile web server.
SUPPORT := $(patsubst %.c,$(B)/%.o,$(wildcard tests/support/*.c))

# A test program is one file, what tests share, the library and cmocka; a suite adds the
# case reader.
$(TESTS) $(MAKERS): %: %.o $(SUPPORT) $(LIB)
	@echo "link $@"
	@$(CC) $(ALL_LDFLAGS) -o $@ $^ $(PKG_LIBS) -lcmocka
$(SUITES): %: %.o $(B)/tests/conformance/suite.o $(LIB)
	@echo "link $@"
	@$(CC) $(ALL_LDFLAGS) -o $@ $^ $(PKG_LIBS)
$(B)/tests/conformance/suite_feeds: $(B)/tests/conformance/feed_terms.o
$(B)/tests/conformance/suite_http: $(B)/tests/support/server.o
$(BENCH): %: %.o $(B)/bench/bench.o $(LIB)
	@echo "link $@"
	@$(CC) $(ALL_LDFLAGS) -o $@ $^ $(PKG_LIBS) -lcurl -lgumbo
$(B)/tests/fuzz/fuzz_standing: $(B)/tests/support/memory_store.o
ifeq ($(V),fuzz)
$(FUZZ): %: %.o $(LIB)
	@echo "link $@"
	@$(CC) $(ALL_LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(PKG_LIBS)
else
$(FUZZ): %: %.o $(B)/tests/fuzz/replay.o $(LIB)
	@echo "link $@"
	@$(CC) $(ALL_LDFLAGS) -o $@ $^ $(PKG_LIBS)
endif

# Calls that fail on demand; tests/faults/run puts it before the program as it is released.
FAULTS := build/release/tests/faults/libfaults.so
$(FAULTS): tests/faults/preload.c Makefile
	@mkdir -p $(@D)
	@echo "link $@"
	@$(CC) -std=gnu17 -D_GNU_SOURCE -O2 -g $(WARN) -fPIC -shared -o $@ $< -ldl
.PHONY: faults
faults: $(FAULTS)

# libforage: policies and learners alone, for other programs, from the objects of the
# program. Only forage_* is to be seen, in the shared library by its map, in the static one
# because all else is made local.
L := build/lib
SHARED := $(L)/libforage.so.0
LIBFORAGE_SRC := $(wildcard src/libforage/*.c src/policy/*.c src/policy/*/*.c src/learn/*.c) \
    $(patsubst %,src/base/%.c,arena buf err fill map memory rng sections str topk utf8 variate vec ziggurat)
LIBFORAGE_OBJ := $(LIBFORAGE_SRC:src/%.c=build/release/%.o)
$(SHARED): $(LIBFORAGE_OBJ) src/libforage/symbols.map
	@mkdir -p $(@D)
	@echo "link $@"
	@$(CC) $(LDFLAGS) -shared -Wl,-soname,libforage.so.0 -Wl,--version-script=src/libforage/symbols.map -Wl,-z,defs \
		-o $@ $(LIBFORAGE_OBJ) $(shell pkg-config --libs openblas libxxhash) -lm
	@ln -sf libforage.so.0 $(L)/libforage.so
$(L)/libforage.a: $(LIBFORAGE_OBJ)
	@mkdir -p $(@D)
	@echo "link $@"
	@ld -r -o $(L)/libforage.o $^
	@objcopy --localize-hidden $(L)/libforage.o
	@rm -f $@ && ar rcs $@ $(L)/libforage.o
.PHONY: lib
lib: $(SHARED) $(L)/libforage.a

# The pieces, for one variant; the targets below choose it. With T only those tests are
# built that tests/select names, and the program if a script is among them.
ifneq ($(T),)
CHOSEN := $(shell tests/select '$(T)')
WANTED := $(patsubst %.c,$(B)/%,$(filter %.c,$(CHOSEN))) $(if $(filter %.sh,$(CHOSEN)),$(MAKERS) $(BIN))
else
WANTED := $(TESTS) $(MAKERS) $(FUZZ) $(SUITES) $(BIN)
endif
.PHONY: tests suites benches fuzzers
tests: $(WANTED)
suites: $(SUITES)
benches: $(BENCH)
fuzzers: $(filter $(WANTED),$(FUZZ))

test:
	@$(MAKE) --no-print-directory V=asan tests
	@T='$(T)' tests/run build/asan

conformance:
	@$(MAKE) --no-print-directory V=asan suites
	@tests/conformance/run build/asan

tsan:
	@$(MAKE) --no-print-directory V=tsan tests
	@T='$(T)' tests/run build/tsan

bench:
	@$(MAKE) --no-print-directory V=release benches
	@T='$(T)' bench/run build/release

# FOR=600 fuzzes each parser for that many seconds; what is found lands in build/fuzz.
FOR ?= 60
fuzz:
	@$(MAKE) --no-print-directory V=fuzz fuzzers
	@T='$(T)' FOR=$(FOR) tests/fuzz/run build/fuzz

lint:
	@tools/lint

format:
	clang-format -i $$(git ls-files -co --exclude-standard '*.[ch]')

# What is installed besides sources as they are: completions, and the unit with our path.
MADE := build/install
.PHONY: made
made: all
	@mkdir -p $(MADE)
	@build/forage completion bash >$(MADE)/forage.bash
	@build/forage completion zsh >$(MADE)/_forage
	@build/forage completion fish >$(MADE)/forage.fish
	@sed 's|@BINDIR@|$(PREFIX)/bin|' packaging/forage.service >$(MADE)/forage.service
	@sed 's|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(VERSION)|' packaging/forage.pc >$(MADE)/forage.pc

install: made lib
	@tools/files '$(PREFIX)' | while read -r mode source target; do \
		install -D -m "$$mode" "$$source" "$(DESTDIR)$$target" || exit 1; done
	@ln -sf libforage.so.0 '$(DESTDIR)$(PREFIX)/lib/libforage.so'

# Of the folders only those go that are ours alone.
uninstall:
	@tools/files '$(PREFIX)' | while read -r mode source target; do \
		rm -f "$(DESTDIR)$$target"; done
	@rm -f '$(DESTDIR)$(PREFIX)/lib/libforage.so'
	@for folder in share/forage/experiments share/forage share/doc/forage/docs/papers share/doc/forage/docs \
		share/doc/forage/examples share/doc/forage; do \
		rmdir "$(DESTDIR)$(PREFIX)/$$folder" 2>/dev/null || true; done

deb: all
	@$(MAKE) --no-print-directory -s made PREFIX=/usr
	@VERSION=$(VERSION) tools/deb

man: all
	@tools/man

clean:
	rm -rf build

-include $(OBJ:.o=.d) $(SUPPORT:.o=.d) $(TESTS:=.d) $(MAKERS:=.d) $(SUITES:=.d) $(FUZZ:=.d) $(BENCH:=.d)
