"""Bills a customer for a plan and its usage, or checks the signature of a webhook.

    URL=http://127.0.0.1:4000 KEY=sk_test_… python3 example.py bill <price slug> <meter slug> <external id>
    python3 example.py verify <secret> <headers as JSON> < body
"""

import json
import os
import sys

from tollgate import Tollgate, TollgateError, verify_webhook


def bill(price, meter, external_id):
    tollgate = Tollgate(os.environ["URL"], os.environ["KEY"])
    email = f"{external_id}@example.com"
    customer = {"name": external_id, "email": email, "externalId": external_id}
    created = tollgate.post("/customers", {"customer": customer}, f"customer-{external_id}")
    customer_id = created["data"]["customer"]["id"]
    # In test mode the sandbox pays with this token.
    card = {"customerId": customer_id, "type": "card", "token": "sandbox_success"}
    tollgate.post("/payment-methods", {"paymentMethod": card})
    subscribed = {"customerExternalId": external_id, "priceSlug": price}
    subscription = tollgate.post("/subscriptions", subscribed)["subscription"]
    used = {"subscriptionId": subscription["id"], "usageMeterSlug": meter}
    events = [{**used, "transactionId": f"{external_id}-{n}", "amount": 10} for n in (1, 2, 3)]
    # A repeat of a transactionId records nothing.
    for _ in (1, 2):
        tollgate.post("/usage-events/bulk", {"usageEvents": events})
    billing = tollgate.get(f"/customers/{external_id}/billing")
    balances = tollgate.get(f"/customers/{external_id}/usage-balances")
    try:
        tollgate.get("/customers/nobody")
    except TollgateError as error:
        refusal = [error.status, error.code]
    return {
        "customer": customer_id,
        "subscription": subscription["status"],
        "invoices": [invoice["invoice"]["status"] for invoice in billing["invoices"]],
        "balances": [balance["availableBalance"] for balance in balances["usageMeterBalances"]],
        "refusal": refusal,
    }


def verify(secret, headers):
    event = verify_webhook(sys.stdin.buffer.read(), json.loads(headers), [secret])
    return {"type": event["type"], "objectId": event["objectId"]}


if __name__ == "__main__":
    command, *arguments = sys.argv[1:]
    print(json.dumps({"bill": bill, "verify": verify}[command](*arguments)))
