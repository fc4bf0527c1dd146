# The commands of rest/guides/one-off-charges.md. URL and KEY are in the environment.
set -e

. test/walks/tools.sh
post /products '{"product": {"name": "Voice", "slug": "voice"}, "price": {"type": "subscription", "slug": "voice-monthly", "unitPrice": 1000, "intervalUnit": "month"}}'
CLOCK=$(post /test-clocks '{"testClock": {"frozenTime": "2026-01-01T00:00:00Z"}}' | id test_clock)
CUSTOMER=$(post /customers "{\"customer\": {\"name\": \"Ola\", \"email\": \"ola@example.com\", \"externalId\": \"ola\", \"testClockId\": \"$CLOCK\", \"collectionMethod\": \"send_invoice\"}}" | id cust)
SUBSCRIPTION=$(post /subscriptions '{"customerExternalId": "ola", "priceSlug": "voice-monthly"}' | id sub)
CHARGE=$(post /one-off-charges "{\"oneOffCharge\": {\"subscriptionId\": \"$SUBSCRIPTION\", \"name\": \"Training\", \"quantity\": 2.5, \"unitPrice\": 12000}}" | id one_off)
get /one-off-charges/$CHARGE | fields 'status|amount' | paste -d' ' - -
post /test-clocks/$CLOCK/advance '{"frozenTime": "2026-02-01T00:00:00Z"}'
INVOICE=$(graphql "{ invoices(last: 1, where: {customer: {is: \"$CUSTOMER\"}}) { nodes { id } } }" | id inv)
graphql "{ invoice(id: \"$INVOICE\") { lineItems { type amount } } }"
