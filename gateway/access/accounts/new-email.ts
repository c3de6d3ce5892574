import { readEmail } from "#contract/accounts/email-address.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";

/**
 * A new person's e-mail address in stored form. Throws `invalid_parameter` for an invalid address, or one
 * made to look like another.
 */
export function newEmail(text: string): string {
  const read = readEmail(text);
  if ("fault" in read) throw new ApiError("invalid_parameter", read.fault, { param: "email" });
  return read.address;
}
