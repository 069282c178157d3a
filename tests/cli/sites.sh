# A site may be named by address, host and port, or host alone where that is clear.
. tests/cli/common
expect 0 forage add --operator-contact me@example.org http://127.0.0.1:8201/ http://127.0.0.1:8202/ http://localhost:8203/ https://news.example/ \
    https://news.example:8443/
for command in "site" "new --site" "export --site"; do
    # shellcheck disable=SC2086
    {
        expect 0 forage $command 127.0.0.1:8201
        expect 0 forage $command http://127.0.0.1:8202/x
        expect 0 forage $command localhost
        expect 0 forage $command LOCALHOST:8203
        expect 0 forage $command news.example
        expect 4 forage $command 127.0.0.1
        complains "'127.0.0.1' may be any of 2 sites: http://127.0.0.1:8201, http://127.0.0.1:8202; name one"
        expect 1 forage $command 127.0.0.1:8209
        complains "no site '127.0.0.1:8209' is known"
    }
done
expect 0 forage site 127.0.0.1:8202
says "http://127.0.0.1:8202"
expect 0 forage site news.example
says "https://news.example"
grep -q 8443 "$scratch/out" && flunk "another port was meant"
for name in 127.0.0.1:8201 localhost:8203 localhost http://127.0.0.1:8201/; do
    expect 0 forage ledger "$name"
    says "requests       0"
done
expect 0 forage ledger 127.0.0.1 # all sites of a host
says "http://127.0.0.1:8201"
says "http://127.0.0.1:8202"
done_testing
