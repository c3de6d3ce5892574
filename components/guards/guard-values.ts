import type { ApiType } from "#contract/catalog-constants.ts";
import {
  type GuardStage,
  type guardFallbacks,
  type guardStreams,
  heldCharacters,
} from "#contract/guard-constants.ts";
import type { Guard, GuardCreate, GuardUpdate } from "#contract/guards.ts";

/** The owner of a guard. */
export type GuardOwner = "account" | "installation";

/** The values of the form. */
export interface GuardValues {
  url: string;
  stages: GuardStage[];
  streams: (typeof guardStreams)[number];
  hold_characters: string;
  on_error: (typeof guardFallbacks)[number];
  /** Empty: all. */
  operations: ApiType[];
  /** Empty: all. */
  models: string[];
  whose: "all" | "only" | "except";
  keys: string[];
  gated_contents: boolean;
  allow_private: boolean;
}

export const newGuard: GuardValues = {
  url: "",
  stages: ["input"],
  streams: "after",
  hold_characters: String(heldCharacters.default),
  on_error: "block",
  operations: [],
  models: [],
  whose: "all",
  keys: [],
  gated_contents: false,
  allow_private: false,
};

export function valuesOfGuard(guard: Guard): GuardValues {
  const { url, stages, streams, on_error, gated_contents, allow_private } = guard;
  return {
    ...{ url, stages, streams, on_error, gated_contents, allow_private },
    hold_characters: String(guard.hold_characters),
    operations: guard.operations ?? [],
    models: guard.models ?? [],
    whose: guard.keys !== null ? "only" : guard.except_keys.length > 0 ? "except" : "all",
    keys: guard.keys ?? guard.except_keys,
  };
}

/** The settings of a request. Only an operator's has `allow_private`. */
export function guardBody(of: GuardOwner, values: GuardValues): GuardCreate {
  const { stages, streams, on_error, gated_contents, allow_private, operations, models, whose } = values;
  const keys = values.keys.map((id) => id.trim()).filter((id) => id !== "");
  return {
    url: values.url.trim(),
    ...{ stages, streams, on_error, gated_contents },
    ...(values.hold_characters.trim() !== "" && { hold_characters: Number(values.hold_characters) }),
    operations: operations.length > 0 ? operations : null,
    models: models.length > 0 ? models : null,
    keys: whose === "only" ? keys : null,
    except_keys: whose === "except" ? keys : [],
    ...(of === "installation" && { allow_private }),
  };
}

/**
 * What a request must change. Other settings are left out: whoever sends `gated_contents` answers for it from then on.
 */
export function guardChanges(of: GuardOwner, before: GuardValues, after: GuardValues): GuardUpdate {
  const old: Record<string, unknown> = { ...guardBody(of, before) };
  const changed = Object.entries(guardBody(of, after)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name]),
  );
  return Object.fromEntries(changed);
}
