import {
  type AddressReach,
  type NetworkFacts,
  type OperatorFirstSteps,
  type OperatorSteps,
  operatorFirstStepsRoutes,
} from "#contract/operator/first-steps.ts";
import type { ModelsContext } from "#gateway/models/context.ts";
import { sandboxName } from "#gateway/models/providers/file/check.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import { isPublic, loopback } from "#gateway/platform/core/listen-host.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { everyAccount } from "#gateway/platform/figures/read.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";

/** The remaining set-up steps of a new installation. */
export function installOperatorFirstSteps(app: App, context: ModelsContext): void {
  serve(app, context, operatorFirstStepsRoutes, {
    "GET /operator/first_steps": () => readFirstSteps(context),
  });
}

/** How far the set-up is. Computed from existing data, without calling an upstream. */
async function readFirstSteps(context: ModelsContext): Promise<OperatorFirstSteps> {
  const { config, configuration } = context;
  const { connections, mappings } = configuration.current.configuration;
  const network = networkFacts(config);
  const happened = await readHappened(context);
  return {
    object: "operator.first_steps",
    steps: {
      ...happened,
      connected_provider: connections.some(({ isGone, isLeaving }) => !isGone && !isLeaving),
      mapped_model: mappings.length > 0,
      opened_network: network.gateway.reach === "open" && network.console.reach === "open",
      set_mail: config.smtp !== null,
      set_signing: config.signing !== null,
    },
    network,
  };
}

type Happened = Pick<
  OperatorSteps,
  "ran_sandbox" | "ran_provider" | "made_alias" | "invited_colleague" | "set_price"
>;

/** Reads few rows: tries are counted per provider and model, and the other queries stop at the first row. */
async function readHappened({ database }: ModelsContext): Promise<Happened> {
  const { rows } = await database.queries.execute<Happened & Record<string, unknown>>(sql`
    with answered as (
      select provider from figure_series
      where account_id = ${everyAccount} and set = 'try' and kind = 'try' and code = ''
      union
      select provider from figure_additions where set = 'try' and code = '')
    select
      exists (select from answered where provider = ${sandboxName}) as ran_sandbox,
      exists (select from answered where provider not in ('', ${sandboxName})) as ran_provider,
      exists (select from aliases) as made_alias,
      exists (select from users offset 1) or exists (select from invitations) as invited_colleague,
      exists (select from prices where jsonb_array_length(components) > 0) as set_price`);
  const [happened] = rows;
  if (!happened) throw new Error("the query for the first steps of an installation always returns one row");
  return happened;
}

function networkFacts({ publicUrl, consoleUrl, host }: Config): NetworkFacts {
  return {
    gateway: { url: publicUrl, reach: reachOf(publicUrl) },
    console: { url: consoleUrl, reach: reachOf(consoleUrl) },
    listens_on: host,
    own_machine_only: [loopback, "localhost", "::1"].includes(host),
  };
}

function reachOf(url: string): AddressReach {
  if (!isPublic(url)) return "own_machine";
  return url.startsWith("https://") ? "open" : "unencrypted";
}
