import { passwordMinLength } from "#contract/accounts/account-constants.ts";
import type { PasswordPerson } from "#contract/accounts/password-strength.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";

/**
 * Rejects passwords that attackers try first: short, common, or the person's own name. Throws
 * `invalid_parameter`, `password_too_common`.
 */
export async function assertGoodPassword(
  password: string,
  person: PasswordPerson,
  param = "password",
): Promise<void> {
  if (password.length < passwordMinLength)
    throw new ApiError("invalid_parameter", `${param} must have at least ${passwordMinLength} characters`, {
      param,
    });
  const { passwordWeakness } = await import("#contract/accounts/password-strength.ts");
  const weakness = passwordWeakness(password, person);
  if (weakness !== null) throw new ApiError("password_too_common", weakness, { param });
}
