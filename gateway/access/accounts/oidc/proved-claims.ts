export type Claims = Record<string, unknown>;

/** The provider's verified claims about a person. */
export interface ProvedClaims {
  issuer: string;
  subject: string;
  /** The provider's own session. */
  providerSession: string | null;
  idToken: Claims;
  userInfo: Claims;
}
