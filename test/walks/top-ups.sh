# The commands of rest/guides/top-ups.md. URL and KEY are in the environment.
set -e

. test/walks/tools.sh
METER=$(post /usage-meters '{"usageMeter": {"name": "Calls", "slug": "calls"}, "price": {"unitPrice": 10, "usageEventsPerUnit": 1}}' | id usage_meter)
FEATURE=$(post /features "{\"feature\": {\"type\": \"usage_credit_grant\", \"name\": \"100 calls\", \"description\": \"Prepaid\", \"slug\": \"calls-100\", \"amount\": 100, \"usageMeterId\": \"$METER\", \"renewalFrequency\": \"once\"}}" | id feature)
post /products "{\"product\": {\"name\": \"100 calls\", \"slug\": \"package\"}, \"price\": {\"type\": \"single_payment\", \"slug\": \"package-once\", \"unitPrice\": 500}, \"featureIds\": [\"$FEATURE\"]}"
post /products '{"product": {"name": "Voice", "slug": "voice"}, "price": {"type": "subscription", "slug": "voice-monthly", "unitPrice": 1000, "intervalUnit": "month"}}'
CUSTOMER=$(post /customers '{"customer": {"name": "Pia", "email": "pia@example.com", "externalId": "pia"}}' | id cust)
post /payment-methods "{\"paymentMethod\": {\"customerId\": \"$CUSTOMER\", \"type\": \"card\", \"token\": \"sandbox_success\", \"default\": true}}"
SUBSCRIPTION=$(post /subscriptions '{"customerExternalId": "pia", "priceSlug": "voice-monthly"}' | id sub)
post /purchases "{\"purchase\": {\"customerId\": \"$CUSTOMER\", \"priceSlug\": \"package-once\"}}" | fields 'status|totalPurchaseValue' | paste -d' ' - -

post /top-ups "{\"topUp\": {\"subscriptionId\": \"$SUBSCRIPTION\", \"usageMeterSlug\": \"calls\", \"priceSlug\": \"package-once\", \"threshold\": 20, \"mostPerMonth\": 3}}" | fields 'threshold|active' | paste -d' ' - -
