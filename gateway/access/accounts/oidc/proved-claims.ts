export type Claims = Record<string, unknown>;

/** What the provider said about a person, verified. */
export interface ProvedClaims {
  issuer: string;
  subject: string;
  /** The provider's own session. */
  providerSession: string | null;
  idToken: Claims;
  userInfo: Claims;
}
