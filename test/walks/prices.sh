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

TEAM=$(post /products '{"product": {"name": "Team", "slug": "team"}, "price": {"type": "subscription", "slug": "team-seats", "intervalUnit": "month", "model": "graduated", "tiers": [{"upTo": 5, "flatFee": 1000}, {"upTo": 10, "unitPrice": 200}, {"unitPrice": 150}]}}' | id prod)
post /customers '{"customer": {"name": "Tom", "email": "tom@example.com", "externalId": "tom"}}'
CUSTOMER=$(get /customers/tom | id cust)
post /payment-methods "{\"paymentMethod\": {\"customerId\": \"$CUSTOMER\", \"type\": \"card\", \"token\": \"sandbox_success\"}}"
SUBSCRIPTION=$(post /subscriptions '{"customerExternalId": "tom", "priceSlug": "team-seats", "quantity": 12}' | id sub)
graphql "{ subscription(id: \"$SUBSCRIPTION\") { itemsPage(first: 1) { nodes { amount priceParts { kind tier quantity amount } } } } }"

METER=$(post /usage-meters '{"usageMeter": {"name": "Requests", "slug": "requests"}}' | id usage_meter)
PREFER=include=all post /prices "{\"price\": {\"type\": \"usage\", \"usageMeterId\": \"$METER\", \"intervalUnit\": \"month\", \"usageEventsPerUnit\": 1, \"model\": \"package\", \"packageSize\": 1000, \"unitPrice\": 40, \"minimumAmount\": 2000, \"isDefault\": true}}" | fields 'model|minimumAmount'
METER=$(post /usage-meters '{"usageMeter": {"name": "Card volume", "slug": "volume"}}' | id usage_meter)
PREFER=include=all post /prices "{\"price\": {\"type\": \"usage\", \"usageMeterId\": \"$METER\", \"intervalUnit\": \"month\", \"usageEventsPerUnit\": 1, \"model\": \"percentage\", \"percentage\": 2.9, \"fixedFee\": 30, \"maximumAmount\": 100000, \"isDefault\": true}}" | fields 'model|percentage'
METER=$(post /usage-meters '{"usageMeter": {"name": "Tokens", "slug": "tokens"}}' | id usage_meter)
PREFER=include=all post /prices "{\"price\": {\"type\": \"usage\", \"usageMeterId\": \"$METER\", \"intervalUnit\": \"month\", \"usageEventsPerUnit\": 1000, \"model\": \"matrix\", \"isDefault\": true, \"matrix\": {\"dimensions\": [\"model\", \"direction\"], \"cells\": [{\"values\": [\"large\", \"input\"], \"unitPrice\": 1.5}, {\"values\": [\"large\", \"output\"], \"unitPrice\": 6}], \"otherUnitPrice\": 0.4}}}" | fields 'model|otherUnitPrice'
