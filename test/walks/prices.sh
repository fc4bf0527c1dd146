# The commands of rest/guides/prices.md. URL and KEY are in the environment.
set -e

. test/walks/tools.sh

PRODUCT=$(post /products '{"product": {"name": "Duo", "slug": "duo"}, "price": {"type": "subscription", "slug": "duo-monthly", "unitPrice": 2000, "intervalUnit": "month"}}' | id prod)
post /prices "{\"price\": {\"type\": \"subscription\", \"productId\": \"$PRODUCT\", \"slug\": \"duo-yearly\", \"unitPrice\": 20000, \"intervalUnit\": \"year\", \"isDefault\": false}}"
graphql "{ product(id: \"$PRODUCT\") { prices { slug unitPrice isDefault } } }"

post /customers '{"customer": {"name": "Dora", "email": "dora@example.com", "externalId": "dora"}}'
CUSTOMER=$(get /customers/dora | id cust)
post /payment-methods "{\"paymentMethod\": {\"customerId\": \"$CUSTOMER\", \"type\": \"card\", \"token\": \"sandbox_success\"}}"
post /subscriptions '{"customerExternalId": "dora", "priceSlug": "duo-yearly"}' | fields 'name|interval|status'

post /prices "{\"price\": {\"type\": \"subscription\", \"productId\": \"$PRODUCT\", \"slug\": \"duo-monthly-2\", \"unitPrice\": 2500, \"intervalUnit\": \"month\"}}"
post /subscriptions '{"customerExternalId": "dora", "priceSlug": "duo-monthly"}' | fields 'code|message'
