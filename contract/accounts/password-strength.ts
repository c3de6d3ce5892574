import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs, dictionary } from "@zxcvbn-ts/language-common";

/** The person who chooses the password; guesses begin with what is known about them. */
export interface PasswordPerson {
  email: string;
  name?: string | undefined;
}

/**
 * A password is weak if an attacker who tries likely passwords first needs fewer guesses than this: some
 * hundred million.
 */
const fewestGuessesLog10 = 8.5;
/**
 * The estimator's time grows faster than the length of the text, and weaknesses show in the first characters.
 */
const judgedCharacters = 48;
const shortestWord = 3;

/** Texts for what the estimator found; each completes "This password is easy to guess: …". */
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
 * Why a password is easy to guess, as a sentence with advice; null if it is not. The gateway uses it to
 * refuse passwords, forms to warn before sending.
 */
export function passwordWeakness(password: string, person: PasswordPerson): string | null {
  estimator ??= new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: judgedCharacters });
  const { guessesLog10, feedback } = estimator.check(password.normalize("NFKC"), wordsOf(person));
  if (guessesLog10 >= fewestGuessesLog10) return null;
  const reason = reasons[feedback.warning ?? ""] ?? otherReason;
  return `This password is easy to guess: ${reason}. Choose another, for example four unrelated words.`;
}

function wordsOf({ email, name = "" }: PasswordPerson): string[] {
  const whole = [email, email.split("@")[0] ?? "", name, name.replaceAll(/\s/gu, "")];
  const parts = [email, name].flatMap((text) => text.split(/[^\p{L}\p{N}]+/u));
  return [...new Set([...whole, ...parts])].filter((word) => word.length >= shortestWord);
}
