# What strangers and the machine do to a crawl, seen from outside.
command -v python3 >/dev/null || { echo "python3 is missing: no server"; exit 77; }
exec python3 tests/support/outside.py
