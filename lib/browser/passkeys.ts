import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";
import type { PasskeyRegistration } from "#contract/accounts/second-factor.ts";
import { failureOf, type GatewayResult, localFailure } from "../gateway/result.ts";

/** Passkey code is loaded only when somebody uses a passkey. */
const library = () => import("@simplewebauthn/browser");

interface Asking {
  /** Second step of a sign-in: offers only passkeys of the person with the correct password. */
  afterPassword?: boolean;
  /** Offers passkeys in the browser's autofill, and waits until the person chooses one. */
  autofill?: boolean;
  /** Cancels the offer, unless the browser already shows its passkey dialog. */
  signal?: AbortSignal;
}

/** Asks the person for a passkey and returns the signed response as JSON, or null if they cancel. */
export async function askPasskey({
  afterPassword,
  autofill,
  signal,
}: Asking): Promise<GatewayResult<string | null>> {
  const response = await fetch("/api/auth/passkey-options", {
    method: "POST",
    body: new URLSearchParams(afterPassword ? { after: "password" } : {}),
    signal: signal ?? null,
  }).catch(() => null);
  const body: unknown = await response?.json().catch(() => null);
  if (signal?.aborted) return { ok: true, data: null };
  if (!response) return { ok: false, error: offline };
  if (!response.ok) return { ok: false, error: failureOf(response.status, body, response.headers) };
  return attempt(async () => {
    const { startAuthentication } = await library();
    // A new request cancels the previous one, which the person may have just started.
    if (signal?.aborted) return null;
    const credential = await startAuthentication({
      optionsJSON: body as PublicKeyCredentialRequestOptionsJSON,
      useBrowserAutofill: autofill ?? false,
      verifyBrowserAutofillInput: false,
    });
    return JSON.stringify(credential);
  });
}

/** Asks the browser to create a passkey. Null: the person canceled. */
export function makePasskey(
  options: Record<string, unknown>,
): Promise<GatewayResult<PasskeyRegistration | null>> {
  return attempt(async () => {
    const { startRegistration } = await library();
    const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
    return (await startRegistration({ optionsJSON })) as PasskeyRegistration;
  });
}

/** Whether the browser offers passkeys in autofill. */
export async function canOfferPasskeys(): Promise<boolean> {
  return (await globalThis.PublicKeyCredential?.isConditionalMediationAvailable?.()) ?? false;
}

const offline = localFailure(
  "offline",
  "The console cannot be reached. Check your connection and try again.",
);

/** Turns the browser's errors into messages for the person. */
async function attempt<Data>(work: () => Promise<Data | null>): Promise<GatewayResult<Data | null>> {
  try {
    return { ok: true, data: await work() };
  } catch (error) {
    const name = error instanceof Error ? error.name : "";
    if (name === "NotAllowedError" || name === "AbortError") return { ok: true, data: null };
    if (name === "InvalidStateError") return failure("This device already has a passkey for your account.");
    if (name === "SecurityError")
      return failure("Passkeys belong to the console's own address. Open the console there and try again.");
    return failure("This browser could not use a passkey. Try another browser or device.");
  }
}

function failure(message: string): GatewayResult<never> {
  return { ok: false, error: localFailure("passkey_failed", message) };
}
