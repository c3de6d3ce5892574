import { personFields } from "./constants.ts";

const longest = personFields.email.maxLength;
const longestLocalPart = 64;
/** Control and zero-width characters, direction marks, fillers, and unassigned code points. */
const invisible = /[\p{C}\p{Default_Ignorable_Code_Point}]/u;
const localPart = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const domain = /^([\p{L}\p{M}\p{N}]+(-+[\p{L}\p{M}\p{N}]+)*\.)+[\p{L}\p{M}\p{N}]+(-+[\p{L}\p{M}\p{N}]+)*$/u;

/** Alphabets with similar-looking letters. Each word of an address must use only one of them. */
const alphabets = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Coptic}/u,
];

/** What can be wrong with an address. */
const faults = {
  invisible: "The address contains an invisible character. Delete it and type the address by hand.",
  form: "Enter an address like name@example.com.",
  mixed: "The address mixes similar-looking letters of several alphabets. Type it again in one alphabet.",
} as const;
export type EmailFault = keyof typeof faults;

const refused = (reason: EmailFault) => ({ reason, fault: faults[reason] });

/**
 * Normalises the e-mail address of a new person for storage and comparison: trimmed, NFKC, lower case, no
 * final dot. `fault` is a sentence that says why the address is invalid or can be mistaken for another, for `reason`.
 */
export function readEmail(text: string): { address: string } | { fault: string; reason: EmailFault } {
  const address = text.normalize("NFKC").trim().toLowerCase().replace(/\.$/u, "");
  if (invisible.test(address)) return refused("invisible");
  const at = address.lastIndexOf("@");
  const [name, host] = [address.slice(0, at), address.slice(at + 1)];
  const isWellFormed = at > 0 && localPart.test(name) && domain.test(host);
  if (!isWellFormed || address.length > longest || name.length > longestLocalPart) return refused("form");
  if ([name, ...host.split(".")].some(isMixed)) return refused("mixed");
  return { address };
}

function isMixed(word: string): boolean {
  return alphabets.filter((letters) => letters.test(word)).length > 1;
}

/** Letters and pairs of letters that look like other letters. */
const looks: readonly (readonly [RegExp, string])[] = [
  [/\p{M}/gu, ""],
  [/[аα]/gu, "a"],
  [/[вβ]/gu, "b"],
  [/с/gu, "c"],
  [/ԁ/gu, "d"],
  [/[еε]/gu, "e"],
  [/[һ]/gu, "h"],
  [/[1iіιļıӏ|]/gu, "l"],
  [/ј/gu, "j"],
  [/[кκ]/gu, "k"],
  [/[мΜ]/gu, "m"],
  [/[пη]/gu, "n"],
  [/[0оοσ]/gu, "o"],
  [/[рρ]/gu, "p"],
  [/ѕ/gu, "s"],
  [/[тτ]/gu, "t"],
  [/[υ]/gu, "u"],
  [/ν/gu, "v"],
  [/[ѡω]/gu, "w"],
  [/[хχ]/gu, "x"],
  [/[уγ]/gu, "y"],
  [/rn/gu, "m"],
  [/vv/gu, "w"],
];

/** Whether two different addresses can be mistaken for each other. Both are results of `readEmail`. */
export function resembles(address: string, known: string): boolean {
  if (address.toLowerCase() === known.toLowerCase()) return false;
  const [one, other] = [partsOf(address), partsOf(known)];
  return one.name === other.name && isAlmost(one.host, other.host);
}

function partsOf(address: string): { name: string; host: string } {
  const seen = looks.reduce(
    (text, [look, as]) => text.replaceAll(look, as),
    address.normalize("NFKD").toLowerCase(),
  );
  const at = seen.lastIndexOf("@");
  const name = seen.slice(0, at).replace(/\+.*$/u, "").replaceAll(/[._-]/gu, "");
  return { name, host: seen.slice(at + 1) };
}

/** Whether the two differ by at most one inserted, missing, replaced or swapped character. */
function isAlmost(one: string, other: string): boolean {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end))
    end += 1;
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && left === [...right].reverse().join("");
}
