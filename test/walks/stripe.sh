# The commands of rest/guides/stripe.md. URL and KEY are in the environment, and an address in place of Stripe's.
set -e
. test/walks/tools.sh

echo sk_test_fakeFakeFake2222 > ~/stripe-key
ORGANIZATION=$(graphql '{ organization { id } }' | id org)
tollgate processors connect --organization "$ORGANIZATION" < ~/stripe-key
tollgate processors list
