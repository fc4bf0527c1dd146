# The commands of rest/guides/events-and-webhooks.md. URL and KEY are in the environment.
set -e
trap 'trap "" TERM; kill 0' EXIT
OUT=$(mktemp -d)

. test/walks/tools.sh
SECRET=$(post /webhooks "{\"webhook\": {\"name\": \"Here\", \"url\": \"http://127.0.0.1:$((${URL##*:} + 1))\", \"filterTypes\": [\"product.updated\"]}}" | grep -o 'whsec_[^"]*')

(
  npm run -s receiver -- "$SECRET"
) > "$OUT/receiver" &

(
  tollgate tail --after 0
) > "$OUT/watch" &

(
  curl -sN $URL/graphql -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" -H "Accept: text/event-stream" \
    -H "Last-Event-ID: 0" -d '{"query": "subscription { events(types: [\"product.updated\"]) { sequence type data } }"}'
) > "$OUT/live" &
until grep -q Waiting "$OUT/receiver"; do sleep 0.1; done

put /products/$(get /products | id prod) '{"product": {"name": "Begin"}}'
get '/events?after=0&types=product.updated' | fields 'sequence|type'

for NAME in receiver watch live; do until grep product.updated "$OUT/$NAME"; do sleep 0.1; done; done
