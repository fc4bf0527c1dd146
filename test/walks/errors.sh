# The commands of rest/guides/errors.md. URL and KEY are in the environment.
set -e

. test/walks/tools.sh
graphql 'mutation { createCustomer(customer: {name: "Eve", email: "eve@example.com", externalId: ".."}) { customer { id } } }' | grep -oE '"issues":.*\}\]\}?' | cut -d'}' -f1

curl -s $URL/api/v1/customers -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" -H "Prefer: issues=detailed" \
  -d '{"customer": {"name": "Eve", "externalId": "eve"}}' | grep -oE '"issues":.*\}\]\}?' | cut -d'}' -f1
