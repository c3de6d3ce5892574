/** A shell script that acts like the gateway: it signs a test body and posts it to a receiver. */
export const curl = `#!/bin/sh
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
