/** An invalid setting; the message names it and says which values are valid. */
export class ConfigError extends Error {}

export type Environment = Record<string, string | undefined>;
export type SettingReader = ReturnType<typeof settingReader>;

/** Reads settings; each function throws ConfigError. */
export function settingReader(environment: Environment) {
  const text = (name: string): string | null => environment[name]?.trim() || null;
  return {
    text,
    /** Null when it is not set. */
    optionalInteger(name: string, min: number, max: number): number | null {
      return text(name) === null ? null : this.integer(name, min, min, max);
    },
    integer(name: string, fallback: number, min: number, max = Number.MAX_SAFE_INTEGER): number {
      const raw = text(name);
      if (raw === null) return fallback;
      const value = Number(raw);
      if (!Number.isInteger(value) || value < min || value > max)
        throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${raw}"`);
      return value;
    },
    decimal(name: string, fallback: number, min: number, max: number): number {
      const raw = text(name);
      if (raw === null) return fallback;
      const value = Number(raw);
      if (!/^\d+(\.\d+)?$/.test(raw) || value < min || value > max)
        throw new ConfigError(`${name} must be a number from ${min} to ${max}, such as 1.5, not "${raw}"`);
      return value;
    },
    choice<Choice extends string>(name: string, fallback: Choice, choices: readonly Choice[]): Choice {
      const raw = text(name);
      if (raw === null) return fallback;
      const found = choices.find((choice) => choice === raw);
      if (!found) throw new ConfigError(`${name} must be one of ${choices.join(", ")}, not "${raw}"`);
      return found;
    },
    list(name: string, fallback: string[]): string[] {
      const raw = text(name);
      return raw === null
        ? fallback
        : raw
            .split(",")
            .map((part) => part.trim())
            .filter(Boolean);
    },
  };
}
