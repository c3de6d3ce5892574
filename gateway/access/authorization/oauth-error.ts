/** The standard's error codes (RFC 6749, 7591, 8707) that the gateway uses. */
export type OAuthCode =
  | "invalid_request"
  | "invalid_grant"
  | "invalid_target"
  | "invalid_scope"
  | "invalid_redirect_uri"
  | "invalid_client_metadata"
  | "unsupported_grant_type"
  | "unsupported_response_type"
  | "temporarily_unavailable"
  | "server_error";

/**
 * A refusal in the standard's form: a 400 at the gateway's own routes, parameters at the end of a redirect.
 */
export class OAuthError extends Error {
  readonly code: OAuthCode;

  constructor(code: OAuthCode, description: string) {
    super(description);
    this.code = code;
  }

  get status(): number {
    return this.code === "temporarily_unavailable" ? 503 : 400;
  }

  get body(): { error: OAuthCode; error_description: string } {
    return { error: this.code, error_description: this.message };
  }
}
