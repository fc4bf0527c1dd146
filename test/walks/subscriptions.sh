# The commands of rest/guides/subscriptions.md. URL and KEY are in the environment.
set -e

. test/walks/tools.sh
post /products '{"product": {"name": "Solo", "slug": "solo"}, "price": {"type": "subscription", "slug": "solo-monthly", "unitPrice": 1500, "intervalUnit": "month"}}'
CLOCK=$(post /test-clocks '{"testClock": {"frozenTime": "2026-03-01T00:00:00Z"}}' | id test_clock)
CUSTOMER=$(post /customers "{\"customer\": {\"name\": \"Lin\", \"email\": \"lin@example.com\", \"externalId\": \"lin\", \"testClockId\": \"$CLOCK\"}}" | id cust)

graphql "{ customer(id: \"$CUSTOMER\") { currentSubscription { name isFreePlan } } }"

SUBSCRIPTION=$(post /subscriptions '{"customerExternalId": "lin", "priceSlug": "solo-monthly"}' | id sub)
curl -si $URL/api/v1/subscriptions/$SUBSCRIPTION -H "Authorization: Bearer $KEY" | grep -i '^subscription-next-step'
post /payment-methods "{\"paymentMethod\": {\"customerId\": \"$CUSTOMER\", \"type\": \"card\", \"token\": \"sandbox_success\"}}"
graphql "{ customer(id: \"$CUSTOMER\") { currentSubscription { name status } } }"

post /test-clocks/$CLOCK/advance '{"frozenTime": "2026-05-15T00:00:00Z"}'
get "/billing-periods?subscriptionId=$SUBSCRIPTION" | fields 'status|startDate'

KIM=$(post /customers "{\"customer\": {\"name\": \"Kim\", \"email\": \"kim@example.com\", \"externalId\": \"kim\", \"testClockId\": \"$CLOCK\"}}" | id cust)
post /subscriptions '{"customerExternalId": "kim", "priceSlug": "solo-monthly", "collectionMethod": "send_invoice", "anchorDayOfMonth": 1, "periodCount": 12}' | fields 'currentBillingPeriodStart|currentBillingPeriodEnd'
invoices $KIM

post /products '{"product": {"name": "Support", "slug": "support"}, "price": {"type": "subscription", "slug": "support-monthly", "unitPrice": 900, "intervalUnit": "month"}}'
LEE=$(post /customers "{\"customer\": {\"name\": \"Lee\", \"email\": \"lee@example.com\", \"externalId\": \"lee\", \"testClockId\": \"$CLOCK\"}}" | id cust)
SEATS=$(post /subscriptions '{"customerExternalId": "lee", "collectionMethod": "send_invoice", "items": [{"priceSlug": "solo-monthly", "quantity": 3, "unitPrice": 1200}, {"priceSlug": "support-monthly"}]}' | id sub)
invoices $LEE

post /subscriptions/$SUBSCRIPTION/cancel '{"cancellation": {"timing": "immediately"}}' | fields 'status|cancellationReason'
graphql "{ customer(id: \"$CUSTOMER\") { currentSubscription { isFreePlan } } }"

MO=$(post /customers "{\"customer\": {\"name\": \"Mo\", \"email\": \"mo@example.com\", \"externalId\": \"mo\", \"testClockId\": \"$CLOCK\"}}" | id cust)
IMPORTED=$(post /subscriptions '{"customerExternalId": "mo", "priceSlug": "solo-monthly", "collectionMethod": "send_invoice", "daysUntilDue": 14, "startDate": "2026-03-20T00:00:00Z", "paidUntil": "2026-05-20T00:00:00Z"}' | id sub)
post /test-clocks/$CLOCK/advance '{"frozenTime": "2026-05-21T00:00:00Z"}'
graphql "{ subscription(id: \"$IMPORTED\") { billingPeriods(first: 10) { nodes { status paidElsewhere } } } }" | fields 'status|paidElsewhere'
invoices $MO
