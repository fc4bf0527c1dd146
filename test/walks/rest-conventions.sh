# The commands of rest/guides/rest-conventions.md. URL and KEY are in the environment.
set -e

. test/walks/tools.sh
post /customers '{"customer": {"name": "Eve", "externalId": "eve"}}'
curl -s $URL/api/v1/customers/nobody -H "Authorization: Bearer $KEY" -H "Accept: application/json, application/problem+json"; echo

post /customers '{"customer": {"name": "Kim", "email": "kim@example.com", "externalId": "kim", "metadata": {"tier": "gold"}}}'
get /customers/kim | fields 'externalId|tier'
PREFER=include=all get /customers/kim | fields 'externalId|tier'

for N in 1 2; do post /products "{\"product\": {\"name\": \"Plan $N\", \"slug\": \"plan-$N\"}, \"price\": {\"type\": \"subscription\", \"slug\": \"plan-$N\", \"unitPrice\": 100, \"intervalUnit\": \"month\"}}"; done
get '/products?limit=2' | fields hasMore

for TRY in 1 2; do curl -si $URL/api/v1/customers -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" -H "Idempotency-Key: signup-17" \
  -d '{"customer": {"name": "Ida", "email": "ida@example.com", "externalId": "ida"}}' | grep -iE '^(HTTP|idempotent)'; done
