"""A client of Tollgate's REST interface, of the standard library of Python 3.9 alone."""

import base64
import hashlib
import hmac
import json
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid


class TollgateError(Exception):
    """A refusal by the service: its status, its code and the issues of the request."""

    def __init__(self, status, answer):
        super().__init__(answer.get("message") or answer.get("error") or f"The answer is {status}")
        self.status = status
        self.code = answer.get("code")
        self.issues = answer.get("issues", [])


class Tollgate:
    """A connection with a secret key, such as `Tollgate("https://billing.example.com", key)`."""

    def __init__(self, url, key, timeout=30):
        self.base = url.rstrip("/") + "/api/v1"
        self.key = key
        self.timeout = timeout

    def get(self, path, **query):
        text = urllib.parse.urlencode(query)
        return self._send("GET", f"{path}?{text}" if text else path)

    def post(self, path, body, idempotency_key=None):
        """Sends a change. A repeat with the same key gets the first answer, also after a lost connection."""
        return self._send("POST", path, body, idempotency_key or str(uuid.uuid4()))

    def _send(self, method, path, body=None, idempotency_key=None):
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        if idempotency_key:
            headers["Idempotency-Key"] = idempotency_key
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise TollgateError(error.code, json.load(error)) from None


def verify_webhook(body, headers, secrets, tolerance=300, now=None):
    """Returns the event of a delivery whose signature is valid, by Standard Webhooks.

    `body` has the bytes before any parsing. `secrets` has several while one replaces the other. Errors: ValueError.
    """
    known = {name.lower(): value for name, value in headers.items()}
    try:
        identifier, moment = known["webhook-id"], known["webhook-timestamp"]
        signatures = known["webhook-signature"].split(" ")
    except KeyError as missing:
        raise ValueError(f"The header {missing} is missing") from None
    if not moment.isdigit() or abs((time.time() if now is None else now) - int(moment)) > tolerance:
        raise ValueError(f"webhook-timestamp is not within {tolerance} s")
    signed = f"{identifier}.{moment}.".encode() + body
    for secret in secrets:
        key = base64.b64decode(secret.removeprefix("whsec_"))
        digest = hmac.new(key, signed, hashlib.sha256).digest()
        expected = "v1," + base64.b64encode(digest).decode()
        if any(hmac.compare_digest(expected.encode(), each.encode()) for each in signatures):
            return json.loads(body)
    raise ValueError("No signature is valid for one of the secrets")
