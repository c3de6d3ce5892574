import type { RoleClaimState, SignInRefusal } from "#contract/accounts/oidc.ts";
import type { OidcConfig } from "#gateway/platform/core/oidc-config.ts";

/** Claims about the ID token itself, which say nothing about the person. */
const ofTheToken = new Set(["nonce", "at_hash", "c_hash", "s_hash", "jti", "exp", "iat", "nbf", "auth_time"]);

const looksLikeEmail = /^[^@\s]+@[^@\s]+$/;

const longestName = 100;

const longestEmail = 254;

export type Claims = Record<string, unknown>;

/** The provider's verified claims about a person. */
export interface ProvedClaims {
  issuer: string;
  subject: string;
  /** The id of the person's session at the provider; null if the provider names none. */
  providerSession: string | null;
  idToken: Claims;
  userInfo: Claims;
}

/**
 * All of the provider's claims about the person; claims in the signed token take precedence over the others.
 */
export function allClaims({ idToken, userInfo }: Pick<ProvedClaims, "idToken" | "userInfo">): Claims {
  const merged = { ...userInfo, ...idToken };
  return Object.fromEntries(Object.entries(merged).filter(([name]) => !ofTheToken.has(name)));
}

export interface ClaimedEmail {
  address: string;
  /** Whether the provider confirms the address. */
  verified: boolean;
}

/**
 * The e-mail address in lower case. An address that the provider gives only as a user name counts as
 * unverified.
 */
export function emailOf(proved: Pick<ProvedClaims, "idToken" | "userInfo">): ClaimedEmail | null {
  const claims = allClaims(proved);
  const given = addressIn(claims.email);
  if (given === null) {
    const address = addressIn(claims.preferred_username);
    return address === null ? null : { address, verified: false };
  }
  const sources = [proved.idToken, proved.userInfo];
  const verified = sources.some((source) => addressIn(source.email) === given && isVerified(source));
  return { address: given, verified };
}

function addressIn(value: unknown): string | null {
  if (typeof value !== "string" || value.length > longestEmail || !looksLikeEmail.test(value)) return null;
  return value.toLowerCase();
}

/**
 * Entra sends `xms_edov` instead of `email_verified`, and some providers send strings instead of booleans.
 */
function isVerified({ email_verified: verified, xms_edov: edov }: Claims): boolean {
  return [verified, edov].some((value) => value === true || value === "true" || value === "1" || value === 1);
}

export function nameOf(claims: Claims, email: string): string {
  const full = [claims.given_name, claims.family_name].filter((part) => typeof part === "string").join(" ");
  const names = [claims.name, full, claims.preferred_username, email.split("@")[0]];
  const found = names.find((name) => typeof name === "string" && name.trim() !== "");
  return (typeof found === "string" ? found : email).trim().slice(0, longestName);
}

/** The sentence for each reason. */
export const refusalTexts: Record<SignInRefusal, string> = {
  no_email: "The identity provider sent no e-mail address, and only some domains are allowed.",
  unverified_email:
    "The identity provider has not verified your e-mail address, and only some domains are allowed.",
  other_domain: "The domain of your e-mail address is not allowed to sign in here.",
  no_role: "No rule gives this person a role.",
};

/**
 * Why a person's address does not allow them to sign in; null if it does. Google accounts can have addresses
 * of other domains.
 */
export function domainRefusal(
  { allowedDomains, issuer }: Pick<OidcConfig, "allowedDomains" | "issuer">,
  claims: Claims,
  email: ClaimedEmail | null,
): SignInRefusal | null {
  if (allowedDomains.length === 0) return null;
  if (!email) return "no_email";
  if (!email.verified) return "unverified_email";
  const domains = [email.address.slice(email.address.lastIndexOf("@") + 1)];
  if (claims.hd !== undefined || issuer === "https://accounts.google.com")
    domains.push(String(claims.hd ?? "").toLowerCase());
  if (domains.every((domain) => allowedDomains.includes(domain))) return null;
  return "other_domain";
}

/** The values of the role claim, and whether they are complete. */
export function roleValues(
  claims: Claims,
  claimName: string | null,
): { state: RoleClaimState; values: string[] } {
  if (claimName === null) return { state: "not_configured", values: [] };
  // If there are too many groups, Entra leaves them out and names another endpoint that has them.
  const elsewhere = claims._claim_names;
  if (typeof elsewhere === "object" && elsewhere !== null && Object.hasOwn(elsewhere, claimName))
    return { state: "overflowing", values: [] };
  if (claimName === "groups" && claims.hasgroups !== undefined) return { state: "overflowing", values: [] };
  const value = valueAt(claims, claimName);
  const values = (Array.isArray(value) ? value : [value]).filter((each) => typeof each === "string");
  const isPresent = values.length > 0 || (Array.isArray(value) && value.length === 0);
  return { state: isPresent ? "present" : "missing", values };
}

/** A claim by its name, or by a path such as `realm_access.roles`. */
function valueAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Claims)[part];
  }
  return value;
}
