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
