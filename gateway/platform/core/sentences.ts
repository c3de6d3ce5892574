import type { Sentence, SentenceCode } from "#contract/sentences.ts";
import texts from "#messages/en/sentences.ts";
import type { ArgumentsOf } from "#messages/words.ts";

/** A sentence by its code. `englishOf` says it. */
export function sentence<Code extends SentenceCode>(
  code: Code,
  ...[values]: ArgumentsOf<"sentences", Code>
): Sentence {
  return { code, values: (values ?? {}) as Sentence["values"] };
}

/** The English of every code. What a later release stored may have another. */
const english: Readonly<Record<string, string | undefined>> = texts satisfies Record<SentenceCode, string>;

/** What sentences say in English, without the places that they are about. */
export function englishOf(...sentences: readonly Sentence[]): string {
  return sentences
    .map(({ code, values }) =>
      (english[code] ?? "")
        .replaceAll(/<\/?english>/g, "")
        .replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ""),
    )
    .join(" ");
}
