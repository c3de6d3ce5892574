/** Python 3, standard library only. */
export const python = `import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = os.environ["WEBHOOK_SECRET"].encode()
TOLERANCE_SECONDS = 300


def verify(raw_body: bytes, header: str) -> bool:
    parts = [part.partition("=")[::2] for part in header.split(",")]
    timestamp = next((value for name, value in parts if name == "t"), "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    expected = hmac.new(SECRET, timestamp.encode() + b"." + raw_body, hashlib.sha256).hexdigest()
    return any(name == "v1" and hmac.compare_digest(value.encode(), expected.encode()) for name, value in parts)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        # The raw bytes: verify before anything parses them.
        raw_body = self.rfile.read(int(self.headers["content-length"]))
        accepted = verify(raw_body, self.headers.get("x-svc-signature", ""))
        if accepted:
            event = json.loads(raw_body)
            # Deliveries come at least once: skip an event id that you have handled.
            print(event["id"], event["type"])
        self.send_response(204 if accepted else 400)
        self.end_headers()


HTTPServer(("", int(os.environ.get("PORT", "8080"))), Receiver).serve_forever()
`;
