import type { GetICUArgs } from "@schummar/icu-type-parser";
import formatMessage from "icu-minify/format";
import type en from "./en/index.ts";
import type { Language } from "./languages.ts";
import { joinValues, markValues } from "./marks.ts";

/** English: its keys and arguments are those of every language. */
type English = typeof en;

/** A part of the product with its own messages, e.g. `signIn`. */
export type Part = keyof English;
/** The name of a message. */
export type Key<Of extends Part> = keyof English[Of] & string;
type Message<Of extends Part, Name extends Key<Of>> = English[Of][Name] & string;

/** The rows of a list, by their name in the part `nouns`. */
export type Noun = Key<"nouns">;

/** A message as the server has compiled it: a text, or a tree of its pieces. */
export type Compiled = Parameters<typeof formatMessage>[0];
/** The messages of a part in one language. */
export type PartMessages = Record<string, Compiled>;

type Values<Text extends string> = GetICUArgs<
  Text,
  { ICUArgument: string; ICUNumberArgument: number; ICUDateArgument: Date }
>;
/** The values of a message, if it has any. */
type Given<Text extends string> = keyof Values<Text> extends never ? [] : [values: Values<Text>];

/** What a function takes beside the name of a message. */
export type ArgumentsOf<Of extends Part, Name extends Key<Of>> = Given<Message<Of, Name>>;

/** Says the messages of a part. */
export interface Words<Of extends Part> {
  <Name extends Key<Of>>(key: Name, ...values: Given<Message<Of, Name>>): string;
  /** A message without values, whose name is in a variable. */
  text(key: Key<Of>): string;
  /** Whether the part has this message: for codes that come from elsewhere. */
  has(key: string): key is Key<Of>;
  /** A message with tags such as `<b>`, as pieces to render: what each tag makes of its content is given. */
  rich<Name extends Key<Of>, Piece>(
    key: Name,
    values: Values<Message<Of, Name>>,
    tags: Record<string, (content: string[]) => Piece>,
  ): (string | Piece)[];
  language: Language;
}

const dateTimeFormats = new Map<string, Intl.DateTimeFormat>();
const numberFormats = new Map<string, Intl.NumberFormat>();
const pluralRules = new Map<string, Intl.PluralRules>();

/** Making one takes longer than using it. */
function once<Format>(
  made: Map<string, Format>,
  make: new (language: string, options?: object) => Format,
): (language: string, options?: object) => Format {
  return (language, options) => {
    const name = `${language} ${JSON.stringify(options)}`;
    const format = made.get(name) ?? new make(language, options);
    made.set(name, format);
    return format;
  };
}

const formatters = {
  getDateTimeFormat: once(dateTimeFormats, Intl.DateTimeFormat as never),
  getNumberFormat: once(numberFormats, Intl.NumberFormat as never),
  getPluralRules: once(pluralRules, Intl.PluralRules as never),
} as NonNullable<Parameters<typeof formatMessage>[3]>["formatters"];

/** The words of a part. `timeZone` is the one in which times are shown. */
export function wordsOf<Of extends Part>(
  messages: PartMessages,
  language: Language,
  timeZone: string,
): Words<Of> {
  const put = (key: string, values: object): unknown =>
    formatMessage(messages[key] as Compiled, language, values as never, { formatters, timeZone });
  const join = (piece: unknown) => (typeof piece === "string" ? joinValues(piece) : piece);
  const say = (key: string, values: object = {}): unknown => {
    if (language !== "zh-CN") return put(key, values);
    const said = put(key, markValues(values));
    return Array.isArray(said) ? said.map(join) : join(said);
  };
  const words = (key: string, values?: object): unknown => say(key, values);
  return Object.assign(words, {
    language,
    text: words,
    has: (key: string) => Object.hasOwn(messages, key),
    rich: (key: string, values: object, tags: object) => [say(key, { ...values, ...tags })].flat(),
  }) as unknown as Words<Of>;
}
