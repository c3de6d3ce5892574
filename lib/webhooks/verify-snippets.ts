export interface VerifySnippet {
  id: string;
  label: string;
  /** The highlighter's name of the language. */
  language: string;
  fileName: string;
  /** The command that starts the receiver, in one line. */
  run: string;
  code: string;
}

/** A shell script that acts like the gateway: it signs a test body and posts it to a receiver. */
const curl = `#!/bin/sh
# Sends your receiver a request signed as the gateway signs it.
# WEBHOOK_SECRET is the endpoint's secret, RECEIVER_URL your receiver.
BODY='{"id":"evt_test","object":"event","type":"endpoint.test","data":{"object":null}}'
TIMESTAMP=$(date +%s)
SIGNATURE=$(printf '%s.%s' "$TIMESTAMP" "$BODY" |
  openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" -r | cut -d ' ' -f 1)

curl --silent --show-error --fail-with-body --include "$RECEIVER_URL" \\
  --header 'content-type: application/json' \\
  --header "x-svc-event-id: evt_test" \\
  --header "x-svc-signature: t=$TIMESTAMP,v1=$SIGNATURE" \\
  --data-binary "$BODY"
`;

/** Node with the `stripe` package, which can verify our signature unchanged. */
const nodeStripe = `import { createServer } from "node:http";
import Stripe from "stripe";

const secret = process.env.WEBHOOK_SECRET;

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  // The raw bytes: no body parser may run before this.
  const rawBody = Buffer.concat(chunks);
  try {
    const event = Stripe.webhooks.constructEvent(rawBody, request.headers["x-svc-signature"], secret);
    // Deliveries come at least once: skip an event.id that you have handled.
    console.log(event.id, event.type);
    response.writeHead(204).end();
  } catch (error) {
    console.error(error.message);
    response.writeHead(400).end("signature refused");
  }
}).listen(Number(process.env.PORT ?? 8080));
`;

/** Node with only its built-in crypto module. */
const node = `import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const secret = process.env.WEBHOOK_SECRET;
const toleranceSeconds = 300;

function verify(rawBody, header) {
  const parts = (header ?? "").split(",").map((part) => part.split("="));
  const timestamp = parts.find(([name]) => name === "t")?.[1];
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(age <= toleranceSeconds)) return false;
  const expected = createHmac("sha256", secret).update(timestamp + ".").update(rawBody).digest();
  return parts.some(([name, hex]) => {
    if (name !== "v1") return false;
    const given = Buffer.from(hex ?? "", "hex");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  // The raw bytes: no body parser may run before this.
  const rawBody = Buffer.concat(chunks);
  if (!verify(rawBody, request.headers["x-svc-signature"])) {
    return response.writeHead(400).end("signature refused");
  }
  const event = JSON.parse(rawBody);
  // Deliveries come at least once: skip an event.id that you have handled.
  console.log(event.id, event.type);
  response.writeHead(204).end();
}).listen(Number(process.env.PORT ?? 8080));
`;

/** PHP 8, no extension needed: `php -S 0.0.0.0:8080 receiver.php`. */
const php = `<?php
const toleranceSeconds = 300;

function verify(string $rawBody, string $header, string $secret): bool
{
    $timestamp = '';
    $signatures = [];
    foreach (explode(',', $header) as $part) {
        [$name, $value] = explode('=', $part, 2) + ['', ''];
        if ($name === 't') $timestamp = $value;
        if ($name === 'v1') $signatures[] = $value;
    }
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > toleranceSeconds) {
        return false;
    }
    $expected = hash_hmac('sha256', $timestamp . '.' . $rawBody, $secret);
    foreach ($signatures as $signature) {
        if (hash_equals($expected, $signature)) return true;
    }
    return false;
}

// The raw bytes: verify before anything parses them.
$rawBody = file_get_contents('php://input');
if (!verify($rawBody, $_SERVER['HTTP_X_SVC_SIGNATURE'] ?? '', getenv('WEBHOOK_SECRET'))) {
    http_response_code(400);
    exit('signature refused');
}
$event = json_decode($rawBody, true);
// Deliveries come at least once: skip an event id that you have handled.
error_log($event['id'] . ' ' . $event['type']);
http_response_code(204);
`;

/** Python 3, standard library only. */
const python = `import hashlib
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

/** Go, standard library only. */
const go = `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

const toleranceSeconds = 300

func verify(rawBody []byte, header string, secret []byte) bool {
	var timestamp string
	var signatures []string
	for _, part := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(part, "=")
		switch name {
		case "t":
			timestamp = value
		case "v1":
			signatures = append(signatures, value)
		}
	}
	sent, err := strconv.ParseInt(timestamp, 10, 64)
	age := time.Now().Unix() - sent
	if err != nil || age > toleranceSeconds || age < -toleranceSeconds {
		return false
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(timestamp + "."))
	mac.Write(rawBody)
	expected := mac.Sum(nil)
	for _, signature := range signatures {
		given, err := hex.DecodeString(signature)
		if err == nil && hmac.Equal(given, expected) {
			return true
		}
	}
	return false
}

func main() {
	secret := []byte(os.Getenv("WEBHOOK_SECRET"))
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		// The raw bytes: verify before anything parses them.
		rawBody, err := io.ReadAll(r.Body)
		if err != nil || !verify(rawBody, r.Header.Get("x-svc-signature"), secret) {
			http.Error(w, "signature refused", http.StatusBadRequest)
			return
		}
		var event struct{ ID, Type string }
		if err := json.Unmarshal(rawBody, &event); err != nil {
			http.Error(w, "not JSON", http.StatusBadRequest)
			return
		}
		// Deliveries come at least once: skip an event.ID that you have handled.
		log.Println(event.ID, event.Type)
		w.WriteHeader(http.StatusNoContent)
	})
	port := os.Getenv("PORT")
	if port == "" {
		port = "8080"
	}
	log.Fatal(http.ListenAndServe(":"+port, nil))
}
`;

/** Complete receivers. The tests run each of them unchanged. */
export const verifySnippets: readonly VerifySnippet[] = [
  {
    id: "node-stripe",
    label: "Node (stripe)",
    language: "javascript",
    fileName: "receiver.mjs",
    run: "npm install stripe && WEBHOOK_SECRET=whsec_… node receiver.mjs",
    code: nodeStripe,
  },
  {
    id: "node",
    label: "Node",
    language: "javascript",
    fileName: "receiver.mjs",
    run: "WEBHOOK_SECRET=whsec_… node receiver.mjs",
    code: node,
  },
  {
    id: "python",
    label: "Python",
    language: "python",
    fileName: "receiver.py",
    run: "WEBHOOK_SECRET=whsec_… python3 receiver.py",
    code: python,
  },
  {
    id: "go",
    label: "Go",
    language: "go",
    fileName: "receiver.go",
    run: "WEBHOOK_SECRET=whsec_… go run receiver.go",
    code: go,
  },
  {
    id: "php",
    label: "PHP",
    language: "php",
    fileName: "receiver.php",
    run: "WEBHOOK_SECRET=whsec_… php -S 0.0.0.0:8080 receiver.php",
    code: php,
  },
  {
    id: "curl",
    label: "curl",
    language: "shellscript",
    fileName: "send-test.sh",
    run: "WEBHOOK_SECRET=whsec_… RECEIVER_URL=http://localhost:8080 sh send-test.sh",
    code: curl,
  },
];
