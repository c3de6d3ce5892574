import { passwordMinLength } from "#contract/accounts/account-constants.ts";
import type { PasswordPerson } from "#contract/accounts/password-strength.ts";

/** The list of common passwords is larger than a page, so it is loaded when somebody types one. */
const loadStrength = () => import("#contract/accounts/password-strength.ts");

/** Call it when the typing begins, so that the rule is there at its end. */
export function preparePasswordRule(): void {
  loadStrength().catch(() => undefined);
}

/** What is wrong with a new password; undefined when it is good, or when only the gateway can tell. */
export async function newPasswordProblem(
  password: string,
  person: PasswordPerson,
): Promise<string | undefined> {
  if (password === "") return "Choose a password.";
  if (password.length < passwordMinLength) return `Use at least ${passwordMinLength} characters.`;
  try {
    const { passwordWeakness } = await loadStrength();
    return passwordWeakness(password, person) ?? undefined;
  } catch {
    return undefined;
  }
}
