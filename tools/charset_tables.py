#!/usr/bin/env python3
"""Write src/net/charset/charset_tables.c: labels, single-byte tables and ranges of gb18030.

    tools/charset_tables.py ../shared/conformance/encoding/encodings.json \\
        > src/net/charset/charset_tables.c && clang-format -i src/net/charset/charset_tables.c

The labels come from the Encoding Standard's own list. The single-byte tables are made
from Python's codecs and the standard's rules: what a Windows code page leaves open below
0xA0 is the C1 control of the same number; two tables differ in a few places. Each result
is checked against the identifier the standard publishes with its index (the SHA-256 of
the list as Python prints it), where it is given below.
"""
import hashlib
import json
import sys

CODECS = {
    "IBM866": "cp866", "KOI8-R": "koi8-r", "KOI8-U": "koi8-u", "macintosh": "mac_roman",
    "windows-874": "cp874", "x-mac-cyrillic": "mac_cyrillic",
    **{f"ISO-8859-{n}": f"iso8859-{n}" for n in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
    **{f"windows-{n}": f"cp{n}" for n in range(1250, 1259)},
}
CHANGED = {
    "windows-1255": {0xCA: 0x05BA},
    "KOI8-U": {0xAE: 0x045E, 0xBE: 0x040E},  # Belarusian letters in place of two boxes
}
IDENTIFIERS = {
    "KOI8-U": "19a4da2c3f245118bbc8019326f45a07832949938ff903f03d62ac4da1f61f40",
    "windows-1255": "cd7fb43c97eefa1651084d92d02af53ad668bd848528c18c3b1af5c06b499651",
}
RANGES_IDENTIFIER = "f963aaa1653f630c523e7b04729fb4e4458f35806c45eb5c179445623138f0c0"
MULTI = {
    "UTF-8": "UTF8", "GBK": "GBK", "gb18030": "GB18030", "Big5": "BIG5", "EUC-JP": "EUC_JP",
    "ISO-2022-JP": "ISO_2022_JP", "Shift_JIS": "SHIFT_JIS", "EUC-KR": "EUC_KR",
    "replacement": "REPLACEMENT", "UTF-16BE": "UTF16BE", "UTF-16LE": "UTF16LE",
    "x-user-defined": "USER_DEFINED",
}


def single_byte(name):
    table = []
    for byte in range(0x80, 0x100):
        try:
            table.append(ord(bytes([byte]).decode(CODECS[name])))
        except UnicodeDecodeError:
            table.append(byte if byte < 0xA0 else None)
    for byte, code in CHANGED.get(name, {}).items():
        table[byte - 0x80] = code
    if name in IDENTIFIERS:
        assert hashlib.sha256(str(table).encode()).hexdigest() == IDENTIFIERS[name], name
    return table


def gb18030_ranges():
    """The code points of four bytes are those that have no two, in order. What has two is
    told by the version of 2000, but for U+1E3F, which the standard treats apart."""
    two = {ord(bytes([a, b]).decode("gb18030"))
           for a in range(0x81, 0xFF) for b in [*range(0x40, 0x7F), *range(0x80, 0xFF)]}
    ranges, pointer, previous = [], 0, -1
    for code in range(0x80, 0x10000):
        if code in two or 0xD800 <= code <= 0xDFFF:
            continue
        if code != previous + 1:
            ranges.append((pointer, code))
        pointer, previous = pointer + 1, code
    ranges.append((189000, 0x10000))
    printed = str([list(r) for r in ranges]).encode()
    assert hashlib.sha256(printed).hexdigest() == RANGES_IDENTIFIER
    return ranges


def main():
    groups = json.load(open(sys.argv[1]))
    encodings = [e for group in groups for e in group["encodings"]]
    print("/* Made by tools/charset_tables.py; do not edit. */")
    print('#include "net/charset/charset_parts.h"\n')
    print("#define HOLE FG_NO_CODE\n")
    tables = {}
    for e in encodings:
        if e["name"] in CODECS:
            symbol = e["name"].lower().replace("-", "_")
            tables[e["name"]] = symbol
            values = ", ".join("HOLE" if v is None else f"0x{v:04X}" for v in single_byte(e["name"]))
            print(f"static const uint16_t {symbol}[128] = {{{values}}};\n")
    tables["ISO-8859-8-I"] = tables["ISO-8859-8"]
    print("const struct fg_encoding fg_encodings[] = {")
    for e in encodings:
        name = e["name"]
        kind = MULTI.get(name, "SINGLE_BYTE")
        table = tables.get(name, "NULL")
        print(f'    {{"{name}", FG_CODEC_{kind}, {table}}},')
    # Not of the Encoding Standard: for XML alone, and no label leads here.
    print('    {"UTF-32BE", FG_CODEC_UTF32BE, NULL},')
    print('    {"UTF-32LE", FG_CODEC_UTF32LE, NULL},')
    print("};\n")
    labels = sorted((label.encode(), i) for i, e in enumerate(encodings) for label in e["labels"])
    print("const struct fg_label fg_labels[] = {")
    for label, i in labels:
        print(f'    {{"{label.decode()}", {i}}},')
    print("};")
    print("const size_t fg_labels_len = sizeof fg_labels / sizeof *fg_labels;\n")
    print("const struct fg_gb_range fg_gb_ranges[] = {")
    print(", ".join(f"{{{p}, 0x{c:04X}}}" for p, c in gb18030_ranges()))
    print("};")
    print("const size_t fg_gb_ranges_len = sizeof fg_gb_ranges / sizeof *fg_gb_ranges;")


main()
