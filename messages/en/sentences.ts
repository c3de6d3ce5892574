/**
 * Sentences of the gateway that have a code beside them in its answers (`contract/sentences.ts`): the gateway takes its
 * English from here, and the console says them in the reader's language. Every value is a plain text; in English
 * nothing depends on it. The tag `english` is around what somebody else wrote.
 */
export default {
  about: "{place}: ",
  // What a provider answered to a request that costs nothing.
  web_page_answered:
    "{host} answered with a web page (HTTP {status}) instead of JSON. A proxy or sign-in page may be in between, or the address is that of a website: check the base URL.",
  proxy_sign_in: "A proxy before {host} requires a sign-in (HTTP 407).",
  key_refused: "The key was refused (HTTP {status}).",
  key_required: "A key is required (HTTP {status}).",
  bill_unpaid: "The provider reports a problem with the bill or credit of this account (HTTP 402).",
  redirected: "{host} sends callers to {address}. Enter that address: a key is never sent along a redirect.",
  redirected_elsewhere:
    "{host} sends callers to another address. Enter that address: a key is never sent along a redirect.",
  path_unknown:
    "{host} answers, but has no {path} (HTTP {status}). Check the path of the base URL; most end in /v1.",
  provider_at_rate_limit:
    "The provider is at its rate limit (HTTP 429). The address and probably the key are right; try again later.",
  provider_failed: "The provider failed (HTTP {status}).",
  not_json: "{host} answered, but not with JSON: check the base URL.",
  provider_said: "Its message: <english>{message}</english>",
  clocks_apart: "Its clock and that of this machine are {minutes} minutes apart: check the clock.",
  // Why a provider gave no answer.
  host_unknown:
    "There is no host {host}: its name does not resolve. Check the spelling, and the DNS of this machine.",
  connection_refused:
    "Nothing listens at {address}. Start the server there, or check the port. From inside a container, localhost is the container itself.",
  host_unreachable: "There is no way to {host} from this machine.",
  connection_timed_out: "{address} could not be reached in time. A firewall may be blocking it.",
  answer_timed_out: "{host} accepted the connection, but did not answer within {seconds} s.",
  certificate_expired:
    "The certificate of {host} has expired. Have it renewed, or check the clock of this machine, which says {now}.",
  certificate_not_yet_valid:
    "The certificate of {host} is not valid yet. Check the clock of this machine, which says {now}.",
  certificate_of_others:
    "The certificate at {host} is for {names}. Check the address; a proxy may be in between.",
  certificate_of_another:
    "The certificate at {host} is for another name. Check the address; a proxy may be in between.",
  certificate_self_signed:
    "The certificate of {host} is not trusted: it is signed by the server itself ({error}). If you trust it, set NODE_EXTRA_CA_CERTS to the path of its PEM file and start the gateway again.",
  certificate_of_unknown_authority:
    "The certificate of {host} is not trusted: it is signed by an authority that this machine does not know, such as that of a company or of a proxy in between ({error}). If you trust it, set NODE_EXTRA_CA_CERTS to the path of its PEM file and start the gateway again.",
  no_https: "{address} does not speak https. Try http:// instead.",
  other_protocol: "{address} does not speak {protocol}, or is another service.",
  private_address:
    "{host} leads to a private address. If you intend that, allow private addresses for this provider.",
  connection_closed: "The connection to {address} was closed without an answer ({error}).",
  no_address: "The provider has no address in this region. Enter a base URL.",
  // Why a provider's key cannot be used; the region stands before it.
  key_of_other_secret:
    "its key was encrypted with another AUTH_SECRET; set AUTH_SECRET_PREVIOUS to that secret, or enter the key again",
  key_variable_is_setting: "{name} is a setting of this gateway, not a provider's key",
  key_variable_not_set: "the environment variable {name} is not set",
  key_file_outside: "{file} is not below {folder}",
  key_file_leads_outside: "{file} is a link to a file outside {folder}",
  key_file_empty: "{file} is empty",
  key_file_unreadable: "{file} cannot be read ({error})",
  // Why a route serves less than it names; the field of the route stands before it.
  route_provider_unknown: 'is "{provider}", which is not connected',
  route_provider_leaving: "is {provider}, which is being removed",
  route_repeats_rule: "repeats go_on_when: add failed there instead",
  route_region_without_key: "is {region}, for which {provider} has no credentials",
  route_region_without_models: "is {region}, where none of the route's models is offered",
  route_model_unknown: 'is "{model}", which is not in the catalog',
  route_model_without_operation: "has no operation of {model}",
  route_operation_not_supported: "is {model}, but the protocol {protocol} does not support {operation}",
  route_regions_without_model: "has none in which {model} is offered ({regions})",
  // Why one route for all models leaves a model out.
  left_out_regions: "it runs only in {regions}",
  left_out_regions_without_key: "it runs only in {regions}, for which {provider} has no key",
  left_out_by_file: "the providers file maps it",
  left_out_own_route: "it is your own model and already has a route",
  // Why a guard failed.
  guard_paused: "It failed several times in a row, so it is not asked for a while.",
  guard_secret_unreadable: "Its secret cannot be opened. Rotate it.",
  guard_redirects: "It answered {status}, and redirects are not followed.",
  guard_question_too_large: "The question is too large for it (413).",
  guard_status: "It answered {status} instead of 200.",
  guard_answer_too_large: "Its answer is larger than {bytes} bytes.",
  guard_answer_not_accepted: "Its answer is not accepted: <english>{problem}</english>",
  guard_answer_not_json: "Its answer is not JSON.",
  guard_answer_no_object: "Its answer is not a JSON object.",
  guard_action_unknown: "Its `action` is not allow, block or replace.",
  guard_gave_no_reason: "It gave no reason.",
  guard_replacement_no_object: "It replaces the {stage} with something that is not an object.",
  guard_replacement_not_accepted: "Its {stage} is not accepted: <english>{problem}</english>",
  guard_replaces_unreplaceable:
    "It replaces an output that can only be allowed or blocked: not the whole text of one answer.",
  guard_output_no_text: "It replaces the output with something else than {shape}.",
  guard_replaces_gated_input: "It replaces an input that it may not see, because its model is gated.",
  guard_names_other_model: "It names another model, and a guard may only replace the input.",
  guard_address_not_public: "Its address does not lead to a public address.",
  guard_installation_quiet: "This installation makes no connections now.",
  guard_timed_out: "It did not answer within {seconds} seconds.",
  guard_unreachable: "It could not be reached.",
  guard_unreachable_because: "It could not be reached ({error}).",
  // Why the files of the certificate cannot be used; the setting and the path stand before it.
  signing_file_unreadable: "cannot be read: {error}",
  signing_no_certificate: "has no certificate in PEM",
  signing_certificate_unreadable: "has a certificate that cannot be read",
  signing_many_certificates: "has more than {count} certificates",
  signing_certificate_expired: "the certificate expired on {at}. Have it renewed",
  signing_certificate_not_yet_valid: "the certificate is valid only from {at}",
  signing_certificate_of_authority:
    "the first certificate is an authority's. Put the one of the key first, then those that lead to its authority",
  signing_certificate_self_signed:
    "the certificate is signed with its own key, which C2PA does not accept. Have one issued by an authority",
  signing_certificate_not_for_signatures: "the certificate's key usage does not include digitalSignature",
  signing_certificate_not_for_content:
    "the certificate is not for signing content: its extended key usage must be C2PA claim signing (1.3.6.1.4.1.62558.2.1), document signing (1.3.6.1.5.5.7.3.36) or emailProtection, and not any",
  signing_certificate_names_no_authority:
    "the certificate does not name its authority's key (no authority key identifier)",
  signing_chain_broken: "certificate {number} did not issue the one before it",
  signing_key_encrypted: "is encrypted. Decrypt it ({command}) and let only the gateway read it",
  signing_no_key: "has no private key in PEM",
  signing_key_of_other_kind: "must be an ECDSA (P-256, P-384, P-521), RSA or Ed25519 key",
  signing_key_too_short: "must have at least {bits} bits",
  signing_key_of_other_certificate: "is not the key of the first certificate in {file}",
  // Why the prices file cannot be used; the setting and the path stand before it.
  prices_unreadable: "cannot be read: <english>{problem}</english>",
  prices_wrong_shape: "{place} <english>{problem}</english>",
  prices_wrong_shape_somewhere: "the file <english>{problem}</english>",
  prices_other_currency: "currency must be {currency}, as CURRENCY is set",
  prices_repeated: "prices[{number}] has the same model, provider and region as an earlier one",
  prices_component_refused: "<english>{problem}</english>",
} as const;
