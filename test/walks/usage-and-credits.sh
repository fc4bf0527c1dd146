# The commands of rest/guides/usage-and-credits.md. URL and KEY are in the environment.
set -e

. test/walks/tools.sh
METER=$(post /usage-meters '{"usageMeter": {"name": "Calls", "slug": "calls"}, "price": {"unitPrice": 2, "usageEventsPerUnit": 10}}' | id usage_meter)
FEATURE=$(post /features "{\"feature\": {\"type\": \"usage_credit_grant\", \"name\": \"Free calls\", \"description\": \"100 a month\", \"slug\": \"free-calls\", \"amount\": 100, \"usageMeterId\": \"$METER\", \"renewalFrequency\": \"every_billing_period\"}}" | id feature)
post /products "{\"product\": {\"name\": \"Metered\", \"slug\": \"metered\"}, \"price\": {\"type\": \"subscription\", \"slug\": \"metered-monthly\", \"unitPrice\": 1000, \"intervalUnit\": \"month\"}, \"featureIds\": [\"$FEATURE\"]}"
CLOCK=$(post /test-clocks '{"testClock": {"frozenTime": "2026-01-31T10:00:00Z"}}' | id test_clock)
CUSTOMER=$(post /customers "{\"customer\": {\"name\": \"Bob\", \"email\": \"bob@example.com\", \"externalId\": \"bob\", \"testClockId\": \"$CLOCK\"}}" | id cust)
post /payment-methods "{\"paymentMethod\": {\"customerId\": \"$CUSTOMER\", \"type\": \"card\", \"token\": \"sandbox_success\"}}"
SUBSCRIPTION=$(post /subscriptions '{"customerExternalId": "bob", "priceSlug": "metered-monthly"}' | id sub)

event() { echo "{\"subscriptionId\": \"$SUBSCRIPTION\", \"usageMeterSlug\": \"calls\", \"transactionId\": \"$1\", \"amount\": $2}"; }
for N in 1 2 3; do post /usage-events "{\"usageEvent\": $(event "call-$N" 10)}"; done
get /customers/bob/usage-balances | fields availableBalance
post /usage-events/bulk "{\"usageEvents\": [$(event bulk-1 20), $(event bulk-2 0.5)]}"
post /usage-events/bulk "{\"usageEvents\": [$(event bulk-1 20), $(event bulk-2 0.5)]}"
get /customers/bob/usage-balances | fields availableBalance
post /usage-events "{\"usageEvent\": $(event much 500)}"
get /customers/bob/usage-balances | fields availableBalance
cloud() { curl -s $URL/api/v1/usage-events -H "Authorization: Bearer $KEY" -H "Content-Type: application/cloudevents+json" -d "$1"; echo; }
cloud "{\"specversion\": \"1.0\", \"id\": \"much\", \"source\": \"/gateway\", \"type\": \"calls\", \"subject\": \"$SUBSCRIPTION\", \"trace\": \"x\", \"data\": {\"amount\": 1}}"

post /test-clocks/$CLOCK/advance '{"frozenTime": "2026-03-01T10:00:00Z"}'
invoices $CUSTOMER
INVOICE=$(graphql "{ invoices(last: 1, where: {customer: {is: \"$CUSTOMER\"}}) { nodes { id } } }" | id inv)
get /invoices/$INVOICE/explain | fields 'used|covered|billed|sha256|verified'
get /customers/bob/usage-balances | fields availableBalance

accept() { curl -s $URL/api/v1/usage-events/bulk -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" -H "Prefer: respond-async" -d "{\"usageEvents\": [$1]}"; }
accept "$(event later-1 5), $(event later-2 5)" | fields count
get /customers/bob/usage-balances | fields availableBalance
accept "$(event later-3 1 | sed s/calls/unknown/)" | fields count
get '/usage-events?limit=1' | fields total
get /usage-refusals | fields 'count|message'
