# crawl.worth: one price for looks and documents. Whatever the machine does, no more is asked
# than the budget, both kinds get some, and the price is kept. The demo knows what was asked.
. tests/cli/common
forage demo --for 8s --sites 2 --offers 40 --worth shop --json --no-server --keep >out.json 2>err ||
    flunk "the demo failed: $(cat err)"
kept=$(sed -n 's/^kept: //p' err)
[ -d "$kept" ] || flunk "nothing was kept: $(cat err)"
trap 'rm -rf "$scratch" "$kept"' EXIT
python3 - out.json <<'END' || flunk "what was asked for"
import json, sys
d = json.load(open(sys.argv[1]))
# 24 an hour for news, 8 for the shop; what a tick has begun may end after the time is over.
assert d["fetches"] <= 32 * (d["simulated_hours"] + 2) + 60, (d["fetches"], d["simulated_hours"])
assert d["worth"] is None or 0 <= d["worth"] <= d["recall"] + 1e-9, d
assert d["shop_fetches"] > 0 and d["fetches"] > d["shop_fetches"], d
END
forage status -w "$kept/learning" --once --json >status.json || flunk "no status"
grep -q '"worth":"shop"' status.json || flunk "status does not say what the budget is for"
# A policy whose scores say nothing of worth has shares, and says so.
forage demo --for 2s --sites 1 --offers 0 --policy thompson --no-server --keep >/dev/null 2>err || flunk "the demo of thompson failed: $(cat err)"
shares=$(sed -n 's/^kept: //p' err)
trap 'rm -rf "$scratch" "$kept" "$shares"' EXIT
forage status -w "$shares/learning" --once --json >status.json || flunk "no status"
grep -q '"price":' status.json && flunk "thompson has a price"
grep -q '"worth":"shares"' status.json || flunk "it is not said that thompson has shares"
done_testing
