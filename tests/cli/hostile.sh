# Servers that mean harm, and an honest one beside them. All of them: ./test --long.
command -v openssl >/dev/null || { echo "there is no openssl to make a certificate with"; exit 77; }
exec python3 tests/support/hostile.py --short
