# The commands of rest/guides/alerts.md. URL and KEY are in the environment.
set -e

. test/walks/tools.sh
post /usage-meters '{"usageMeter": {"name": "Calls", "slug": "calls"}, "price": {"unitPrice": 2, "usageEventsPerUnit": 1}}'
post /products '{"product": {"name": "Voice", "slug": "voice"}, "price": {"type": "subscription", "slug": "voice-monthly", "unitPrice": 1000, "intervalUnit": "month"}}'
post /customers '{"customer": {"name": "Vera", "email": "vera@example.com", "externalId": "vera"}}'
SUBSCRIPTION=$(post /subscriptions '{"customerExternalId": "vera", "priceSlug": "voice-monthly"}' | id sub)
ALERT=$(post /alerts "{\"alert\": {\"kind\": \"usage\", \"threshold\": 80, \"subscriptionId\": \"$SUBSCRIPTION\", \"usageMeterSlug\": \"calls\"}}" | id alert)
post /usage-events "{\"usageEvent\": {\"subscriptionId\": \"$SUBSCRIPTION\", \"usageMeterSlug\": \"calls\", \"transactionId\": \"call-1\", \"amount\": 85}}"
get "/alert-crossings?alertId=$ALERT" | fields 'kind|threshold|value' | paste -d' ' - - -

put /alerts/$ALERT '{"alert": {"threshold": 100, "hardLimit": true}}' | fields 'threshold|hardLimit' | paste -d' ' - -
post /usage-events "{\"usageEvent\": {\"subscriptionId\": \"$SUBSCRIPTION\", \"usageMeterSlug\": \"calls\", \"transactionId\": \"call-2\", \"amount\": 16}}" | grep -oE '[0-9]+ are used and [0-9]+ requested' | head -1
