# The commands of rest/guides/stripe.md. URL and KEY are in the environment, and an address in place of Stripe's.
set -e

echo sk_test_fakeFakeFake2222 > ~/stripe-key
npm run -s processors -- connect < ~/stripe-key
npm run -s processors -- list
