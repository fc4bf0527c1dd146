# The commands of rest/guides/capacity.md. URL and KEY are in the environment.
set -e

. test/walks/tools.sh
RESOURCE=$(post /resources '{"resource": {"name": "Seats", "slug": "seats"}}' | id resource)
FEATURE=$(post /features "{\"feature\": {\"type\": \"resource\", \"name\": \"Five seats\", \"slug\": \"five-seats\", \"description\": \"Who may work\", \"amount\": 5, \"resourceId\": \"$RESOURCE\"}}" | id feature)
post /products "{\"product\": {\"name\": \"Team\", \"slug\": \"team\"}, \"price\": {\"type\": \"subscription\", \"slug\": \"team-monthly\", \"unitPrice\": 5000, \"intervalUnit\": \"month\"}, \"featureIds\": [\"$FEATURE\"]}"
post /customers '{"customer": {"name": "Grace", "email": "grace@example.com", "externalId": "grace"}}'
TEAM=$(post /subscriptions '{"customerExternalId": "grace", "priceSlug": "team-monthly", "doNotCharge": true}' | id sub)

post /resource-claims/$TEAM/claim '{"resourceSlug": "seats", "quantity": 2}' | fields available
post /resource-claims/$TEAM/claim '{"resourceSlug": "seats", "externalIds": ["ada", "grace", "edsger"]}' | fields available
post /resource-claims/$TEAM/claim '{"resourceSlug": "seats", "externalId": "alan"}' | fields 'code|message'
post /resource-claims/$TEAM/claim '{"resourceSlug": "seats", "externalId": "ada"}' | fields available

post /resource-claims/$TEAM/release '{"resourceSlug": "seats", "quantity": 1}' | fields available
get "/resource-claims/$TEAM/usage?resourceSlug=seats" | fields 'capacity|claimed|available'

RESERVATION=$(post /reservations "{\"subscriptionId\": \"$TEAM\", \"resourceSlug\": \"seats\", \"quantity\": 1, \"ttlSeconds\": 60}" | id reservation)
get "/resource-claims/$TEAM/usage?resourceSlug=seats" | fields available
post /reservations/$RESERVATION/confirm '{}' | fields status
post /resource-claims/$TEAM/release '{"resourceSlug": "seats", "quantity": 1}'

post /subscriptions/$TEAM/cancel '{"cancellation": {"timing": "at_end_of_current_billing_period"}}'
post /resource-claims/$TEAM/claim '{"resourceSlug": "seats", "externalId": "alan"}'
get "/resource-claims/$TEAM/claims" | fields 'externalId|expiredAt' | tail -2
post /subscriptions/$TEAM/uncancel '{}'
get "/resource-claims/$TEAM/claims" | fields 'externalId|expiredAt' | tail -2
