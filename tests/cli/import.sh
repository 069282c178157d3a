# Clicks and impressions are taken in whole or not at all, with or without a crawl running.
. tests/cli/common

expect 0 forage import --help
says "import counts"
expect 0 forage import counts --help
says "impressions"
expect 4 forage import
expect 4 forage import numbers
expect 1 forage import counts missing.csv
complains "missing.csv"

# Counts may be the first thing in a workspace: they wait for their pages.
printf 'url,day,clicks,impressions\nhttp://127.0.0.1:9/1,2024-11-15,3,120\n' >one.csv
expect 0 forage import counts one.csv -w early
says "kept for pages that are not known here yet"
says "1 page is not known here yet, such as http://127.0.0.1:9/1; its counts are used when a crawl finds it"
expect 0 forage export --what counts --csv -w early
lines 1
expect 0 forage add http://127.0.0.1:9/1 -w early
forage run --quiet --time-limit 300ms -w early 2>/dev/null
expect 0 forage export --what counts --csv -w early
says "http://127.0.0.1:9/1,2024-11-15,3,120"
expect 0 forage import counts one.csv --add
says "1 count of 1 page, from 2024-11-15 to 2024-11-15"
says "1 more page is now kept fresh"
expect 0 forage page http://127.0.0.1:9/1
says "document"

# Each wrong row is named, and nothing of the table is taken.
cat >wrong.csv <<'END'
url,day,clicks,impressions
http://127.0.0.1:9/1,2024-11-16,5,6
http://127.0.0.1:9/1,16.11.2024?,5,6
not an address,2024-11-16,5,6
http://127.0.0.1:9/1,2024-11-16,many,6
http://127.0.0.1:9/1,2999-01-01,5,6
http://127.0.0.1:9/1,2024-11-16
END
expect 1 forage import counts wrong.csv
complains "wrong.csv:3: day is '16.11.2024?'"
complains "wrong.csv:4: 'not an address'"
complains "wrong.csv:5: clicks is 'many'"
complains "wrong.csv:6: day is '2999-01-01', which has not come yet"
complains "wrong.csv:7: there is no clicks"
complains "5 rows are wrong; nothing was imported"
expect 0 forage export --what counts --csv
lines 2
printf 'address,day\n' >wrong.csv
expect 1 forage import counts wrong.csv
complains "'url'"

# Packed, from standard input, other separators; unknown addresses are told.
printf 'day;url;clicks\n2024-11-16;http://127.0.0.1:9/1;7\n2024-11-16;http://127.0.0.1:9/2;8\n' |
    gzip >two.gz
expect 0 forage import counts two.gz
says "1 page is not known here yet, such as http://127.0.0.1:9/2"
expect 0 sh -c 'gzip -dc two.gz | forage import counts - --json'
json
value "d['rows'], d['unknown'], d['handed_over']" "(1, 1, False)"
head -c 30 two.gz >cut.gz
expect 1 forage import counts cut.gz
complains "ends in the middle"
expect 0 forage export --what counts --csv
lines 3
says "http://127.0.0.1:9/1,2024-11-16,7,"

# What was exported can be imported again.
cp "$scratch/out" again.csv
expect 4 forage import counts again.csv more.csv
printf 'url,day,clicks,impressions\nhttp://127.0.0.1:9/1,2024-11-15,3,120\n' >again.csv
expect 0 forage import counts again.csv

# While a crawl runs it is handed over, with new pages first.
forage run --net-allow-private loopback --time-limit 60s >/dev/null 2>"$scratch/run.err" &
crawl=$!
within 30 sh -c 'forage status --json | grep -q "\"is_running\":true"'
printf 'url,day,clicks,impressions\nhttp://127.0.0.1:9/3,2024-11-16,2,30\n' >three.csv
expect 0 forage import counts three.csv --json
value "d['rows'], d['unknown'], d['handed_over']" "(0, 1, True)"
expect 0 forage import counts three.csv --add --json
value "d['rows'], d['added'], d['unknown'], d['handed_over']" "(1, 1, 0, True)"
within 20 sh -c 'forage export --what counts --csv | grep -q "9/3,2024-11-16,2,30"'
within 30 inbox_is_empty .
kill -TERM "$crawl"
wait "$crawl"
grep -qF 'msg="counts taken"' "$scratch/run.err" || flunk "the crawl does not log the counts"

# What was handed over to a crawl that died is taken up by the next one.
leave . counts "$(printf 'http://127.0.0.1:9/3\t20040\t1\t2\nrubbish')"
forage run --net-allow-private loopback --time-limit 1s >/dev/null 2>"$scratch/err"
expect 0 forage export --what counts --csv
says "http://127.0.0.1:9/3,2024-11-13,1,2"
inbox_is_empty . || flunk "something is left in the inbox"
done_testing
