#!/bin/sh
# crawl.sh FORAGE FETCHES URL...: a crawler in shell, with curl as its fetcher and Forage choosing.
# FORAGE is the address of the server ('forage serve' prints it)..
set -eu
forage=${1%/}/api/v1/scheduler
left=$2
shift 2
call() { # NAME BODY
    curl -sS --fail-with-body --retry 3 -H 'Content-Type: application/json' \
        -H "Idempotency-Key: $(cat /proc/sys/kernel/random/uuid)" --data-binary "$2" "$forage/$1"
}
list() { # LINES: as the inside of a JSON list of texts
    sed 's/[\\"]/\\&/g; s/.*/"&"/' | paste -sd, -
}

call add "{\"pages\": [$(printf '%s\n' "$@" | list)]}" >/dev/null
page=$(mktemp)
trap 'rm -f "$page"' EXIT
while [ "$left" -gt 0 ]; do
    leases=$(call next '{"n": 10}' | grep -o '"lease":[0-9]*,"url":"[^"]*"' || true)
    [ -n "$leases" ] || { sleep 1; left=$((left - 1)); continue; } # nothing to fetch now
    reports=$(echo "$leases" | while IFS= read -r line; do
        lease=${line#*:} lease=${lease%%,*} url=${line#*,\"url\":\"} url=${url%\"}
        url=$(printf '%s' "$url" | sed 's/\\u0026/\&/g')
        status=$(curl -s -o "$page" -w '%{http_code}' --max-time 20 --max-filesize 10000000 "$url" || true)
        case $status in
        2??) links=$(grep -oi '<a [^>]*href="[^"]*"' "$page" | sed 's/.*href="//I; s/"$//; s/&amp;/\&/g' | sort -u | list)
            printf '{"lease": %s, "links": [%s]}\n' "$lease" "$links" ;;
        404 | 410) printf '{"lease": %s, "outcome": "dead"}\n' "$lease" ;;
        *) printf '{"lease": %s, "outcome": "failed"}\n' "$lease" ;;
        esac
    done | paste -sd, -)
    call report "{\"reports\": [$reports]}" | grep -o '"counted":[0-9]*,"new":[0-9]*'
    left=$((left - $(echo "$leases" | wc -l)))
done
