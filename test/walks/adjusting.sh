# The commands of rest/guides/adjusting.md. URL and KEY are in the environment.
set -e

. test/walks/tools.sh
post /products '{"product": {"name": "Ten", "slug": "ten"}, "price": {"type": "subscription", "slug": "ten-monthly", "unitPrice": 1000, "intervalUnit": "month"}}'
post /products '{"product": {"name": "Twenty", "slug": "twenty"}, "price": {"type": "subscription", "slug": "twenty-monthly", "unitPrice": 2000, "intervalUnit": "month"}}'
CLOCK=$(post /test-clocks '{"testClock": {"frozenTime": "2026-04-01T00:00:00Z"}}' | id test_clock)
CUSTOMER=$(post /customers "{\"customer\": {\"name\": \"Ann\", \"email\": \"ann@example.com\", \"externalId\": \"ann\", \"testClockId\": \"$CLOCK\"}}" | id cust)
post /payment-methods "{\"paymentMethod\": {\"customerId\": \"$CUSTOMER\", \"type\": \"card\", \"token\": \"sandbox_success\"}}"
SUBSCRIPTION=$(post /subscriptions '{"customerExternalId": "ann", "priceSlug": "ten-monthly"}' | id sub)

post /test-clocks/$CLOCK/advance '{"frozenTime": "2026-04-16T00:00:00Z"}'
UP='{"adjustment": {"timing": "auto", "newSubscriptionItems": [{"priceSlug": "twenty-monthly"}]}}'
post /subscriptions/$SUBSCRIPTION/preview-adjust "$UP" | fields prorationAmount
post /subscriptions/$SUBSCRIPTION/adjust "$UP" | fields 'scheduledAdjustmentAt'
invoices $CUSTOMER

DOWN='{"adjustment": {"timing": "auto", "newSubscriptionItems": [{"priceSlug": "ten-monthly"}]}}'
post /subscriptions/$SUBSCRIPTION/adjust "$DOWN" | fields scheduledAdjustmentAt
post /test-clocks/$CLOCK/advance '{"frozenTime": "2026-05-16T12:00:00Z"}'
invoices $CUSTOMER

post /payment-methods "{\"paymentMethod\": {\"customerId\": \"$CUSTOMER\", \"type\": \"card\", \"token\": \"sandbox_decline_insufficient_funds\", \"default\": true}}"
post /subscriptions/$SUBSCRIPTION/adjust "$UP" | fields 'code|message'
get "/subscription-items?subscriptionId=$SUBSCRIPTION" | fields 'name|unitPrice' | tail -2
