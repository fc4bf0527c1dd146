# The commands of rest/guides/currencies.md. URL and KEY are in the environment.
set -e

. test/walks/tools.sh
PRODUCT=$(post /products '{"product": {"name": "Pro", "slug": "pro"}, "price": {"type": "subscription", "slug": "pro-jpy", "unitPrice": 3000, "currency": "JPY", "intervalUnit": "month"}}' | id prod)
graphql "mutation { createPrice(price: { productId: \"$PRODUCT\", type: subscription, intervalUnit: month, unitPrice: 6250, currency: \"KWD\", slug: \"pro-kwd\" }) { price { currency unitPrice isDefault } } }"
AKI=$(post /customers '{"customer": {"name": "Aki", "email": "aki@example.com", "externalId": "aki", "collectionMethod": "send_invoice"}}' | id cust)
post /subscriptions '{"customerExternalId": "aki", "priceSlug": "pro-jpy"}' | fields 'status'
graphql "{ customer(id: \"$AKI\") { currency invoicesPage { nodes { currency total } } } }"
post /invoices "{\"invoice\": {\"customerId\": \"$AKI\", \"currency\": \"KWD\"}, \"invoiceLineItems\": [{\"quantity\": 1, \"price\": 1000}]}" | grep -o 'is in KWD, and customer'
