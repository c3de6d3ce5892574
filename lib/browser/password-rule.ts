import { passwordMinLength } from "#contract/accounts/constants.ts";
import type { PasswordPerson } from "#contract/accounts/password-strength.ts";
import type { Words } from "../../messages/words.ts";

/**
 * The list of common passwords is larger than a page, so it is loaded only when somebody types a password.
 */
const loadStrength = () => import("#contract/accounts/password-strength.ts");

/** Loads the list. Call this when typing starts, so that the list is there when typing ends. */
export function preparePasswordRule(): void {
  loadStrength().catch(() => undefined);
}

/** The problem with a new password. Undefined: the password is good, or only the gateway can check it. */
export async function newPasswordProblem(
  t: Words<"fields">,
  password: string,
  person: PasswordPerson,
): Promise<string | undefined> {
  if (password === "") return t("choosePassword");
  if (password.length < passwordMinLength) return t("passwordTooShort", { count: passwordMinLength });
  try {
    const { weaknessOf } = await loadStrength();
    const reason = weaknessOf(password, person);
    return reason === null ? undefined : t("passwordWeak", { reason });
  } catch {
    return undefined;
  }
}
