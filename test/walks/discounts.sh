# The commands of rest/guides/discounts.md. URL and KEY are in the environment.
set -e

. test/walks/tools.sh
post /products '{"product": {"name": "Club", "slug": "club"}, "price": {"type": "subscription", "slug": "club-monthly", "unitPrice": 5000, "intervalUnit": "month"}}'
post /discounts '{"discount": {"name": "Welcome", "code": "WELCOME20", "amountType": "percent", "amount": 20, "duration": "number_of_payments", "numberOfPayments": 3, "redemptionLimit": 100}}'
CUSTOMER=$(post /customers '{"customer": {"name": "Dora", "email": "dora@example.com", "externalId": "dora"}}' | id cust)
post /payment-methods "{\"paymentMethod\": {\"customerId\": \"$CUSTOMER\", \"type\": \"card\", \"token\": \"sandbox_success\"}}"
post /subscriptions '{"customerExternalId": "dora", "priceSlug": "club-monthly", "discountCode": "welcome20"}' | fields status
graphql "{ invoices(first: 1, where: {customer: {is: \"$CUSTOMER\"}}) { nodes { total lineItems { description amount } } } }"
graphql "{ discountRedemptions(first: 1, where: {customer: {is: \"$CUSTOMER\"}}) { nodes { code remainingPayments } } }"

SUBSCRIPTION=$(graphql "{ subscriptions(last: 1) { nodes { id } } }" | id sub)
post /discounts '{"discount": {"name": "Stay", "code": "STAY-WITH-US", "amountType": "percent", "amount": 12.5, "duration": "number_of_months", "numberOfMonths": 6}}'
post "/subscriptions/$SUBSCRIPTION/remove-discount" '{}' | fields code
post "/subscriptions/$SUBSCRIPTION/apply-discount" '{"discountCode": "stay-with-us"}' | fields code
graphql "{ upcomingInvoice(subscription: \"$SUBSCRIPTION\") { subtotal } }"
