/** The names of the standard (RFC 6749, 7591, 8707) that the gateway answers with. */
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

/** A refusal as clients of the standard read it: at the gateway's own routes as a 400, at the end of a redirect as parameters. */
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
