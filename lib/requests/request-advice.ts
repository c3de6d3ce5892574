import { byName } from "#contract/by-name.ts";
import type { RequestDetail } from "#contract/usage.ts";
import type { Key, Words } from "../../messages/words.ts";
import { guideHref } from "../guides/guide-href.ts";

export interface RequestAdvice {
  /** What to do next, for the people who run the calling program. */
  text: string;
  action?: { label: string; href: string };
}

type Failed = Pick<RequestDetail, "status" | "code" | "param" | "model" | "wanted_model" | "guards">;

/** Advice as the names of its messages. */
interface Named {
  text: Key<"requests">;
  action?: { label: Key<"requests">; href: string };
}

const keys = { label: "openKeys", href: "/keys" } as const;
const attest: Named = {
  text: "attestAdvice",
  action: { label: "openAttestations", href: "/attestations" },
};
const slowDown: Named = {
  text: "slowDownAdvice",
  action: { label: "aboutLimits", href: guideHref("errors") },
};
const again: Named = {
  text: "againAdvice",
  action: { label: "openStatus", href: "/status-and-regions" },
};

const adviceByCode = byName<Named>({
  invalid_json: { text: "invalidJsonAdvice" },
  model_not_found: {
    text: "modelNotFoundAdvice",
    action: { label: "openTheCatalog", href: "/catalog" },
  },
  model_not_allowed: { text: "modelNotAllowedAdvice", action: keys },
  provider_not_available: { text: "providerNotAvailableAdvice" },
  region_not_allowed: { text: "regionNotAllowedAdvice", action: keys },
  insufficient_scope: { text: "insufficientScopeAdvice", action: keys },
  origin_not_allowed: { text: "originNotAllowedAdvice", action: keys },
  role_not_allowed: {
    text: "roleNotAllowedAdvice",
    action: { label: "openTheTeam", href: "/settings/team" },
  },
  budget_exceeded: { text: "budgetExceededAdvice", action: keys },
  request_over_token_limit: {
    text: "overTokenLimitAdvice",
    action: keys,
  },
  not_priced: { text: "notPricedAdvice" },
  storage_limit_exceeded: {
    text: "storageLimitAdvice",
    action: { label: "openUploads", href: "/uploads" },
  },
  adult_attestation_required: attest,
  portrait_rights_attestation_required: attest,
  person_rights_confirmation_required: {
    text: "personRightsAdvice",
  },
  rate_limit_exceeded: slowDown,
  concurrency_limit_exceeded: slowDown,
  upstream_rate_limited: again,
  upstream_outcome_unknown: { text: "outcomeUnknownAdvice" },
  idempotency_key_reused: {
    text: "idempotencyAdvice",
    action: { label: "aboutIdempotency", href: guideHref("idempotency") },
  },
  internal_error: { text: "internalErrorAdvice" },
});

/**
 * What to do about a failed request, by its code and status. Null for one that succeeded. `mayAddAlias`: whether
 * the reader may give an unknown name to a model.
 */
export function requestAdvice(
  t: Words<"requests">,
  failed: Failed,
  mayAddAlias: boolean,
): RequestAdvice | null {
  const { status, code, wanted_model: wanted } = failed;
  if (status === 499) return { text: t("disconnectedAdvice") };
  if (status < 400) return null;
  if (code === "content_blocked" || code === "guard_unavailable") return guardAdvice(t, code, failed);
  if (code === "model_not_found" && mayAddAlias && wanted) {
    const href = `/aliases?name=${encodeURIComponent(wanted)}`;
    return { text: t("modelNotFoundAdvice"), action: { label: t("addThisAlias"), href } };
  }
  const known = code === null ? undefined : adviceByCode[code];
  if (known) return said(t, known);
  if (status >= 500) return said(t, again);
  if (status === 404 && !failed.param) return { text: t("checkTheIdAdvice") };
  // Of several missing parameters, `param` is only the first; the message names all.
  const text =
    failed.param && code !== "missing_parameter"
      ? t("correctParamAdvice", { param: failed.param })
      : t("correctAdvice");
  return { text, action: inputsOf(t, failed) };
}

/** Before a run, a guard prevents its costs; after it, the model has done its work. */
function guardAdvice(
  t: Words<"requests">,
  code: "content_blocked" | "guard_unavailable",
  { guards }: Failed,
): RequestAdvice {
  const isAfter = guards.some(
    ({ stage, result }) => stage === "output" && (result === "blocked" || result === "failed"),
  );
  if (code === "content_blocked") return { text: t(isAfter ? "blockedAfterAdvice" : "blockedBeforeAdvice") };
  return { text: t(isAfter ? "guardUnavailableAfterAdvice" : "guardUnavailableAdvice") };
}

function said(t: Words<"requests">, { text, action }: Named): RequestAdvice {
  return {
    text: t.text(text),
    ...(action && { action: { label: t.text(action.label), href: action.href } }),
  };
}

/** Where the accepted inputs are described. */
function inputsOf(
  t: Words<"requests">,
  { model, wanted_model: wanted }: Failed,
): NonNullable<RequestAdvice["action"]> {
  const name = model ?? wanted;
  return name?.includes("/")
    ? {
        label: t("inputsOf", { name }),
        href: `/catalog/${name.split("/").map(encodeURIComponent).join("/")}`,
      }
    : { label: t("apiReference"), href: "/api-reference" };
}
