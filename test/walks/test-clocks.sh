# The commands of rest/guides/test-clocks.md. URL and KEY are in the environment.
set -e

. test/walks/tools.sh

post /products '{"product": {"name": "Pro", "slug": "pro"}, "price": {"type": "subscription", "slug": "pro-monthly", "unitPrice": 2000, "intervalUnit": "month"}}'
CLOCK=$(post /test-clocks '{"testClock": {"frozenTime": "2026-01-31T10:00:00Z"}}' | id test_clock)
CUSTOMER=$(post /customers "{\"customer\": {\"name\": \"Ada\", \"email\": \"ada@example.com\", \"externalId\": \"ada\", \"testClockId\": \"$CLOCK\"}}" | id cust)
post /payment-methods "{\"paymentMethod\": {\"customerId\": \"$CUSTOMER\", \"type\": \"card\", \"token\": \"sandbox_success\"}}"
SUBSCRIPTION=$(post /subscriptions '{"customerExternalId": "ada", "priceSlug": "pro-monthly"}' | id sub)

post /test-clocks/$CLOCK/advance '{"frozenTime": "2027-01-15T10:00:00Z"}'
get "/billing-periods?subscriptionId=$SUBSCRIPTION" | fields total
invoices $CUSTOMER | uniq -c

show "/billing-periods?subscriptionId=$SUBSCRIPTION&limit=3" | grep endDate

INVOICE=$(get /customers/ada/billing | id inv)
get /invoices/$INVOICE/explain | fields verified
curl -s -o "${TMPDIR:-/tmp}/invoice.pdf" "$(get /invoices/$INVOICE | grep -o 'http[^"]*documents/invoice[^"]*')"

post /subscriptions/$SUBSCRIPTION/cancel '{"cancellation": {"timing": "at_end_of_current_billing_period"}}' | fields status
post /test-clocks/$CLOCK/advance '{"frozenTime": "2027-02-01T10:00:00Z"}'
get /subscriptions/$SUBSCRIPTION | fields status
graphql "{ customer(id: \"$CUSTOMER\") { currentSubscription { isFreePlan status } } }"
