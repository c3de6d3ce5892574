import { isRecord } from "#contract/input-schema/json-values.ts";
import type { AliasEntry } from "#gateway/models/providers/file/schema.ts";
import { type Fields, textOf } from "./read-config.ts";

export interface Fallbacks {
  everybody: readonly string[];
  has(group: string): boolean;
  /** Further models of a group; `goOnWhen` undefined: for all reasons. */
  of(group: string): {
    models: string[];
    goOnWhen: AliasEntry["go_on_when"];
    /** Whether they are the fallbacks of everybody. */
    isUsual: boolean;
  };
}

/** Settings of the router win over those of the library, as in LiteLLM. */
export function readFallbacks(library: Fields, router: Fields): Fallbacks {
  const tableOf = (name: string) => {
    const table = new Map<string, string[]>();
    for (const given of [library[name], router[name]])
      for (const one of Array.isArray(given) ? given.filter(isRecord) : [])
        for (const [group, models] of Object.entries(one)) table.set(group, namesIn(models));
    return table;
  };
  const [always, tooLong] = [tableOf("fallbacks"), tableOf("context_window_fallbacks")];
  const starred = always.get("*") ?? [];
  const everybody = [...starred, ...namesIn(router.default_fallbacks ?? library.default_fallbacks)];
  return {
    everybody,
    has: (group) => always.has(group) || tooLong.has(group),
    of(group) {
      const models = always.get(group) ?? everybody.filter((one) => one !== group);
      const longer = tooLong.get(group) ?? [];
      const isOnlyLonger = models.length === 0 && longer.length > 0;
      const isUsual = !always.has(group) && longer.length === 0;
      return { models: [...models, ...longer], goOnWhen: isOnlyLonger ? ["too_long"] : undefined, isUsual };
    },
  };
}

function namesIn(given: unknown): string[] {
  return (Array.isArray(given) ? given : [given]).flatMap((one) => groupOf(one) ?? []);
}

/** The group behind an alias: `name`, or `{model: name, hidden: true}`. */
export function groupOf(given: unknown): string | null {
  return textOf(isRecord(given) ? given.model : given);
}
