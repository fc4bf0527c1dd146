# The commands of rest/guides/checkout.md. URL and KEY are in the environment.
set -e

. test/walks/tools.sh
post /products '{"product": {"name": "Set-up", "slug": "set-up"}, "price": {"type": "single_payment", "slug": "set-up", "unitPrice": 5000}}'
post /checkout-sessions '{"checkoutSession": {"type": "product", "anonymous": true, "priceSlug": "set-up", "quantity": 2, "successUrl": "https://example.com/thanks", "cancelUrl": "https://example.com/cart"}}' | fields status
graphql "{ checkoutSessions(last: 1) { nodes { status quantity price { slug unitPrice } } } }"
