# The commands of rest/guides/dry-runs.md. URL and KEY are in the environment.
set -e

. test/walks/tools.sh
post /products '{"product": {"name": "Dry", "slug": "dry"}, "price": {"type": "subscription", "slug": "dry-monthly", "unitPrice": 3000, "intervalUnit": "month"}}'
CUSTOMER=$(post /customers '{"customer": {"name": "Mia", "email": "mia@example.com", "externalId": "mia"}}' | id cust)
post /payment-methods "{\"paymentMethod\": {\"customerId\": \"$CUSTOMER\", \"type\": \"card\", \"token\": \"sandbox_success\"}}"

curl -s $URL/api/v1/subscriptions -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" -H "Prefer: dry-run" \
  -d '{"customerExternalId": "mia", "priceSlug": "dry-monthly"}' | grep -o '"effects":.*' | fields 'subtotal|amount'
graphql "{ invoices(first: 10, where: {customer: {is: \"$CUSTOMER\"}}) { totalCount } }"

curl -s $URL/graphql -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \
  -d '{"query": "mutation { createSubscription(customerExternalId: \"mia\", priceSlug: \"dry-monthly\") { subscription { status } } }", "extensions": {"dryRun": true}}'
