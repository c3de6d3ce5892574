import type { Sentence } from "#contract/sentences.ts";
import { settings } from "./settings.ts";

/** An invalid setting; the message names the setting and the valid values. */
export class ConfigError extends Error {
  /** What it says, for files that are read again while the process runs; its `at` is the setting with the path. */
  readonly code: Sentence | null;

  constructor(message: string, code: Sentence | null = null) {
    super(message);
    this.code = code;
  }
}

export type Environment = Record<string, string | undefined>;
export type SettingReader = ReturnType<typeof settingReader>;

type Settings = typeof settings;
type Name = keyof Settings;
type NameOf<Kind> = { [N in Name]: Settings[N] extends { kind: Kind } ? N : never }[Name];
/** The type of an unset setting: that of its default, or null. */
type Unset<N extends Name, Value> = Settings[N] extends { fallback: unknown } ? Value : null;

/** Reads settings by their entries in `settings.ts`; each function throws ConfigError. */
export function settingReader(environment: Environment) {
  const given = (name: Name): string | null => environment[name]?.trim() || null;
  return {
    isSet: (name: Name): boolean => given(name) !== null,
    text<N extends NameOf<"text">>(name: N): string | Unset<N, string> {
      const entry: { kind: "text"; fallback?: string } = settings[name];
      return (given(name) ?? entry.fallback ?? null) as string | Unset<N, string>;
    },
    integer<N extends NameOf<"integer">>(name: N): number | Unset<N, number> {
      const raw = given(name);
      const entry: { fallback?: number; min: number; max?: number } = settings[name];
      if (raw === null) return (entry.fallback ?? null) as number | Unset<N, number>;
      const { min, max = Number.MAX_SAFE_INTEGER } = entry;
      const value = Number(raw);
      if (!Number.isInteger(value) || value < min || value > max)
        throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${raw}"`);
      return value;
    },
    decimal(name: NameOf<"decimal">): number {
      const raw = given(name);
      const { fallback, min, max } = settings[name];
      if (raw === null) return fallback;
      const value = Number(raw);
      if (!/^\d+(\.\d+)?$/.test(raw) || value < min || value > max)
        throw new ConfigError(`${name} must be a number from ${min} to ${max}, such as 1.5, not "${raw}"`);
      return value;
    },
    choice<N extends NameOf<"choice">>(name: N): Settings[N]["choices"][number] {
      const { fallback, choices } = settings[name];
      return oneOf(name, given(name), fallback, choices);
    },
    isOn: (name: NameOf<"switch">): boolean =>
      oneOf(name, given(name), settings[name].fallback, ["on", "off"]) === "on",
    list(name: NameOf<"list">): string[] {
      const raw = given(name);
      const entry: { kind: "list"; fallback?: readonly string[] } = settings[name];
      if (raw === null) return [...(entry.fallback ?? [])];
      return raw
        .split(",")
        .map((part) => part.trim())
        .filter(Boolean);
    },
  };
}

function oneOf<Choice extends string>(
  name: Name,
  raw: string | null,
  fallback: Choice,
  choices: readonly Choice[],
): Choice {
  if (raw === null) return fallback;
  const found = choices.find((choice) => choice === raw);
  if (!found) throw new ConfigError(`${name} must be one of ${choices.join(", ")}, not "${raw}"`);
  return found;
}
