import { isRecord } from "#contract/input-schema/json-values.ts";
import { keyRuleLimits, malformedTokens, type TokenCheck } from "#contract/key-rule-constants.ts";
import type { TokenFault } from "#contract/key-rules.ts";
import { clockToleranceSeconds } from "#gateway/access/accounts/oidc/provider.ts";
import {
  createKeySet,
  decodeToken,
  type KeySet,
  type PublicKey,
  type SignedToken,
} from "#gateway/access/accounts/oidc/signed-token.ts";
import type { AccessContext } from "#gateway/access/context.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { setBounded } from "#gateway/platform/core/remembered.ts";
import { countValues } from "#gateway/platform/http/body-bounds.ts";
import type { Limit } from "#gateway/platform/limits/limiter.ts";
import { checkUrl } from "#gateway/platform/network/address-guard.ts";
import { DocumentError, readPublicJson } from "./public-document.ts";

/** A token of a workload, whose signature is not checked yet. */
export interface WorkloadToken {
  signed: SignedToken;
  issuer: string;
  audiences: string[];
  /** Null: the token names nobody, or has characters that cannot be shown. */
  subject: string | null;
  tokenId: string | null;
  expiresAt: number;
}

/** The part of a rule that a token must match. */
export interface TokenRule {
  issuer: string;
  audience: string;
  claims: Readonly<Record<string, string>>;
  singleUse: boolean;
}

const maxHeaderLength = 2_000;
const longestSubject = 500;
const longestTokenId = 500;

/** A header, claims and a signature in base64url. */
const tokenForm = /^([\w-]+)\.([\w-]+)\.[\w-]+$/;

const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** The token in a text, or why no rule can take it. Counts before it parses, so that no text costs more than its length. */
export function readWorkloadToken(text: string): WorkloadToken | { malformed: string } {
  if (text.length > keyRuleLimits.tokenLength) return { malformed: malformedTokens.tooLong };
  const [, head = "", body = ""] = tokenForm.exec(text) ?? [];
  if (head === "") return { malformed: malformedTokens.notThreeParts };
  if (head.length > maxHeaderLength) return { malformed: malformedTokens.headerTooLong };
  for (const part of [head, body])
    if (countValues(Buffer.from(part, "base64url").toString()).values > keyRuleLimits.tokenValues)
      return { malformed: malformedTokens.tooManyValues };
  const signed = decodeToken(text);
  if (!signed) return { malformed: malformedTokens.unreadable };
  const { header, payload } = signed;
  if (header.kid !== undefined && typeof header.kid !== "string")
    return { malformed: malformedTokens.wrongKeyId };
  if (header.typ !== undefined && !/^(application\/)?(at\+)?jwt$/i.test(String(header.typ)))
    return { malformed: malformedTokens.wrongType };
  const { iss, aud, sub, jti, exp } = payload;
  const audiences = Array.isArray(aud) ? aud : [aud];
  if (typeof iss !== "string" || iss === "") return { malformed: malformedTokens.noIssuer };
  if (!audiences.every((each) => typeof each === "string") || audiences.length > keyRuleLimits.tokenAudiences)
    return { malformed: malformedTokens.wrongAudience };
  return {
    signed,
    issuer: iss,
    audiences,
    subject: isShown(sub, longestSubject) ? sub : null,
    tokenId: isShown(jti, longestTokenId) ? jti : null,
    expiresAt: typeof exp === "number" ? exp : Number.NaN,
  };
}

function isShown(value: unknown, longest: number): value is string {
  return (
    typeof value === "string" &&
    value.trim() !== "" &&
    value.length <= longest &&
    value.isWellFormed() &&
    !hidden.test(value)
  );
}

/** What is wrong with a token for every rule. Says nothing about rules, so a stranger may read it. */
export function tokenFaults({ signed, subject, expiresAt }: WorkloadToken): TokenFault[] {
  const faults: TokenFault[] = [];
  const nowSeconds = clock.now() / 1000;
  const [earliest, latest] = [nowSeconds - clockToleranceSeconds, nowSeconds + clockToleranceSeconds];
  const { nbf, iat } = signed.payload;
  const late = "Request a new token right before the exchange.";
  if (!Number.isFinite(expiresAt)) faults.push(fault("time", "The token has no `exp` that is a number."));
  else if (expiresAt <= earliest) faults.push(fault("time", `The token has expired. ${late}`));
  if (typeof iat !== "number") faults.push(fault("time", "The token has no `iat` that is a number."));
  else if (iat > latest) faults.push(fault("time", "The token was issued in the future. Check the clocks."));
  if (nbf !== undefined && typeof nbf !== "number")
    faults.push(fault("time", "The `nbf` of the token is no number."));
  else if (nbf !== undefined && nbf > latest)
    faults.push(fault("time", "The token is not valid yet (`nbf`). Check the clocks."));
  if (subject === null)
    faults.push(
      fault("subject", `The token has no subject (\`sub\`) of 1 to ${longestSubject} visible characters.`),
    );
  return faults;
}

/** A token that works once is remembered as long as its key is listed, so it must not be valid longer. */
const maxSingleUseSeconds = 23 * 3_600;

/** Why a rule does not take a token, apart from its signature. Shown only to those who manage the rule. */
export function ruleFaults(rule: TokenRule, token: WorkloadToken): TokenFault[] {
  const faults: TokenFault[] = [];
  const { issuer, audiences, tokenId, expiresAt, signed } = token;
  if (issuer !== rule.issuer)
    faults.push(fault("issuer", `The token's issuer is ${shown(issuer)}, the rule's ${rule.issuer}.`));
  if (!audiences.includes(rule.audience))
    faults.push(
      fault("audience", `The token is for ${audiences.map(shown).join(", ")}, not for ${rule.audience}.`),
    );
  for (const [name, wanted] of Object.entries(rule.claims)) {
    const value = claimAt(signed.payload, name);
    if (value === undefined)
      faults.push(fault("claims", `The token has no claim ${name} with a text, number or boolean.`));
    else if (!matches(wanted, value))
      faults.push(fault("claims", `${name} is ${shown(value)} in the token, and ${wanted} in the rule.`));
  }
  if (rule.singleUse && tokenId === null)
    faults.push(fault("rule", "The rule takes each token once, so the token needs an id (`jti`)."));
  if (rule.singleUse && expiresAt > clock.now() / 1000 + maxSingleUseSeconds)
    faults.push(fault("rule", "The rule takes each token once, so the token must expire within 23 hours."));
  return faults;
}

function fault(check: TokenCheck, message: string): TokenFault {
  return { check, message };
}

const shownLength = 200;

function shown(text: string): string {
  return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}

/** The text of a claim; undefined if the token has none, or a list or an object. */
function claimAt(claims: Record<string, unknown>, name: string): string | undefined {
  let value: unknown = claims;
  for (const part of claimPath(name)) {
    if (!isRecord(value) || !Object.hasOwn(value, part)) return undefined;
    value = value[part];
  }
  if (typeof value === "string" || typeof value === "boolean") return String(value);
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

/** A name that begins with `/` is a JSON pointer (RFC 6901). */
function claimPath(name: string): string[] {
  if (!name.startsWith("/")) return [name];
  return name
    .slice(1)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Exactly, or with the beginning that stands before a `*`. */
function matches(wanted: string, value: string): boolean {
  return wanted.endsWith("*") ? value.startsWith(wanted.slice(0, -1)) : value === wanted;
}

/** Of the rules that take a token, the narrowest: the one with the most claims, then with the most exact ones. */
export function narrowest<Rule extends { id: string; claims: TokenRule["claims"] }>(rules: readonly Rule[]) {
  const exact = ({ claims }: Rule) => Object.values(claims).filter((value) => !value.endsWith("*")).length;
  return rules.toSorted(
    (a, b) =>
      Object.keys(b.claims).length - Object.keys(a.claims).length ||
      exact(b) - exact(a) ||
      (a.id < b.id ? -1 : 1),
  )[0];
}

const maxMetadataBytes = 100_000;
const maxKeysBytes = 250_000;
const maxDocumentValues = 5_000;
const metadataFreshMs = 3_600_000;
const maxKnown = 500;

/**
 * Look-ups for tokens with unknown keys, which anybody can invent. Tokens whose key is known need none, so nobody can
 * keep them out.
 */
const keyLookUps: Limit = { name: "key look-ups of an issuer", count: 30, periodMs: 60_000 };

/** The issuers of workloads' tokens. */
export interface Issuers {
  /** Whether the issuer signed the token. Throws `DocumentError` if its keys cannot be read. */
  haveSigned(token: WorkloadToken): Promise<boolean>;
}

/** Finds the keys of issuers by OpenID Connect Discovery, through the address guard. */
export function createIssuers({
  config: { webhooks },
  limiter,
}: Pick<AccessContext, "config" | "limiter">): Issuers {
  const keySets = new Map<string, KeySet>();

  const read = async (address: string, maxBytes: number): Promise<Record<string, unknown>> => {
    const checked = checkUrl(address, webhooks);
    if (!checked.ok) throw new DocumentError(checked.reason);
    const text = await readPublicJson(checked.url, webhooks, maxBytes);
    if (countValues(text).values > maxDocumentValues) throw new DocumentError("answers with too many values");
    try {
      const document: unknown = JSON.parse(text);
      if (isRecord(document)) return document;
    } catch {}
    throw new DocumentError("does not answer with a JSON object");
  };

  const openKeySet = (issuer: string): KeySet => {
    let found: { address: string; until: number } | null = null;
    const addressOfKeys = async (): Promise<string> => {
      if (found && found.until > performance.now()) return found.address;
      const document = await read(
        `${issuer.replace(/\/+$/, "")}/.well-known/openid-configuration`,
        maxMetadataBytes,
      );
      if (document.issuer !== issuer) throw new DocumentError("answers with the metadata of another issuer");
      if (typeof document.jwks_uri !== "string") throw new DocumentError("names no `jwks_uri`");
      found = { address: document.jwks_uri, until: performance.now() + metadataFreshMs };
      return found.address;
    };
    return createKeySet(async (_issuer, areFresh) => {
      const taken = areFresh ? await limiter.take(issuer, keyLookUps) : { allowed: true };
      if (!taken.allowed) throw new DocumentError("was asked for its keys too often; try again in a minute");
      const { keys } = await read(await addressOfKeys(), maxKeysBytes);
      if (!Array.isArray(keys)) throw new DocumentError("has no list of keys at its `jwks_uri`");
      return keys.filter(isRecord) as PublicKey[];
    });
  };

  return {
    haveSigned({ issuer, signed }) {
      const known = keySets.get(issuer) ?? openKeySet(issuer);
      setBounded(keySets, issuer, known, maxKnown);
      return known.hasSigned(issuer, signed);
    },
  };
}
