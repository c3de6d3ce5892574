import { onlyKeyName, providerFields } from "#contract/operator/constants.ts";
import type { NewKey, ProviderKey } from "#contract/operator/providers.ts";
import { listText } from "@/lib/words/list-text";
import type { Words } from "@/messages/words";

/** A key in the form. Numbers are texts, exactly as typed. */
export interface KeyRow {
  name: string;
  /** For a stored key: its last characters. Null for a key that is being entered. */
  stored: string | null;
  /** The key, or a reference to one. */
  secret: string;
  share: string;
  perMinute: string;
  concurrency: string;
}

export function rowOf(key: ProviderKey, stored: string): KeyRow {
  return {
    name: key.name,
    stored,
    secret: "",
    share: String(key.share ?? 1),
    perMinute: String(key.per_minute ?? ""),
    concurrency: String(key.concurrency ?? ""),
  };
}

/** A row for another key, with an unused name. */
export function newRow(rows: readonly KeyRow[]): KeyRow {
  const taken = new Set(rows.map(({ name }) => name.toLowerCase()));
  let name: string = onlyKeyName;
  for (let number = 2; taken.has(name); number += 1) name = `key ${number}`;
  return { name, stored: null, secret: "", share: "1", perMinute: "", concurrency: "" };
}

export function newKeyOf({ name, stored, secret, share, perMinute, concurrency }: KeyRow): NewKey {
  const text = secret.trim();
  const given = /^(env|file):/.test(text) ? { ref: text } : { key: text };
  return {
    name: name.trim(),
    ...(stored === null && given),
    ...(share.trim() !== "" && share.trim() !== "1" && { share: Number(share) }),
    ...(perMinute.trim() !== "" && { per_minute: Number(perMinute) }),
    ...(concurrency.trim() !== "" && { concurrency: Number(concurrency) }),
  };
}

/** The problem with a name, or true. */
export function keyNameProblem(
  t: Words<"providers">,
  name: string,
  others: readonly string[],
): string | true {
  const { pattern, maxLength } = providerFields.keyName;
  if (!new RegExp(pattern).test(name.trim())) return t("lettersOfAName");
  if (name.trim().length > maxLength) return t("atMostCharacters", { count: maxLength });
  const isTaken = others.some((other) => other.trim().toLowerCase() === name.trim().toLowerCase());
  return isTaken ? t("nameTaken") : true;
}

/** How calls are distributed over the keys, as a sentence. */
export function sharesSentence(
  t: Words<"providers">,
  rows: readonly Pick<KeyRow, "name" | "share">[],
): string {
  const shares = rows.map(({ name, share }) => ({
    name,
    share: share.trim() === "" ? 1 : Number(share) || 0,
  }));
  const whole = shares.reduce((sum, { share }) => sum + share, 0);
  if (shares.length < 2) return t("allCallsUseThisKey");
  const used = shares
    .filter(({ share }) => share > 0)
    .map(({ name, share }) => t("keyGets", { name, percent: Math.round((share / whole) * 100) }));
  const spare = shares.filter(({ share }) => share === 0).map(({ name }) => name);
  return t("sharesOfCalls", {
    shares: listText(t.language, used, "plain") || t("noShares"),
    spares: spare.length,
    names: listText(t.language, spare),
  });
}
