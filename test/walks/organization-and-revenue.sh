# The commands of rest/guides/organization-and-revenue.md. URL and KEY are in the environment.
set -e

. test/walks/tools.sh
graphql 'mutation { updateOrganization(organization: {name: "Example Ltd"}) { organization { name dunningRetryDays } } }'
get '/events?types=organization.updated' | fields 'type'

post /products '{"product": {"name": "Base", "slug": "base"}, "price": {"type": "subscription", "slug": "base-yearly", "unitPrice": 12000, "intervalUnit": "year"}}'
CUSTOMER=$(post /customers '{"customer": {"name": "Rae", "email": "rae@example.com", "externalId": "rae"}}' | id cust)
post /payment-methods "{\"paymentMethod\": {\"customerId\": \"$CUSTOMER\", \"type\": \"card\", \"token\": \"sandbox_success\"}}"
post /subscriptions '{"customerExternalId": "rae", "priceSlug": "base-yearly"}' | fields status
graphql '{ organizationRevenue(from: "2026-01-01", to: "2026-01-03", interval: day) { totals { mrr outstanding } } }'
