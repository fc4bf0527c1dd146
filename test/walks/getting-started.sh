# The commands of README.md and rest/guides/getting-started.md, against a running service.
set -e
trap 'trap "" TERM; kill 0' EXIT
LIVE=$(mktemp)

export PATH="$PWD/node_modules/.bin:$PATH"
export URL=${URL:-http://127.0.0.1:4000}
export KEY=$(tollgate keys create --name "My first key")

tollgate api GET /products

curl -s $URL/api/v1/usage-meters -H "Authorization: Bearer $KEY" \
  -H "Content-Type: application/json" -H "Idempotency-Key: first-meter" \
  -d '{"usageMeter": {"name": "API calls", "slug": "api-calls"}, "price": {"unitPrice": 5, "usageEventsPerUnit": 1000}}'
echo

curl -s $URL/graphql -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \
  -d '{"query": "{ usageMeters(first: 10) { nodes { slug defaultPrice { unitPrice usageEventsPerUnit } } totalCount } }"}'
echo

(
  curl -sN $URL/graphql -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" -H "Accept: text/event-stream" \
    -d '{"query": "subscription { events(types: [\"product.updated\"]) { sequence type data } }"}'
) > "$LIVE" &
until [ -s "$LIVE" ]; do sleep 0.1; done

PRODUCT=$(curl -s $URL/api/v1/products -H "Authorization: Bearer $KEY" | grep -o 'prod_[0-9A-Za-z]*' | head -1)
curl -s -X PUT $URL/api/v1/products/$PRODUCT -H "Authorization: Bearer $KEY" \
  -H "Content-Type: application/json" -d '{"product": {"name": "Starter"}}'
echo

until grep '"type":"product.updated"' "$LIVE"; do sleep 0.1; done

. test/walks/tools.sh
get /products | fields 'name|active'
