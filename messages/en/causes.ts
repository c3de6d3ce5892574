/**
 * What happened, by the cause of a notice, and as `…Advice` what it means and what to do: for the console, e-mails and
 * chats. A fact that may be missing has a `has_…` beside it.
 */
export default {
  "endpoint.failing": "Webhook endpoint {endpoint} is failing{count, plural, =1 {} other { (# times)}}",
  "endpoint.failingAdvice":
    "{failures, plural, one {# attempt} other {# attempts}} in a row failed. Deliveries are retried; after days without success the endpoint is disabled.",
  "endpoint.disabled": "Webhook endpoint {endpoint} was disabled",
  "endpoint.disabledAdvice":
    "{reason, select, failing {Every attempt failed for too long. } gone {Its receiver answered that it is gone for good. } stopped {Its receiver requested no more deliveries. } manual {Somebody disabled it. } other {}}Events wait. Fix the receiver, then enable the endpoint and resend missed events.",
  "endpoint.recovered": "Webhook endpoint {endpoint} works again",
  "endpoint.recoveredAdvice":
    "A delivery succeeded after failures. Resend missed events from the endpoint's page.",
  "delivery.exhausted":
    "{count, plural, one {# event} other {# events}} could not be delivered to {endpoint}",
  "delivery.exhaustedAdvice":
    "All attempts failed{has_error, select, yes {, the last: {why}} other {}}. Nothing more is sent until somebody retries.",
  "callbacks.requeued": "Callbacks to {address} are sent again",
  "callbacks.requeuedAdvice":
    "An earlier release canceled them while they waited. Each is sent once more, as a new delivery.",
  "copy.exhausted": "{count, plural, one {# file} other {# files}} could not be copied to {name}",
  "copy.exhaustedAdvice":
    "{message} Nothing more is tried until somebody retries, before the file is removed.",
  "budget.threshold":
    "{percent} % of the budget of {has_name, select, yes {{name}} other {{has_holder, select, yes {{holder}} other {the account}}}} is used",
  "budget.thresholdAdvice":
    "{spent} of {amount} {currency}. A hard budget rejects further requests once it is used up.",
  "task.refused":
    "{connection} was refused: the task “{value}” reached its cap{count, plural, =1 {} other { (# times)}}",
  "task.refusedAdvice":
    "{has_amount, select, yes {It spent {spent} of {amount} {currency}. } other {}}{has_max_runs, select, yes {It ran {runs} of {max_runs} times. } other {}}Raise it if it may continue.",
  "guard.failing": "The guard of this account fails ({host})",
  "guard.failingAdvice":
    "{reason} {on_error, select, allow {Runs continue unchecked} other {Runs are refused}} until it answers again.",
  "guard.recovered": "The guard of this account works again ({host})",
  "guard.recoveredAdvice": "Its last answer was valid.",
  "outputs.expiring":
    "Outputs of {predictions, plural, one {# prediction} other {# predictions}} will be removed soon",
  "outputs.expiringAdvice": "The first on {from}. Download what you want to keep.",
  "share.reported": "A shared file of {model} was reported{count, plural, =1 {} other { (# times)}}",
  "share.reportedAdvice":
    "The reason: “{report}”. Nothing was removed: look at it, then remove the file or dismiss the report.",
  "attestation.withdrawn": "{name} withdrew an attestation",
  "attestation.withdrawnAdvice":
    "{kind, select, adult {Adult content} other {Portrait rights}}: their requests that need it are rejected, and those of the service keys they answer for.",
  "key.expiring": "Key {name} expires soon",
  "key.expiringAdvice": "It stops working on {expires_at}. Make another one and replace it before.",
  "batch.finished":
    "{count, plural, =1 {Batch {name} has {status, select, stopped {stopped} other {finished}}} other {# batches have ended}}",
  "batch.finishedAdvice":
    "{count, plural, =1 {} other {The last: {name}, }}{succeeded, plural, one {# row} other {# rows}} succeeded, {failed} failed.",
  "member.joined": "{count, plural, =1 {{name} joined the account} other {# people joined the account}}",
  "member.joinedAdvice":
    "{count, plural, =1 {They joined} other {The last: {name}}} as {role, select, owner {owner} admin {admin} member {member} viewer {viewer} billing {billing} other {{role}}}.",
  "sign_in.new_place": "Somebody signed in as you from a new place",
  "sign_in.new_placeAdvice":
    "From {has_ip, select, yes {{ip}} other {an unknown address}}{has_device, select, yes { with {device}} other {}}, on {at}. If it was not you, end the session and change your password.",
  "provider.key_refused": "{provider} refuses its key",
  "provider.key_refusedAdvice": "In {region}. The provider's message: {message}",
  "provider.bill_unpaid": "{provider} reports a problem with its bill",
  "provider.bill_unpaidAdvice": "In {region}. The provider's message: {message}",
  "provider.unhealthy": "{model} at {provider} is failing",
  "provider.unhealthyAdvice":
    "In {region}: its breaker is open, so other providers are tried first. Its last message: {message}",
  "usage.not_priced": "{id} runs without a price",
  "usage.not_pricedAdvice":
    "{runs, plural, one {# run} other {# runs}} since {day} (UTC) are in no bill and no budget. Set a price; it applies to later runs.",
  "file.reported":
    "A shared file of the account {account} was reported{count, plural, =1 {} other { (# times)}}",
  "file.reportedAdvice":
    "The reason: “{report}”. Nothing was removed: look at it, then remove the file or dismiss the report.",
  "certificate.expiring": "The certificate of {host} expires soon",
  "certificate.expiringAdvice": "On {expires_at}. Have it renewed before.",
  "signing_certificate.expiring": "The certificate that signs outputs expires soon",
  "signing_certificate.expiringAdvice":
    "On {expires_at}: {subject}. From then on outputs are stored unsigned. Have it renewed before.",
  "retention.lagging": "Expired data is removed too late ({kind})",
  "retention.laggingAdvice":
    "The oldest has been due for {minutes, plural, one {# minute} other {# minutes}}. See the log of the workers.",
  "audit_stream.behind":
    "{has_dropped, select, yes {{dropped, plural, one {# event} other {# events}} of the audit log could not leave in time, and were dropped} other {The audit log has not left for {minutes, plural, one {# minute} other {# minutes}}}}",
  "audit_stream.behindAdvice":
    "{has_error, select, yes {The last attempt: {error}. } other {}}Check the receiver, and AUDIT_STREAM_TO in the settings.",
  "database.connections": "The database has few connections left",
  "database.connectionsAdvice":
    "{used} of {limit} are in use. Raise max_connections, or run fewer processes.",
  "database.disk": "The disk of the database is almost full",
  "database.diskAdvice": "{free} of {size} are free. A full disk stops the gateway.",
  "installation_guard.failing": "The guard of this installation fails ({host})",
  "installation_guard.failingAdvice":
    "{reason} {on_error, select, allow {Runs continue unchecked} other {Runs are refused}} until it answers again.",
  "installation_guard.recovered": "The guard of this installation works again ({host})",
  "installation_guard.recoveredAdvice": "Its last answer was valid.",
  "load.high":
    "{who, select, keyless {Requests without a key use} small {Many small accounts use} other {{account} uses}} most of the processor time",
  "load.highAdvice":
    "Processes had almost none left in the last {minutes, plural, one {# minute} other {# minutes}}. An estimated {share} % went to {requests, plural, one {# request} other {# requests}} {who, select, keyless {without a key. Run} small {of many small accounts. Run} other {of {account}. Limit the account, or run}} more processes.",
  "store.full": "Files cannot be stored: the object store or its disk is full",
  "store.fullAdvice": "Since {since}. Make room; waiting runs then continue automatically.",

  // Many notices of one cause in one line of an e-mail or a chat.
  among: "{title}, among them {names}",
  manyEndpointsFail: "{count, number} webhook endpoints are failing",
  manyEndpointsFailAdvice: "Deliveries are retried; after days without success an endpoint is disabled.",
  manyEndpointsDisabled: "{count, number} webhook endpoints were disabled",
  manyEndpointsDisabledAdvice:
    "Events wait. Fix the receivers, then enable the endpoints and send what they missed.",
  manyEndpointsWork: "{count, number} webhook endpoints work again",
  manyEndpointsWorkAdvice:
    "Deliveries succeeded after failures. Send again what the endpoints missed from their pages.",
  manyUndelivered: "Events could not be delivered to {count, number} webhook endpoints",
  manyUndeliveredAdvice: "All attempts failed. Nothing more is sent until somebody retries.",

  // Many notices of one cause in one line of the console.
  groupFailing:
    "{subjects, plural, =0 {Endpoints failed. None fails now} one {{endpoints} endpoint fails{has_error, select, yes {: {why}} other {}}} other {{endpoints} endpoints fail{has_error, select, yes {: {why}} other {}}}}",
  groupFailingAdvice: "Deliveries are retried. After days without success an endpoint is disabled.",
  groupDisabled:
    "{subjects, plural, =0 {Endpoints were disabled. All are enabled again} one {{endpoints} endpoint was disabled} other {{endpoints} endpoints were disabled}}",
  groupDisabledAdvice: "Events wait. Fix the receivers, then enable the endpoints and send what they missed.",
  groupRecovered:
    "{subjects, plural, one {{endpoints} endpoint works again} other {{endpoints} endpoints work again}}",
  groupRecoveredAdvice: "Send what they missed from their pages.",
  groupUndelivered:
    "{times, plural, one {{events} event} other {{events} events}} did not reach {subjects, plural, one {{endpoints} endpoint} other {{endpoints} endpoints}}{has_error, select, yes {: {why}} other {}}",
  groupUndeliveredAdvice: "All attempts failed. Nothing more is sent until somebody retries.",

  // Why an attempt failed, within a sentence.
  blocked_address: "address not allowed",
  dns_error: "host not found",
  connect_refused: "connection refused",
  connect_timeout: "connection timed out",
  connection_reset: "connection lost",
  tls_error: "TLS failed",
  timeout: "no response in 10 s",
  http_3xx: "redirect",
  http_4xx: "rejected by the receiver",
  http_5xx: "receiver error",
  invalid_response: "invalid response",
  interrupted: "interrupted",
  stale_connection: "reused connection closed",
  payload_expired: "content removed before delivery",

  // Why a file was reported.
  intimate: "An intimate image, shown without consent",
  person: "It shows or imitates a person who does not want that",
  illegal: "It is illegal",
  copyright: "It violates a copyright or trademark",
  other: "Something else",
} as const;
