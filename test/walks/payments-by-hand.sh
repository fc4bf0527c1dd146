# The commands of rest/guides/payments-by-hand.md. URL and KEY are in the environment.
set -e

. test/walks/tools.sh
KENJI=$(post /customers '{"customer": {"name": "Kenji", "email": "kenji@example.com", "externalId": "kenji", "collectionMethod": "send_invoice", "daysUntilDue": 10}}' | id cust)
INVOICE=$(post /invoices "{\"invoice\": {\"customerId\": \"$KENJI\", \"currency\": \"JPY\"}, \"invoiceLineItems\": [{\"description\": \"Rent\", \"quantity\": 1, \"price\": 12000}]}" | id inv)
post /invoices/$INVOICE/finalize '{}' | fields 'status|subtotal'

post /invoices/$INVOICE/payments '{"amount": 5000, "method": "bank_transfer", "reference": "Transfer 4711"}' | fields 'reference|creditedAmount'
post /invoices/$INVOICE/payments '{"amount": 9000, "method": "bank_transfer", "reference": "Transfer 4712"}' | fields 'reference|creditedAmount'
graphql "{ invoice(id: \"$INVOICE\") { status amountPaid amountDue customer { creditBalance } } }"
