import type { App } from "#gateway/platform/http/app.ts";
import { OAuthError } from "./oauth-error.ts";

/** The parameters of a form. */
export type Form = ReadonlyMap<string, string>;

export const maxFormBytes = 16_384;

/** Reads forms as the standard has them: a parameter twice is an error, an empty one is none (RFC 6749, 3.2). */
export function readForms(app: App): void {
  app.addContentTypeParser<string>(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: maxFormBytes },
    (_request, text, done) => {
      const form = new Map<string, string>();
      for (const [name, value] of new URLSearchParams(text)) {
        if (form.has(name)) return done(new OAuthError("invalid_request", "A parameter was sent twice."));
        if (value !== "") form.set(name, value);
      }
      return done(null, form);
    },
  );
}

/** The form of a request. Throws `invalid_request` for another body. */
export function formOf(body: unknown): Form {
  if (body instanceof Map) return body as Form;
  throw new OAuthError("invalid_request", "Send a form: application/x-www-form-urlencoded.");
}
