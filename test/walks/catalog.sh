# The commands of rest/guides/catalog.md. URL and KEY are in the environment.
set -e

. test/walks/tools.sh

FOLDER=$(mktemp -d)
npm run -s catalog -- export $FOLDER/catalog.yaml
cat $FOLDER/catalog.yaml
npm run -s catalog -- plan $FOLDER/catalog.yaml

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
npm run -s catalog -- plan $FOLDER/catalog.yaml

npm run -s catalog -- apply $FOLDER/catalog.yaml
npm run -s catalog -- apply $FOLDER/catalog.yaml

sed -i 's/unitPrice: 2000/unitPrice: 2500/' $FOLDER/catalog.yaml
npm run -s catalog -- plan $FOLDER/catalog.yaml
npm run -s catalog -- plan $FOLDER/catalog.yaml --exit-code || echo "exit code $?"

MODEL=$(get /pricing-models/default | id pricing_model)
curl -s $URL/api/v1/pricing-models/$MODEL/export -H "Authorization: Bearer $KEY" -H "Accept: application/yaml" > $FOLDER/exported.yaml
curl -s $URL/api/v1/pricing-models/setup -H "Authorization: Bearer $KEY" -H "Content-Type: application/yaml" -H "Prefer: dry-run" --data-binary @$FOLDER/exported.yaml | grep -o '"catalog":{.*}' | cut -c1-49
post /pricing-models/$MODEL/clone '{"name": "Copy"}' | fields 'name|isDefault' | head -2

rm -r $FOLDER
