# Short commands for the guides: `. test/walks/tools.sh`. They need URL and KEY in the environment, and may have PREFER.
send() { curl -s -X "$1" "$URL/api/v1$2" -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" -H "Prefer: $PREFER" -d "$3"; echo; }
post() { send POST "$1" "$2"; }
put() { send PUT "$1" "$2"; }
get() { curl -s "$URL/api/v1$1" -H "Authorization: Bearer $KEY" -H "Prefer: $PREFER"; echo; }
graphql() { curl -s "$URL/graphql" -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" -d "{\"query\": \"$(echo "$1" | sed 's/"/\\"/g')\"}"; echo; }
# Prints an answer for people, with times in ISO 8601.
show() { tollgate api GET "$1"; }
# Picks from an answer the first id with a prefix: `id sub`.
id() { grep -o "\"$1_[0-9A-Za-z]*\"" | head -1 | tr -d '"'; }
# Picks fields from an answer by their names: `fields 'status|total'`.
fields() { grep -oE "\"($1)\":(\"[^\"]*\"|[^][{},]+)"; }
# Prints the status and the amount of each invoice of a customer, by the customer's id.
invoices() { graphql "{ invoices(first: 100, where: {customer: {is: \"$1\"}}) { nodes { status subtotal } } }" | fields 'status|subtotal' | paste -d' ' - -; }
