/** Texts and numbers of a rule for short keys, for its schema and its form. */
export const keyRuleFields = {
  issuer: { minLength: 9, maxLength: 300, pattern: "^https://[^\\s?#]+$" },
  audience: { minLength: 1, maxLength: 300, pattern: "^\\S+$" },
  claimName: { minLength: 1, maxLength: 100 },
  claimValue: { minLength: 1, maxLength: 500 },
  /** How long each key lives, in seconds. */
  lifetime: { minimum: 60, maximum: 3_600 },
} as const;

export const keyRuleLimits = {
  perAccount: 100,
  claims: 10,
  /** Keys of one rule that live at the same time. */
  liveKeys: 5_000,
  /** The longest token, in characters. */
  tokenLength: 12_000,
  /** Values of a token's claims, those in lists and objects included. The largest tokens have some hundred groups. */
  tokenValues: 500,
  tokenAudiences: 20,
} as const;

/** Why no rule can take a token. */
export const malformedTokens = {
  tooLong: `It is longer than ${keyRuleLimits.tokenLength} characters.`,
  notThreeParts: "It is not a signed JWT: three parts with dots between them.",
  headerTooLong: "Its header is too long.",
  tooManyValues: `It has more than ${keyRuleLimits.tokenValues} values.`,
  unreadable: "It is not a signed JWT: its header or its claims cannot be read.",
  wrongKeyId: "The `kid` of its header is no text.",
  wrongType: "The `typ` of its header is neither JWT nor at+jwt.",
  noIssuer: "It has no issuer (`iss`).",
  wrongAudience: `Its audience (\`aud\`) is neither a text nor a list of at most ${keyRuleLimits.tokenAudiences} texts.`,
} as const;
export type MalformedToken = keyof typeof malformedTokens;

/** The words of RFC 8693 in a request for a short key, and in its answer. */
export const tokenExchange = {
  grant: "urn:ietf:params:oauth:grant-type:token-exchange",
  jwt: "urn:ietf:params:oauth:token-type:jwt",
  idToken: "urn:ietf:params:oauth:token-type:id_token",
  accessToken: "urn:ietf:params:oauth:token-type:access_token",
} as const;

/** What a rule checks of a token, in the order of the checks. */
export const tokenChecks = ["issuer", "audience", "time", "signature", "subject", "claims", "rule"] as const;
export type TokenCheck = (typeof tokenChecks)[number];

interface SharedIssuer {
  name: string;
  matches: RegExp;
  /** The claims of which one must be fixed, each with the form of a value that fixes it. */
  owner: Readonly<Record<string, RegExp>>;
}

const whole = /^[^*]+$/;
/** `owner` or `owner/…`: the owner is complete, also if the rest ends with `*`. */
const below = /^[^*/]+\/./;

/**
 * Issuers that sign tokens for everybody: a rule must say whose tokens it takes. Each other issuer belongs to one
 * organization, project or cluster.
 */
const sharedIssuers: readonly SharedIssuer[] = [
  {
    name: "GitHub Actions",
    matches: /^https:\/\/token\.actions\.githubusercontent\.com\/?$/,
    owner: {
      repository_owner_id: whole,
      repository_owner: whole,
      repository_id: whole,
      repository: below,
      enterprise_id: whole,
      sub: /^repo:[^*/]+\/./,
    },
  },
  {
    name: "GitLab.com",
    matches: /^https:\/\/gitlab\.com\/?$/,
    owner: {
      namespace_id: whole,
      namespace_path: whole,
      project_id: whole,
      project_path: below,
      sub: /^project_path:[^*/]+\/./,
    },
  },
  {
    name: "Google",
    matches: /^https:\/\/accounts\.google\.com\/?$/,
    owner: { sub: whole, email: whole, hd: whole },
  },
  {
    name: "Microsoft personal accounts",
    matches: /^https:\/\/login\.microsoftonline\.com\/9188040d-6c67-4c5b-b112-36a304b66dad(\/|$)/,
    owner: { sub: whole, oid: whole },
  },
  {
    name: "HCP Terraform",
    matches: /^https:\/\/app\.terraform\.io\/?$/,
    owner: {
      terraform_organization_id: whole,
      terraform_workspace_id: whole,
      terraform_organization_name: whole,
      sub: /^organization:[^*:]+:./,
    },
  },
  {
    name: "Buildkite",
    matches: /^https:\/\/agent\.buildkite\.com\/?$/,
    owner: { organization_id: whole, organization_slug: whole, sub: /^organization:[^*:]+:./ },
  },
  {
    name: "Vercel",
    matches: /^https:\/\/oidc\.vercel\.com\/?$/,
    owner: { owner_id: whole, owner: whole, project_id: whole, sub: /^owner:[^*:]+:./ },
  },
];

const entraCommon =
  /^https:\/\/(login\.microsoftonline\.com|sts\.windows\.net)\/(common|organizations|consumers|\{)/i;

/** Why a rule with these claims would take the tokens of strangers; null if it would not. */
export function broadRule(
  issuer: string,
  claims: Readonly<Record<string, string>>,
): { param: "issuer" | "claims"; reason: string } | null {
  if (entraCommon.test(issuer))
    return {
      param: "issuer",
      reason:
        "This issuer serves every tenant of Microsoft Entra. Name yours: https://login.microsoftonline.com/<tenant id>/v2.0.",
    };
  const shared = sharedIssuers.find(({ matches }) => matches.test(issuer));
  if (!shared) return null;
  const { name, owner } = shared;
  if (Object.entries(owner).some(([claim, form]) => form.test(claims[claim] ?? ""))) return null;
  return {
    param: "claims",
    reason: `${name} signs tokens for everybody, so a rule must fix whose tokens it takes. Add one of the claims ${Object.keys(owner).join(", ")}, with the complete owner.`,
  };
}
