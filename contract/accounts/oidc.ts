import { type Static, Type } from "typebox";
import { closed, Deleted, NoQuery, Nullable, Timestamp } from "../list.ts";
import type { Routes } from "../routes/route.ts";
import { Session } from "./account.ts";
import { roles } from "./constants.ts";
import { LinkToken } from "./people.ts";

/** The identity provider, as the sign-in page shows it. */
export const IdentityProvider = Type.Object({
  object: Type.Literal("identity_provider"),
  name: Nullable(
    Type.String({
      description: "name of the provider, for the sign-in button; null when no provider is configured",
    }),
  ),
});
export type IdentityProvider = Static<typeof IdentityProvider>;

/**
 * `link` adds the provider to the signed-in person's account. `check` shows an operator the claims that the
 * provider sends, and changes nothing.
 */
export const providerPurposes = ["sign_in", "link", "check"] as const;
export type ProviderPurpose = (typeof providerPurposes)[number];

export const ProviderStart = Type.Object(
  {
    purpose: Type.Optional(Type.Enum(providerPurposes, { default: "sign_in" })),
    invitation_token: Type.Optional(LinkToken),
  },
  closed,
);
export type ProviderStart = Static<typeof ProviderStart>;

export const ProviderStarted = Type.Object({
  object: Type.Literal("provider_sign_in"),
  url: Type.String({ description: "address at the provider to which the page sends the browser" }),
  state: Type.String({
    description: "the provider returns it with the browser. Keep it in the browser and compare the two",
  }),
  expires_at: Timestamp,
});
export type ProviderStarted = Static<typeof ProviderStarted>;

/** The parameters that the provider added to the URL when it sent the browser back. */
export const ProviderAnswer = Type.Object(
  {
    state: Type.String({ minLength: 1, maxLength: 200 }),
    code: Type.Optional(Type.String({ maxLength: 8_000 })),
    iss: Type.Optional(Type.String({ maxLength: 2_000 })),
    error: Type.Optional(Type.String({ maxLength: 200 })),
  },
  closed,
);
export type ProviderAnswer = Static<typeof ProviderAnswer>;

/** `session` is null unless a person signed in. */
export const ProviderFinished = Type.Object({
  object: Type.Literal("provider_sign_in"),
  purpose: Type.Enum(providerPurposes),
  session: Nullable(Session),
});
export type ProviderFinished = Static<typeof ProviderFinished>;

export const roleClaimStates = ["present", "missing", "overflowing", "not_configured"] as const;
export type RoleClaimState = (typeof roleClaimStates)[number];

/** Why a sign-in is refused whatever the person chooses. */
export const signInRefusals = ["no_email", "unverified_email", "other_domain", "no_role"] as const;
export type SignInRefusal = (typeof signInRefusals)[number];

/**
 * The claims that the provider sent in an operator's test sign-in, and the result that a real sign-in with
 * them would have.
 */
export const ClaimsReport = Type.Object({
  object: Type.Literal("claims_report"),
  at: Timestamp,
  claims: Type.Record(Type.String(), Type.Unknown()),
  email: Nullable(Type.String()),
  email_verified: Type.Boolean(),
  refusal: Nullable(Type.String({ description: "why a sign-in would be refused" })),
  refusal_code: Type.Optional(Nullable(Type.Enum(signInRefusals))),
  role_claim: Type.Enum(roleClaimStates),
  role_values: Type.Array(Type.String()),
  unmapped_values: Type.Array(
    Type.String({ description: "claim values that OIDC_ROLE_MAP does not contain" }),
  ),
  roles: Type.Array(
    Type.Object({
      account_id: Type.String(),
      account_name: Nullable(Type.String({ description: "null: no account has this id" })),
      role: Type.Enum(roles),
      by: Nullable(
        Type.String({ description: "claim value that gives this role; null: it is the default role" }),
      ),
    }),
  ),
});
export type ClaimsReport = Static<typeof ClaimsReport>;
export const LastClaimsReport = Type.Object({
  object: Type.Literal("last_claims_report"),
  report: Nullable(ClaimsReport),
});
export type LastClaimsReport = Static<typeof LastClaimsReport>;

/** A person's identity at the provider. */
export const Identity = Type.Object({
  id: Type.String(),
  object: Type.Literal("identity"),
  issuer: Type.String(),
  email: Nullable(Type.String({ description: "value that the provider sent last" })),
  linked_at: Timestamp,
  last_signed_in_at: Nullable(Timestamp),
});
export type Identity = Static<typeof Identity>;
export const IdentityList = Type.Object({ object: Type.Literal("list"), data: Type.Array(Identity) });

/** Back-channel logout, as OpenID Connect defines it. */
export const LogoutRequest = Type.Object({ logout_token: Type.String({ maxLength: 20_000 }) });
export const LogoutDone = Type.Object({ object: Type.Literal("provider_logout"), ended: Type.Integer() });

export const oidcRoutes = {
  "GET /account/oidc": {
    summary: "Read whether people can sign in with an identity provider",
    public: true,
    anyAccount: true,
    extension: true,
    query: NoQuery,
    answers: { 200: IdentityProvider },
  },
  "POST /account/oidc/start": {
    summary: "Start a sign-in with the identity provider",
    public: true,
    anyAccount: true,
    extension: true,
    body: ProviderStart,
    answers: { 200: ProviderStarted },
  },
  "POST /account/oidc/callback": {
    summary: "Finish a sign-in with the identity provider",
    public: true,
    anyAccount: true,
    extension: true,
    body: ProviderAnswer,
    answers: { 200: ProviderFinished },
  },
  "GET /account/oidc/claims": {
    summary: "Read the claims of an operator's test sign-in",
    person: true,
    anyAccount: true,
    extension: true,
    query: NoQuery,
    answers: { 200: LastClaimsReport },
  },
  "GET /account/identities": {
    summary: "List your linked identities at the identity provider",
    person: true,
    anyAccount: true,
    extension: true,
    query: NoQuery,
    answers: { 200: IdentityList },
  },
  "DELETE /account/identities/{id}": {
    summary: "Unlink your identity at the identity provider",
    person: true,
    anyAccount: true,
    extension: true,
    byClick: true,
    answers: { 200: Deleted },
  },
} as const satisfies Routes;

/** The identity provider calls this route, with a token that it signed. */
export const providerLogoutRoutes = {
  "POST /account/oidc/logout": {
    summary: "End sessions at the identity provider's request (back-channel logout)",
    public: true,
    ownCredential: true,
    extension: true,
    body: LogoutRequest,
    answers: { 200: LogoutDone },
  },
} as const satisfies Routes;
