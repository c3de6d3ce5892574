import { readEmail } from "#contract/accounts/email-address.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";

/** The address of somebody new as it is stored. Throws `invalid_parameter` for none, or one made to look like another. */
export function newEmail(text: string): string {
  const read = readEmail(text);
  if ("fault" in read) throw new ApiError("invalid_parameter", read.fault, { param: "email" });
  return read.address;
}
