# The commands of rest/guides/books.md. URL and KEY are in the environment.
set -e

. test/walks/tools.sh
NOOR=$(post /customers '{"customer": {"name": "Noor", "email": "noor@example.com", "externalId": "noor", "collectionMethod": "send_invoice"}}' | id cust)
INVOICE=$(post /invoices "{\"invoice\": {\"customerId\": \"$NOOR\", \"currency\": \"KWD\"}, \"invoiceLineItems\": [{\"description\": \"Audit\", \"quantity\": 3, \"price\": 12345}]}" | id inv)
post /invoices/$INVOICE/finalize '{}' | fields 'status'
post /invoices/$INVOICE/payments '{"amount": 37000, "method": "check"}' | fields 'method'
post /credit-notes "{\"creditNote\": {\"invoiceId\": \"$INVOICE\", \"amount\": 35, \"settle\": \"write_off\", \"reason\": \"other\"}}" | fields 'total'
graphql "{ books(customerId: \"$NOOR\") { currency equation difference } }"
