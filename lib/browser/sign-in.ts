import type { SecondFactorWay } from "#contract/accounts/second-factor.ts";
import { byName } from "#contract/by-name.ts";

/** The credentials of one way to sign in, or of the second step. */
export type Credentials =
  | { provider: "password"; email: string; password: string }
  | { provider: "second-factor"; code: string }
  | { provider: "second-factor" | "passkey"; credential: string }
  | { provider: "account-key"; key: string };

/** `ways` is set if the password was right and a second factor is needed. */
export type SignInResult =
  | { ok: true }
  | { ok: false; code: string; message: string; ways: SecondFactorWay[] | null };

const messages = byName<string>({
  invalid_credentials: "Wrong e-mail or password.",
  missing_api_key: "Enter an account key.",
  invalid_api_key: "Unknown key. Check that you copied the whole key.",
  expired_api_key: "This key has expired. Use another one.",
  revoked_api_key: "This key was revoked. Use another one.",
  provider_sign_in_required: "Your account asks for its identity provider. Sign in with its button.",
  invalid_second_factor: "This is wrong, or was used already. Try again.",
  sign_in_expired: "This took too long. Sign in again.",
  rate_limit_exceeded: "Too many attempts. Wait one to two minutes, then try again.",
  gateway_unreachable: "The gateway cannot be reached. Check that it is running, then try again.",
});

/** For passkeys the code tells no more than that it was refused. */
const passkeyMessage =
  "This passkey is not known here, or could not be checked. If you removed it from your profile, remove it from this device too, and sign in another way.";

/** Signs in through next-auth's own route, without its 9 kB client. */
export async function signIn(credentials: Credentials): Promise<SignInResult> {
  const { provider, ...fields } = credentials;
  try {
    const { csrfToken } = (await (await fetch("/api/auth/csrf", { cache: "no-store" })).json()) as {
      csrfToken: string;
    };
    const response = await fetch(`/api/auth/callback/${provider}`, {
      method: "POST",
      body: new URLSearchParams({ ...fields, csrfToken, callbackUrl: "/", json: "true" }),
    });
    const { url } = (await response.json()) as { url?: string };
    const target = new URL(url ?? "/", location.origin).searchParams;
    if (response.ok && !target.has("error") && !target.has("csrf")) return { ok: true };
    const [code = "", ways] = (target.get("error") ?? "sign_in_failed").split(":");
    const isPasskey = "credential" in credentials && code === "invalid_second_factor";
    const message = isPasskey ? passkeyMessage : (messages[code] ?? `Sign-in failed (${code}). Try again.`);
    return { ...failure(code, message), ways: ways ? (ways.split(",") as SecondFactorWay[]) : null };
  } catch {
    return failure("offline", "The console cannot be reached. Check your connection and try again.");
  }
}

function failure(code: string, message: string): SignInResult & { ok: false } {
  return { ok: false, code, message, ways: null };
}
