import { type GatewayResult, localFailure } from "../gateway/result.ts";

/** The credentials of one of the two ways in. */
export type Credentials =
  | { provider: "password"; email: string; password: string }
  | { provider: "account-key"; key: string };

const messages: Record<string, string> = {
  invalid_credentials: "E-mail and password do not fit together. Check both and try again.",
  missing_api_key: "Paste an account key.",
  invalid_api_key: "The gateway does not know this key. Check that it was copied whole.",
  expired_api_key: "This key has expired. Use another one.",
  revoked_api_key: "This key was revoked. Use another one.",
  rate_limit_exceeded: "Too many tries. Wait a minute, then try again.",
  gateway_unreachable: "The gateway cannot be reached. Check that it runs, then try again.",
};

/** Signs in through next-auth's own route, without its 9 kB client. */
export async function signIn(credentials: Credentials): Promise<GatewayResult<null>> {
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
    if (response.ok && !target.has("error") && !target.has("csrf")) return { ok: true, data: null };
    const code = target.get("error") ?? "sign_in_failed";
    return failure(code, messages[code] ?? `Signing in was refused (${code}). Try again.`);
  } catch {
    return failure("offline", "The console cannot be reached. Check the connection and try again.");
  }
}

function failure(code: string, message: string): GatewayResult<null> {
  return { ok: false, error: localFailure(code, message) };
}
