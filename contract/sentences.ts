import { type Static, Type } from "typebox";

/**
 * What sentences of answers say, beside errors, which have their own codes: a program decides by the code, and the
 * console says it in the reader's language. A field `…_codes` goes with the English text of a field, and has its
 * sentences in their order. A code keeps its meaning and the names of its values; new ones may be added.
 */
export const sentenceCodes = [
  // What a provider answered to a request that costs nothing.
  "web_page_answered",
  "proxy_sign_in",
  "key_refused",
  "key_required",
  "bill_unpaid",
  "redirected",
  "redirected_elsewhere",
  "path_unknown",
  "provider_at_rate_limit",
  "provider_failed",
  "not_json",
  "provider_said",
  "clocks_apart",
  // Why a provider gave no answer.
  "host_unknown",
  "connection_refused",
  "host_unreachable",
  "connection_timed_out",
  "answer_timed_out",
  "certificate_expired",
  "certificate_not_yet_valid",
  "certificate_of_others",
  "certificate_of_another",
  "certificate_self_signed",
  "certificate_of_unknown_authority",
  "no_https",
  "other_protocol",
  "private_address",
  "connection_closed",
  "no_address",
  // Why a provider's key cannot be used; the region stands before it.
  "key_of_other_secret",
  "key_variable_is_setting",
  "key_variable_not_set",
  "key_file_outside",
  "key_file_leads_outside",
  "key_file_empty",
  "key_file_unreadable",
  // Why a route serves less than it names; the field of the route stands before it.
  "route_provider_unknown",
  "route_provider_leaving",
  "route_repeats_rule",
  "route_region_without_key",
  "route_region_without_models",
  "route_model_unknown",
  "route_model_without_operation",
  "route_operation_not_supported",
  "route_regions_without_model",
  // Why one route for all models leaves a model out.
  "left_out_regions",
  "left_out_regions_without_key",
  "left_out_by_file",
  "left_out_own_route",
  // Why a guard failed.
  "guard_paused",
  "guard_secret_unreadable",
  "guard_redirects",
  "guard_question_too_large",
  "guard_status",
  "guard_answer_too_large",
  "guard_answer_not_accepted",
  "guard_answer_not_json",
  "guard_answer_no_object",
  "guard_action_unknown",
  "guard_gave_no_reason",
  "guard_replacement_no_object",
  "guard_replacement_not_accepted",
  "guard_replaces_unreplaceable",
  "guard_output_no_text",
  "guard_replaces_gated_input",
  "guard_names_other_model",
  "guard_address_not_public",
  "guard_installation_quiet",
  "guard_timed_out",
  "guard_unreachable",
  "guard_unreachable_because",
  // Why the files of the certificate cannot be used; the setting and the path stand before it.
  "signing_file_unreadable",
  "signing_no_certificate",
  "signing_certificate_unreadable",
  "signing_many_certificates",
  "signing_certificate_expired",
  "signing_certificate_not_yet_valid",
  "signing_certificate_of_authority",
  "signing_certificate_self_signed",
  "signing_certificate_not_for_signatures",
  "signing_certificate_not_for_content",
  "signing_certificate_names_no_authority",
  "signing_chain_broken",
  "signing_key_encrypted",
  "signing_no_key",
  "signing_key_of_other_kind",
  "signing_key_too_short",
  "signing_key_of_other_certificate",
  // Why the prices file cannot be used; the setting and the path stand before it.
  "prices_unreadable",
  "prices_wrong_shape",
  "prices_wrong_shape_somewhere",
  "prices_other_currency",
  "prices_repeated",
  "prices_component_refused",
] as const;
export type SentenceCode = (typeof sentenceCodes)[number];

export const Sentence = Type.Object({
  code: Type.String({ description: "such as `key_refused`; later releases may add some" }),
  // Written as the OpenAPI document has it, so that this schema keeps its name there.
  values: Type.Unsafe<Record<string, string>>(
    Type.Object(
      {},
      {
        additionalProperties: Type.String(),
        description: "the host, status, name and the like that the sentence is about",
      },
    ),
  ),
  at: Type.Optional(
    Type.String({ description: "the place that it is about, such as a region or a field of a route" }),
  ),
});
export type Sentence = Static<typeof Sentence>;

/** The sentences of the field `of`, without which an older gateway answers. */
export const codesOf = (of: string) =>
  Type.Optional(
    Type.Array(Sentence, {
      description: `the sentences of \`${of}\` as codes; missing if it has a sentence without a code`,
    }),
  );
