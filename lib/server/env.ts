import "server-only";
import { relyingPartyOf } from "#contract/accounts/relying-party.ts";

/** The console's settings. They are read at first use, so that a build needs none. */
export const env = {
  /** Base address of the gateway, without `/v1`. */
  get gatewayUrl(): string {
    const gatewayPort = process.env.GATEWAY_PORT?.trim() || "4000";
    return address("GATEWAY_URL", `http://localhost:${gatewayPort}`);
  },

  /** The address at which people open the console. Cookies are Secure if it is https. */
  get consoleUrl(): string {
    const port = process.env.PORT?.trim() || "3000";
    return address("NEXTAUTH_URL", address("CONSOLE_PUBLIC_URL", `http://localhost:${port}`));
  },

  /** The gateway's public address, from which the browser fetches media. */
  get mediaOrigin(): string {
    return new URL(address("GATEWAY_PUBLIC_URL", env.gatewayUrl)).origin;
  },

  /** Other origins of media, e.g. the S3 endpoint in signed URLs. */
  get extraMediaOrigins(): string[] {
    return (process.env.MEDIA_ORIGINS ?? "")
      .split(",")
      .map((origin) => origin.trim())
      .filter(Boolean)
      .map((origin) => new URL(origin).origin);
  },

  /**
   * The first secret encrypts the session cookie; every secret decrypts it. None may be the gateway's master
   * secret.
   */
  get sessionSecrets(): [string, ...string[]] {
    const secret = process.env.CONSOLE_SECRET?.trim();
    if (!secret)
      throw new Error(
        "CONSOLE_SECRET must be set: 32 or more random characters that encrypt the session cookie",
      );
    const previous = process.env.CONSOLE_SECRET_PREVIOUS?.trim();
    return previous ? [secret, previous] : [secret];
  },
};

/** The console's address if browsers do not allow passkeys there. Null: they do. */
export function passkeysBarredAt(): string | null {
  return relyingPartyOf(env.consoleUrl) ? null : env.consoleUrl;
}

function address(name: string, fallback: string): string {
  const text = process.env[name]?.trim() || fallback;
  if (!URL.canParse(text) || !/^https?:/.test(text))
    throw new Error(`${name} must be an http(s) address, not "${text}"`);
  return text.replace(/\/+$/, "");
}
