# The commands of rest/guides/safe-changes.md. URL and KEY are in the environment.
set -e

. test/walks/tools.sh
RESOURCE=$(post /resources '{"resource": {"slug": "desks", "name": "Desks"}}' | id resource)
graphql "mutation { updateResource(id: \"$RESOURCE\", resource: {name: \"Tables\"}, expectedVersion: 1) { resource { name version } } }"
graphql "mutation { updateResource(id: \"$RESOURCE\", resource: {name: \"Chairs\"}, expectedVersion: 1) { resource { name version } } }" | fields code

curl -si $URL/api/v1/resources/$RESOURCE -H "Authorization: Bearer $KEY" | grep -i '^etag'
curl -s -X PUT $URL/api/v1/resources/$RESOURCE -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" -H 'If-Match: "1"' \
  -d '{"resource": {"name": "Chairs"}}' | fields code

graphql 'mutation @atomic { a: createResource(resource: {slug: "rooms", name: "Rooms"}) { resource { slug } } b: createResource(resource: {slug: "rooms", name: "Rooms"}) { resource { slug } } }' | fields code
get /resources | fields slug

