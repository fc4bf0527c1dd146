# The commands of rest/guides/catalog.md. URL and KEY are in the environment.
set -e

. test/walks/tools.sh

FOLDER=$(mktemp -d)
tollgate catalog export $FOLDER/catalog.yaml
cat $FOLDER/catalog.yaml
tollgate catalog plan $FOLDER/catalog.yaml

cat > $FOLDER/catalog.yaml <<'END'
name: Studio
resources:
  - {slug: seats, name: Seats}
usageMeters: []
features:
  - {type: resource, slug: five-seats, name: Five seats, description: Room for five, amount: 5, resourceSlug: seats}
products:
  - product: {slug: studio, name: Studio, active: true}
    price: {type: subscription, slug: studio-monthly, isDefault: true, unitPrice: 2000, intervalUnit: month, intervalCount: 1}
    features: [five-seats]
END
tollgate catalog plan $FOLDER/catalog.yaml

tollgate catalog apply $FOLDER/catalog.yaml
tollgate catalog apply $FOLDER/catalog.yaml

cat > $FOLDER/team.yaml <<'END'
name: Team tools
resources:
  - {slug: tool-seats, name: Seats}
usageMeters:
  - usageMeter: {slug: tool-calls, name: API calls}
    prices:
      - {type: usage, slug: tool-calls-usual, isDefault: true, unitPrice: 2, usageEventsPerUnit: 10, intervalUnit: month, intervalCount: 1}
features:
  - {type: toggle, slug: tool-sso, name: Single sign-on, description: Sign in with the account of the company}
  - {type: resource, slug: tool-seat, name: Seat, description: Room for one person, amount: 1, resourceSlug: tool-seats}
  - {type: usage_credit_grant, slug: tool-included, name: Included calls, description: 1000 calls for each seat, amount: 1000, renewalFrequency: every_billing_period, usageMeterSlug: tool-calls}
products:
  - product: {slug: tools, name: Team tools, active: true}
    price:
      type: subscription
      slug: tools-monthly
      isDefault: true
      intervalUnit: month
      intervalCount: 1
      model: graduated
      tiers:
        - {upTo: 5, flatFee: 5000}
        - {upTo: 20, unitPrice: 900}
        - {unitPrice: 700}
    features: [tool-sso, tool-seat, tool-included]
END
TOOLS=$(tollgate catalog apply $FOLDER/team.yaml | sed -n 's/^Applied.*: //p')

KEY=$(graphql "mutation { createApiKey(apiKey: {name: \"Team tools\", pricingModelId: \"$TOOLS\"}) { token } }" | grep -o 'sk_test_[^"]*')
post /discounts '{"discount": {"name": "Launch", "code": "LAUNCH20", "amountType": "percent", "amount": 20, "duration": "once"}}'
CUSTOMER=$(post /customers '{"customer": {"name": "Nia", "email": "nia@example.com", "externalId": "nia"}}' | id cust)
post /payment-methods "{\"paymentMethod\": {\"customerId\": \"$CUSTOMER\", \"type\": \"card\", \"token\": \"sandbox_success\"}}"
post /subscriptions '{"customerExternalId": "nia", "priceSlug": "tools-monthly", "quantity": 12, "discountCode": "LAUNCH20"}' | fields status
graphql "{ invoices(first: 1, where: {customer: {is: \"$CUSTOMER\"}}) { nodes { total } } }"
get /customers/nia/usage-balances | fields availableBalance

sed -i 's/unitPrice: 2000/unitPrice: 2500/' $FOLDER/catalog.yaml
tollgate catalog plan $FOLDER/catalog.yaml
tollgate catalog plan $FOLDER/catalog.yaml --exit-code || echo "exit code $?"

MODEL=$(get /pricing-models/default | id pricing_model)
curl -s $URL/api/v1/pricing-models/$MODEL/export -H "Authorization: Bearer $KEY" -H "Accept: application/yaml" > $FOLDER/exported.yaml
curl -s $URL/api/v1/pricing-models/setup -H "Authorization: Bearer $KEY" -H "Content-Type: application/yaml" -H "Prefer: dry-run" --data-binary @$FOLDER/exported.yaml | grep -o '"catalog":{.*}' | cut -c1-49
post /pricing-models/$MODEL/clone '{"name": "Copy"}' | fields 'name|isDefault' | head -2

rm -r $FOLDER
