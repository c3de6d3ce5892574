import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs, dictionary } from "@zxcvbn-ts/language-common";

/** The person who chooses the password. An attacker tries the person's name and address first. */
export interface PasswordPerson {
  email: string;
  name?: string | undefined;
}

/** A password is weak if an attacker who tries likely passwords first finds it within this many guesses. */
const fewestGuessesLog10 = 8.5;
/**
 * Only this many characters are checked: the estimator's time grows faster than the length of the text, and
 * weaknesses show in the first characters.
 */
const judgedCharacters = 48;
const shortestWord = 3;

/**
 * Why a password is weak, by the estimator's finding. Each text completes "This password is easy to guess:
 * …".
 */
const reasons: Record<string, string> = {
  userInputs: "it is made of your name or e-mail address",
  topTen: "it is one of the ten most common passwords",
  topHundred: "it is one of the hundred most common passwords",
  common: "it is a common password",
  wordByItself: "it is a common word",
  similarToCommon: "it is a common password or word with a few characters changed or added",
  straightRow: "its keys are next to each other",
  keyPattern: "its keys are next to each other",
  simpleRepeat: "it repeats the same characters",
  extendedRepeat: "it repeats the same characters",
  sequences: "it is a sequence such as abc or 123",
  recentYears: "it is mostly a year",
  dates: "it is mostly a date",
};
const otherReason = "it is short, or a word with a few more characters";

let estimator: ZxcvbnFactory | undefined;

/**
 * A sentence that says why the password is easy to guess, with advice. Null when the password is strong
 * enough. The gateway uses the sentence to refuse passwords.
 */
export function passwordWeakness(password: string, person: PasswordPerson): string | null {
  const finding = weaknessOf(password, person);
  if (finding === null) return null;
  const reason = reasons[finding] ?? otherReason;
  return `This password is easy to guess: ${reason}. Choose another, for example four unrelated words.`;
}

/** The estimator's finding about a password that is easy to guess, for forms that warn before sending. Else null. */
export function weaknessOf(password: string, person: PasswordPerson): string | null {
  estimator ??= new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: judgedCharacters });
  const { guessesLog10, feedback } = estimator.check(password.normalize("NFKC"), wordsOf(person));
  if (guessesLog10 >= fewestGuessesLog10) return null;
  return feedback.warning || "other";
}

function wordsOf({ email, name = "" }: PasswordPerson): string[] {
  const whole = [email, email.split("@")[0] ?? "", name, name.replaceAll(/\s/gu, "")];
  const parts = [email, name].flatMap((text) => text.split(/[^\p{L}\p{N}]+/u));
  return [...new Set([...whole, ...parts])].filter((word) => word.length >= shortestWord);
}
