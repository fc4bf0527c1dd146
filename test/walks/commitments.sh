# The commands of rest/guides/commitments.md. URL and KEY are in the environment.
set -e

. test/walks/tools.sh
post /usage-meters '{"usageMeter": {"name": "Calls", "slug": "calls"}, "price": {"unitPrice": 100, "usageEventsPerUnit": 1}}'
post /products '{"product": {"name": "Voice", "slug": "voice"}, "price": {"type": "subscription", "slug": "voice-monthly", "unitPrice": 1000, "intervalUnit": "month"}}'
CLOCK=$(post /test-clocks '{"testClock": {"frozenTime": "2026-01-01T00:00:00Z"}}' | id test_clock)
CUSTOMER=$(post /customers "{\"customer\": {\"name\": \"Nia\", \"email\": \"nia@example.com\", \"externalId\": \"nia\", \"testClockId\": \"$CLOCK\", \"collectionMethod\": \"send_invoice\"}}" | id cust)
SUBSCRIPTION=$(post /subscriptions '{"customerExternalId": "nia", "priceSlug": "voice-monthly"}' | id sub)
post /subscriptions/$SUBSCRIPTION/commitment '{"commitment": {"amount": 120000, "interval": "year", "trueUp": "each_period"}}' | fields 'committed|missing' | paste -d' ' - -
post /usage-events "{\"usageEvent\": {\"subscriptionId\": \"$SUBSCRIPTION\", \"usageMeterSlug\": \"calls\", \"transactionId\": \"call-1\", \"amount\": 60}}"
post /test-clocks/$CLOCK/advance '{"frozenTime": "2026-02-01T00:00:00Z"}'
INVOICE=$(graphql "{ invoices(last: 1, where: {customer: {is: \"$CUSTOMER\"}}) { nodes { id } } }" | id inv)
graphql "{ invoice(id: \"$INVOICE\") { lineItems { type amount } } }"
