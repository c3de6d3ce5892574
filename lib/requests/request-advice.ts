import { byName } from "#contract/by-name.ts";
import type { RequestDetail } from "#contract/usage.ts";
import { guideHref } from "../guides/guide-href.ts";

export interface RequestAdvice {
  /** What to do next, for the people who run the calling program. */
  text: string;
  action?: { label: string; href: string };
}

type Failed = Pick<RequestDetail, "status" | "code" | "param" | "model" | "wanted_model" | "guards">;

const keys = { label: "Open keys", href: "/keys" };
const attest: RequestAdvice = {
  text: "A person has to confirm the statement that the model requires. Then send the request again.",
  action: { label: "Open attestations", href: "/attestations" },
};
const slowDown: RequestAdvice = {
  text: "Send fewer requests at once, and wait as long as the header Retry-After says.",
  action: { label: "About limits", href: guideHref("errors") },
};
const again: RequestAdvice = {
  text: "Send the request again in a minute.",
  action: { label: "Open status", href: "/status-and-regions" },
};

const adviceByCode = byName<RequestAdvice>({
  invalid_json: { text: "Let the program write its body with a JSON library, then send the request again." },
  model_not_found: {
    text: "Name a model of the catalog, or add an alias with the name that the program uses.",
    action: { label: "Open the catalog", href: "/catalog" },
  },
  model_not_allowed: { text: "Allow the model in the key's settings, or use another key.", action: keys },
  provider_not_available: { text: "Change the wish about providers, or leave it out." },
  region_not_allowed: { text: "Allow the region in the key's settings, or use another key.", action: keys },
  insufficient_scope: { text: "Add the scope to the key, or use another key.", action: keys },
  origin_not_allowed: { text: "Add the origin to the key's allowed origins.", action: keys },
  role_not_allowed: {
    text: "Ask an owner or admin for another role.",
    action: { label: "Open the team", href: "/settings/team" },
  },
  budget_exceeded: { text: "Raise the budget, wait for its reset, or use another key.", action: keys },
  request_over_token_limit: {
    text: "Send less, lower max_tokens, or raise the tokens per minute that the message names.",
    action: keys,
  },
  not_priced: { text: "A hard budget needs a model with a price. Ask an operator to set one." },
  storage_limit_exceeded: {
    text: "Delete uploads or kept files, or wait until some expire.",
    action: { label: "Open uploads", href: "/uploads" },
  },
  adult_attestation_required: attest,
  portrait_rights_attestation_required: attest,
  person_rights_confirmation_required: {
    text: "A person has to confirm this with each request: person_rights_confirmed must be true.",
  },
  rate_limit_exceeded: slowDown,
  concurrency_limit_exceeded: slowDown,
  upstream_rate_limited: again,
  upstream_outcome_unknown: { text: "It may have run. Look for its result before you send it again." },
  idempotency_key_reused: {
    text: "Use a new Idempotency-Key for each new request.",
    action: { label: "About idempotency", href: guideHref("idempotency") },
  },
  guard_unavailable: {
    text: "Nothing was charged for this run. Send the request again once the guard works.",
  },
  internal_error: { text: "Send the request again. If it fails again, give the request id to the operator." },
});

/** What to do about a failed request, by its code and status. Null for one that succeeded. */
export function requestAdvice(failed: Failed): RequestAdvice | null {
  const { status, code } = failed;
  if (status === 499)
    return { text: "The client disconnected before its answer. Give it more time, or stream the answer." };
  if (status < 400) return null;
  if (code === "content_blocked") return blockedAdvice(failed);
  const known = code === null ? undefined : adviceByCode[code];
  if (known) return known;
  if (status >= 500) return again;
  if (status === 404 && !failed.param)
    return { text: "Check the id: the object may belong to another account, or have been deleted." };
  const change = failed.param ? `Correct ${failed.param} in the calling program` : "Correct the request";
  return { text: `${change}, then send it again.`, action: inputsOf(failed) };
}

/** Before a run, a guard prevents its costs; after it, the model has done its work. */
function blockedAdvice({ guards }: Failed): RequestAdvice {
  const isAfter = guards.some(({ stage, result }) => stage === "output" && result === "blocked");
  return {
    text: isAfter
      ? "The model ran, so the run is charged. Nobody gets its output."
      : "Nothing ran, so nothing was charged. Change the input before you send it again.",
  };
}

/** Where the accepted inputs are described. */
function inputsOf({ model, wanted_model: wanted }: Failed): NonNullable<RequestAdvice["action"]> {
  const name = model ?? wanted;
  return name?.includes("/")
    ? { label: `Inputs of ${name}`, href: `/catalog/${name.split("/").map(encodeURIComponent).join("/")}` }
    : { label: "API reference", href: "/api-reference" };
}
