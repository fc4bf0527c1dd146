# The commands of rest/guides/usage-corrections.md. URL and KEY are in the environment.
set -e

. test/walks/tools.sh
post /usage-meters '{"usageMeter": {"name": "Minutes", "slug": "minutes"}, "price": {"unitPrice": 3, "usageEventsPerUnit": 1}}'
post /products '{"product": {"name": "Talk", "slug": "talk"}, "price": {"type": "subscription", "slug": "talk-monthly", "unitPrice": 1000, "intervalUnit": "month"}}'
CLOCK=$(post /test-clocks '{"testClock": {"frozenTime": "2026-01-01T00:00:00Z"}}' | id test_clock)
CUSTOMER=$(post /customers "{\"customer\": {\"name\": \"Uma\", \"email\": \"uma@example.com\", \"externalId\": \"uma\", \"testClockId\": \"$CLOCK\"}}" | id cust)
post /payment-methods "{\"paymentMethod\": {\"customerId\": \"$CUSTOMER\", \"type\": \"card\", \"token\": \"sandbox_success\"}}"
SUBSCRIPTION=$(post /subscriptions '{"customerExternalId": "uma", "priceSlug": "talk-monthly"}' | id sub)
CALL=$(post /usage-events "{\"usageEvent\": {\"subscriptionId\": \"$SUBSCRIPTION\", \"usageMeterSlug\": \"minutes\", \"transactionId\": \"call-1\", \"amount\": 100}}" | id usage_event)
post /test-clocks/$CLOCK/advance '{"frozenTime": "2026-02-02T00:00:00Z"}'

post /usage-events/$CALL/replace '{"usageEvent": {"transactionId": "call-1-corrected", "amount": 60}, "reason": "The call lasted an hour"}' | fields amount
post /test-clocks/$CLOCK/advance '{"frozenTime": "2026-03-02T00:00:00Z"}'
invoices $CUSTOMER
