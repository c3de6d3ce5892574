import type { OperatorModelCreate } from "#contract/operator/models.ts";
import type { Context } from "#gateway/context.ts";
import { templateEntries } from "#gateway/models/catalog/entries.ts";
import type { Connection } from "#gateway/models/providers/configuration.ts";
import { protocolOf } from "#gateway/models/providers/protocols.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { askAboutModel } from "./ask-about-model.ts";
import { type EntryPlan, entryOfImport } from "./entry-of-import.ts";
import { entryOfListed } from "./entry-of-listed.ts";

type Wish = OperatorModelCreate & { import: NonNullable<OperatorModelCreate["import"]> };

/** Asks a provider what a model is, and proposes its entry. Throws as `planModel`. */
export async function entryOfUpstream(context: Context, wish: Wish, today: string): Promise<EntryPlan> {
  const { id, import: from } = wish;
  const connection = findConnection(context, from.provider);
  const offered = [...connection.keys.keys()];
  const [region] = offered;
  if (!region)
    throw new ApiError("invalid_parameter", `${connection.name} has no credentials in any region.`, {
      param: "import.provider",
    });
  const { describeModel } = protocolOf(connection.entry.protocol).facts;
  if (!describeModel)
    throw new ApiError(
      "invalid_parameter",
      `${connection.entry.protocol} does not describe its models. Make the entry from a template and route it to ${connection.name}.`,
      { param: "import.provider" },
    );
  const found = await describeModel(
    askAboutModel({ connection, region, log: context.log }, from.name),
    from.name,
  );
  const at = { id, regions: wish.regions ?? offered, today, apiType: from.api_type };
  if ("listed" in found)
    return { ...entryOfListed(templateEntries, found.listed, at), provider: connection.name };
  const plan = entryOfImport(found.model, { ...at, prompt: wish.fields?.prompt });
  return { ...plan, provider: connection.name };
}

/** By its id or, without regard to case, its name. */
function findConnection(context: Context, named: string): Connection {
  const { connections, configuration } = context.configuration.current;
  const byId = connections.find(({ row }) => row.id === named)?.connection.name;
  const name = (byId ?? named).toLowerCase();
  const found = configuration.connections.find((connection) => connection.name.toLowerCase() === name);
  if (found && !found.isLeaving) return found;
  throw new ApiError(
    "invalid_parameter",
    `There is no provider ${named}. GET /v1/operator/providers lists them.`,
    {
      param: "import.provider",
    },
  );
}
