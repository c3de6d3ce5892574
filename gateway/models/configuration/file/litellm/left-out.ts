/** A setting that is not carried over, or differs afterwards. */
export interface Finding extends LeftOut {
  place: string;
}

/** Why a setting of LiteLLM is not carried over, and what to do instead. */
export interface LeftOut {
  reason: string;
  todo: string;
}

const nothing = "Nothing to do.";

/** Every documented setting that has no place in a file of Gatehouse; the first rule that fits answers. */
const rules: readonly (readonly [place: RegExp, reason: string, todo: string])[] = [
  [
    /(azure_|tenant_id|client_id|client_secret|aws_|vertex_|watsonx|region_name|model_region|gcs_|s3_|bucket_name|bedrock_|oci_|xai_oauth)/,
    "Providers are called with an API key, and with no identity of a cloud.",
    "Make an API key for this provider, and name its variable.",
  ],
  [
    /supports_|supported_|base_model|model_info\.(id|version|tier|db_model|updated_|created_|metadata|litellm_provider|key)/,
    "The form of the model says it, or it only describes.",
    nothing,
  ],
  [
    /^litellm_settings\.(cache|cache_params|enable_caching_on_provider|qdrant)|cache_responses|caching_groups|cache_kwargs/,
    "Gatehouse keeps no answers.",
    "Prompt caches of providers work; docs/failover.md says how a conversation stays with its cache.",
  ],
  [
    /redis|client_ttl|(^|\.)database_|store_model_in_db|supported_db_objects|disable_prisma|proxy_batch|user_api_key_cache_ttl|allow_requests_on_db/,
    "All state is in PostgreSQL.",
    "Set DATABASE_URL if you use your own server (docs/operating.md).",
  ],
  [
    /callback|langfuse|turn_off_message_logging|redact_|json_logs|set_verbose|debug_level|detailed_debug|s3_callback|datadog|prometheus|otel|suppress_debug|log_raw|standard_logging/,
    "Logs, metrics and traces have settings of the gateway, not of the file.",
    "docs/monitoring.md: OpenTelemetry and /metrics.",
  ],
  [
    /alert|spend_report|slack|email|smtp/,
    "Notices are settings of each person and account.",
    "docs/notices.md: e-mail and chat webhooks.",
  ],
  [
    /(^|\.)master_key|disable_master_key|adding_master_key/,
    "There is no key that may do everything.",
    "Sign in as an operator, or make a key with `gatehouse keys create --operator`.",
  ],
  [
    /jwt|oauth|sso|custom_auth|custom_key_generate|ui_access|key_header|user_auth|client_side_credentials|clientside|allowed_ips|forwarded_for|license|key_management|kms|key_vault|(public|admin_only|allowed)_routes|control_plane|service_account/,
    "Signing in and the rights of keys are not part of the file.",
    "docs/single-sign-on.md and docs/keys-and-limits.md.",
  ],
  [
    /num_retries|max_retries|retry|allowed_fails|cooldown|default_max_parallel|max_fallbacks|disable_cooldowns|enable_pre_call_check|mock_/,
    "Retries and pauses have fixed rules.",
    "docs/failover.md says which; TRIES_PER_REQUEST bounds the calls of one request.",
  ],
  [
    /routing_strategy|routing_group|optional_pre_call|affinity|tag|default_priority|polling_interval|weights|router_general|auto_router|complexity_router|adaptive_router|quality_router|ignore_invalid/,
    "Routes are drawn by priority and weight; a conversation stays with its route.",
    "docs/routes.md. Use one alias for each group of callers instead of tags.",
  ],
  [
    /content_policy_fallbacks/,
    "An input that one model refuses is not sent to another.",
    "Name the other model in the program, or give it an alias.",
  ],
  [
    /guardrail|moderation|lakera|banned_keywords|blocked_user|presidio|secret_detection|prompt_injection|enforced_params|enforce_user_param|json_schema_validation/,
    "Gatehouse has safety gates and no filters of texts.",
    "docs/safety-gates.md. Keep such a filter in front of the gateway.",
  ],
  [
    /mcp|search_tools|vector_store|milvus|valkey|prompts?(\.|$|_)|agent|assistants?_(config|settings)|files_settings|finetune|pass_through|skills|policies/,
    "This is not part of Gatehouse, or it is set elsewhere.",
    "docs/agents.md for MCP; docs/batches.md for files and batches.",
  ],
  [
    /budget|spend|team|key_generat|upperbound|internal_user|end_user|organization_settings|soft_budget|customer/,
    "Members, teams and their budgets are in LiteLLM's database.",
    "Make accounts, members and keys here (docs/teams.md, docs/budgets.md).",
  ],
  [
    /tpm|itpm|otpm|api_key_rpm_limit/,
    "Tokens per minute are limited for keys, members and accounts, not for a provider's key or deployment.",
    "Set tokens_per_minute or model_tokens_per_minute (docs/keys-and-limits.md).",
  ],
  [
    /(^|\.)(organization|extra_headers|headers|default_headers|forward_\w+)(\.|$)/,
    "No headers of the file or of callers are sent to a provider.",
    "Use a key that belongs to that organisation or project.",
  ],
  [/api_version/, "Azure's address without a version is used.", nothing],
  [
    /drop_params|allowed_openai_params|modify_params/,
    "A parameter without an effect is ignored, one that would change the answer is refused.",
    "docs/requests.md: the header x-svc-ignored-params.",
  ],
  [
    /tier|blocked|discoverable|access_groups|access_windows|hidden|public_model_groups/,
    "Who sees a model is set at the model.",
    "Set `accounts` or `hidden` of the model (docs/own-models.md).",
  ],
  [
    /max_(request|response|file)_size|keepalive|force_ipv4|ssl|http|aiohttp|user_agent|connection|disable_|enable_|use_|health|image_generation_model|embedding_model|completion_model|infer_model|pricing_url|merge_reasoning|preview|trace_id|fail_open|internal_router|STOP_SEQUENCE/,
    "Gatehouse has its own rule or setting for this.",
    "docs/settings.md and docs/upstreams.md.",
  ],
  [
    /default_litellm_params/,
    "Parameters are set at each model.",
    "Write them there, and run the command again.",
  ],
  [/(^|\.)ptu_/, "A price is per unit of usage.", "Set the price by hand, or leave it out (docs/money.md)."],
  [
    /^include/,
    "Only this one file is read.",
    "Put the other file's content into it, and run the command again.",
  ],
];

/** Why a setting at this place is not carried over. */
export function leftOut(place: string): LeftOut {
  for (const [pattern, reason, todo] of rules) if (pattern.test(place)) return { reason, todo };
  return {
    reason: "This command does not know the field.",
    todo: "Check its spelling, and docs/coming-from-litellm.md for what takes its place.",
  };
}
