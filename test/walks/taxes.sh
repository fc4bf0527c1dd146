# The commands of rest/guides/taxes.md. URL and KEY are in the environment.
set -e

. test/walks/tools.sh
post /products '{"product": {"name": "Taxed", "slug": "taxed"}, "price": {"type": "subscription", "slug": "taxed-monthly", "unitPrice": 10000, "intervalUnit": "month"}}'
CUSTOMER=$(post /customers '{"customer": {"name": "Tia", "email": "tia@example.com", "externalId": "tia"}}' | id cust)
graphql "mutation { updateCustomer(externalId: \"tia\", customer: {taxType: vat, taxRatePercentage: \"19\", taxInclusive: false, taxCountry: \"DE\"}) { customer { taxType taxRatePercentage } } }"
post /payment-methods "{\"paymentMethod\": {\"customerId\": \"$CUSTOMER\", \"type\": \"card\", \"token\": \"sandbox_success\"}}"
post /subscriptions '{"customerExternalId": "tia", "priceSlug": "taxed-monthly"}' | fields status
graphql "{ invoices(first: 1, where: {customer: {is: \"$CUSTOMER\"}}) { nodes { subtotal taxAmount total } } }"
