import { readFileSync } from "node:fs";
import { passwordMinLength } from "#contract/account-constants.ts";
import { ApiError } from "#gateway/core/api-error.ts";

/** The longer ones of the most common passwords, and the words that most are made of (from zxcvbn-ts, MIT). */
const listFile = new URL("common.txt", import.meta.url);
/** Digits and signs that people put around a common word. */
const trimmings = /^[^a-z]{0,4}([a-z].*?)[^a-z]{0,4}$/;
const fewestDifferent = 5;

let list: Set<string> | undefined;

/** Rejects what is tried first: short, common or one's own name. Throws `invalid_parameter`, `password_too_common`. */
export function assertGoodPassword(
  password: string,
  person: { email: string; name?: string | undefined },
  param = "password",
): void {
  if (password.length < passwordMinLength)
    throw new ApiError("invalid_parameter", `${param} must have at least ${passwordMinLength} characters`, {
      param,
    });
  const plain = password.normalize("NFKC").toLowerCase();
  const own = [person.email, person.email.split("@")[0], person.name].map((text) => text?.toLowerCase());
  const core = trimmings.exec(plain)?.[1] ?? plain;
  if (isCommon(plain) || isCommon(core) || own.includes(plain) || own.includes(core) || isMonotonous(plain))
    throw new ApiError(
      "password_too_common",
      "This password is too common. Choose another, for example four unrelated words.",
      { param },
    );
}

function isCommon(text: string): boolean {
  list ??= new Set(readFileSync(listFile, "utf8").split("\n"));
  return text !== "" && list.has(text);
}

/** A few characters again and again, or a run such as `abcdefghij`. */
function isMonotonous(text: string): boolean {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0);
  const steps = new Set(codes.slice(1).map((code, at) => code - (codes[at] ?? 0)));
  return new Set(codes).size < fewestDifferent || steps.size === 1;
}
