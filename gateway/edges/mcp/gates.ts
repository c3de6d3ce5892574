import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Caller } from "./caller.ts";
import { personNeeded } from "./models.ts";

const confirmation = "person_rights_confirmed";

/**
 * What only a person may decide, an agent gets a link for. It never says that the people in its input agreed, and a model that needs an
 * attestation runs only with a key that names this model, so that somebody chose it for this agent. Throws what to tell the person.
 */
export async function refuseForPerson(
  { context, actor }: Caller,
  model: string,
  input: Record<string, unknown>,
): Promise<void> {
  const { consoleUrl } = context.config;
  if (Object.hasOwn(input, confirmation))
    throw new ApiError(
      "person_rights_confirmation_required",
      `An agent cannot confirm ${confirmation}. Ask the person to run it at ${consoleUrl}/catalog/${model}.`,
      { param: confirmation },
    );
  for (const id of await modelsBehind({ context, actor }, model)) {
    const entry = context.catalog.model(id, actor.accountId);
    const needs = entry ? personNeeded(entry) : [];
    if (needs.includes("person_rights_each_time"))
      throw new ApiError(
        "person_rights_confirmation_required",
        `A person confirms each run of ${id}. Ask them to run it at ${consoleUrl}/catalog/${id}.`,
      );
    if (needs.length > 0 && !actor.models?.includes(id))
      throw new ApiError(
        "model_not_allowed",
        `${id} needs an attestation (${needs.join(", ")}), so an agent may run it only with a key that names it among its models. Ask the person to make one at ${consoleUrl}/keys.`,
      );
  }
}

/** The model itself, or all that an alias may run. */
async function modelsBehind({ context, actor }: Pick<Caller, "context" | "actor">, name: string) {
  if (context.catalog.has(name, actor.accountId)) return [name];
  const alias = await context.aliases.find(actor.accountId, name);
  return alias?.models ?? [];
}
