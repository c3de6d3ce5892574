import { byName } from "#contract/by-name.ts";
import { asSentence } from "../format.ts";
import type { GatewayFailure } from "../gateway/result.ts";
import { guideHref } from "../guides/guide-href.ts";
import type { FailureWords } from "./failure-words.ts";

interface FailureAdvice {
  title: string;
  /** The first thing to do. In English, the gateway's sentence comes after it. */
  advice: string;
  /** What the gateway says in English, for a reader of another language. */
  original: string | null;
  /** The link opens a new tab when this page has typed input. */
  action?: { label: string; href: string; target?: "_blank" };
  /** True when signing in again on this page helps. */
  signsIn?: true;
}

/** Where to go after a failure: the key of its label, and the page. */
const actions = byName<{ label: string; href: string; target?: "_blank" }>({
  user_session_required: { label: "toSignIn", href: "/sign-in" },
  adult_attestation_required: { label: "toAttestations", href: "/attestations" },
  portrait_rights_attestation_required: { label: "toAttestations", href: "/attestations" },
  budget_exceeded: { label: "toKeys", href: "/keys" },
  storage_limit_exceeded: { label: "toUploads", href: "/uploads" },
  idempotency_key_reused: { label: "aboutIdempotency", href: guideHref("idempotency"), target: "_blank" },
  payload_purged: { label: "aboutRetention", href: guideHref("retention"), target: "_blank" },
});
const aboutLimits = { label: "aboutLimits", href: guideHref("errors"), target: "_blank" } as const;

/** Codes whose English advice is followed by the gateway's sentence. */
const continued = new Set(["gateway_unreachable", "guard_unavailable"]);
/** Codes whose English advice follows the gateway's sentence. */
const led = new Set(["content_blocked"]);
/** The page of the request says which guard was asked, what it cost, and links to the guard. */
const ofGuards = new Set(["content_blocked", "guard_unavailable"]);
const signingIn = new Set(["signed_out", "signed_in_as_another"]);

/** What a person can do about a failure, by its code. In English, for most codes that is the gateway's sentence. */
export function failureAdvice(failure: GatewayFailure, words: FailureWords): FailureAdvice {
  const { code, status, message } = failure;
  const seconds = String(failure.retryAfterSeconds ?? "");
  const { texts, language } = words;
  const isEnglish = language === "en";
  const ofStatus = statusKeys(failure);
  const own = texts[`${code}Advice`];
  const waits = status === 429 ? texts[ofStatus.advice ?? ""]?.replace("SECONDS", seconds) : undefined;
  const advice = waits ?? own ?? (texts[code] ? undefined : texts[ofStatus.advice ?? ""]);
  const action =
    actions[code] ?? toRequest(failure) ?? (status === 429 && !texts[code] ? aboutLimits : undefined);
  const saysMessage = isEnglish && (!own || continued.has(code) || led.has(code));
  const sentence = status === 404 && !texts[code] ? message : asSentence(message);
  return {
    title: texts[code] ?? texts[ofStatus.title] ?? message,
    advice: [
      led.has(code) && saysMessage && sentence,
      advice,
      rolesText(failure, words),
      !led.has(code) && saysMessage && sentence,
    ]
      .filter(Boolean)
      .join(isEnglish ? " " : ""),
    original: isEnglish ? null : message,
    ...(action && { action: { ...action, label: texts[action.label] ?? "" } }),
    ...(signingIn.has(code) && { signsIn: true }),
  };
}

function toRequest({ code, requestId }: GatewayFailure) {
  if (!requestId || !ofGuards.has(code)) return null;
  return { label: "toRequest", href: `/requests/${requestId}`, target: "_blank" } as const;
}

/** The messages about codes without a title of their own. */
function statusKeys({ status, retryAfterSeconds }: GatewayFailure): { title: string; advice?: string } {
  if (status === 429)
    return { title: "tooMany", advice: retryAfterSeconds ? "tooManyWaitAdvice" : "tooManyAdvice" };
  if (status === 404) return { title: "notFound" };
  if (status >= 500) return { title: "gatewayError", advice: "gatewayErrorAdvice" };
  if (status === 401 || status === 403) return { title: "notAllowed" };
  // The console itself refuses with status 0: nothing was sent.
  return { title: [0, 400].includes(status) ? "input" : "refused" };
}

/** Who may do what this person may not. */
function rolesText({ code, details }: GatewayFailure, { texts }: FailureWords): string | null {
  if (code !== "role_not_allowed") return null;
  if (!texts.rolesWithIt) return details.map(({ message }) => asSentence(capitalised(message))).join(" ");
  const roles = details.flatMap(({ role, members = [] }) => {
    const names = members.map(({ name }) => name).join("、");
    return role ? `${texts[`role_${role}`] ?? role}${names && `（${names}）`}` : [];
  });
  return roles.length > 0 ? texts.rolesWithIt.replace("ROLES", () => roles.join("、")) : null;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
