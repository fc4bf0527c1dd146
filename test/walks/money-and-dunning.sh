# The commands of rest/guides/money-and-dunning.md. URL and KEY are in the environment.
set -e

. test/walks/tools.sh
post /products '{"product": {"name": "Gold", "slug": "gold"}, "price": {"type": "subscription", "slug": "gold-monthly", "unitPrice": 2000, "intervalUnit": "month"}}'
CLOCK=$(post /test-clocks '{"testClock": {"frozenTime": "2026-01-01T00:00:00Z"}}' | id test_clock)
CUSTOMER=$(post /customers "{\"customer\": {\"name\": \"Max\", \"email\": \"max@example.com\", \"externalId\": \"max\", \"testClockId\": \"$CLOCK\"}}" | id cust)
post /payment-methods "{\"paymentMethod\": {\"customerId\": \"$CUSTOMER\", \"type\": \"card\", \"token\": \"sandbox_success\"}}"
SUBSCRIPTION=$(post /subscriptions '{"customerExternalId": "max", "priceSlug": "gold-monthly"}' | id sub)

PAYMENT=$(graphql "{ payments(first: 1, where: {customer: {is: \"$CUSTOMER\"}}) { nodes { id } } }" | id pym)
for PART in 500 1500 1; do post /payments/$PAYMENT/refund "{\"partialAmount\": $PART}" | fields 'status|refundedAmount|code'; done

post /payment-methods "{\"paymentMethod\": {\"customerId\": \"$CUSTOMER\", \"type\": \"card\", \"token\": \"sandbox_decline_insufficient_funds\", \"default\": true}}"
post /test-clocks/$CLOCK/advance '{"frozenTime": "2026-02-02T00:00:00Z"}'
get /subscriptions/$SUBSCRIPTION | fields status
post /test-clocks/$CLOCK/advance '{"frozenTime": "2026-02-20T00:00:00Z"}'
get /subscriptions/$SUBSCRIPTION | fields status
get "/events?types=payment.failed&customerId=$CUSTOMER&limit=100" | grep -o '"type":"payment.failed"' | uniq -c

post /payment-methods "{\"paymentMethod\": {\"customerId\": \"$CUSTOMER\", \"type\": \"card\", \"token\": \"sandbox_success\", \"default\": true}}"
get /subscriptions/$SUBSCRIPTION | fields status
