# The commands of rest/guides/credit-notes.md. URL and KEY are in the environment.
set -e

. test/walks/tools.sh
ANNA=$(post /customers '{"customer": {"name": "Anna", "email": "anna@example.com", "externalId": "anna", "collectionMethod": "send_invoice"}}' | id cust)
graphql 'mutation { updateCustomer(externalId: "anna", customer: {taxType: vat, taxRatePercentage: "19"}) { customer { id } } }'
INVOICE=$(post /invoices "{\"invoice\": {\"customerId\": \"$ANNA\", \"currency\": \"EUR\"}, \"invoiceLineItems\": [{\"description\": \"Desk\", \"quantity\": 3, \"price\": 19999}]}" | id inv)
LINE=$(post /invoices/$INVOICE/finalize '{}' | id inv_li)
post /invoices/$INVOICE/payments '{"amount": 71396, "method": "bank_transfer"}' | fields 'amount'

post /credit-notes "{\"creditNote\": {\"invoiceId\": \"$INVOICE\", \"lines\": [{\"invoiceLineItemId\": \"$LINE\", \"quantity\": \"1\"}], \"settle\": \"refund\", \"reason\": \"product_unsatisfactory\"}}" | fields 'status|settlement|total'
graphql "{ invoice(id: \"$INVOICE\") { status total amountPaid amountCredited creditNotes(first: 1) { nodes { subtotal taxAmount } } } }"
