import type { TObject, TProperties } from "typebox";
import { Value } from "typebox/value";
import { type AccountLimits, AccountLimitsUpdate, limitsOf, setLimitsOf } from "#contract/accounts/limits.ts";
import { LimitPlanCreate, LimitPlanUpdate } from "#contract/operator/plans.ts";
import { recordAuditOfInstallation } from "#gateway/access/accounts/audit.ts";
import { assertModelsExist } from "#gateway/access/accounts/keys/create.ts";
import { type PlanRow, readAccountForOperator, setAccountLimits } from "#gateway/access/accounts/limits.ts";
import { createPlan, deletePlan, listPlans, planNamed, updatePlan } from "#gateway/access/accounts/plans.ts";
import { everyone } from "#gateway/models/catalog/entry.ts";
import { readCatalog } from "#gateway/models/configuration/read-configuration.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { byCommandLine } from "./accounts.ts";
import { type Command, printable, required, UsageError } from "./command.ts";

/** The commands that set what limits accounts: one account, or all with the same plan. */

const numberLimits = [
  "requests_per_minute",
  "tokens_per_minute",
  "max_concurrency",
  "storage_bytes",
  "contents_days",
  "shortest_retention_minutes",
] as const;
const listLimits = ["models", "regions"] as const;
const limitNames = [...numberLimits, ...listLimits];
const asOption = (name: string) => name.replaceAll("_", "-");
const limitOptions = Object.fromEntries(
  limitNames.map((name) => [asOption(name), { type: "string" as const }]),
);
/** Takes a limit back: that of the plan or of the installation holds again. */
const usual = "usual";

const usageOfLimits = `  --requests-per-minute <n>  operations a minute, all keys and members together
  --tokens-per-minute <n>    tokens of text a minute
  --max-concurrency <n>      operations at once
  --storage-bytes <n>        total size of stored files
  --contents-days <n>        for how many days contents of calls may be kept
  --shortest-retention-minutes <n>
                             the shortest retention that an owner may choose
  --models <id,…>            the only models that may run
  --regions <name,…>         the only regions in which runs may be`;

/** `gatehouse account limits`: sets limits of an account, or prints them. */
export const limitAccount: Command = {
  usage: `account limits --account <id> [--reason <text> and limits]

  --account <id>             as \`gatehouse account list\` prints it
  --plan <name>              as \`gatehouse plans list\` prints it; the limits below come before those of the plan
${usageOfLimits}
  --reason <text>            why; members see it in the audit log

"${usual}" as a limit gives the account that of its plan or of the installation again, and as a plan takes it away.
A change applies in all processes within a second. Prints what limits the account now.`,
  options: {
    account: { type: "string" },
    plan: { type: "string" },
    reason: { type: "string" },
    ...limitOptions,
  },
  prepare(values) {
    const account = required(values, "account");
    const { plan } = values;
    const isSetting = typeof plan === "string";
    const asked = limitsIn(values);
    const update =
      asked || isSetting
        ? checked(AccountLimitsUpdate, {
            ...asked,
            ...(isSetting && { plan: null }),
            reason: required(values, "reason"),
          })
        : null;
    return async ({ config, database }) => {
      if (update)
        await database.transaction(async (queries) => {
          if (update.models)
            assertModelsExist(await readCatalog(queries), { models: update.models }, account);
          const isNamed = isSetting && plan !== usual;
          const given = { ...update, ...(isNamed && { plan: (await findNamed(queries, plan)).id }) };
          await setAccountLimits(queries, config, account, given, byCommandLine);
        });
      const { plan: has, ...seen } = await readAccountForOperator({ config, database }, account);
      const limits = limitsOf(seen.usual_limits, setLimitsOf(has?.limits, seen.limits));
      return [
        `plan\t${has ? printable(has.name) : "none"}`,
        ...limitNames.map((name) => `${name}\t${limits[name] ?? "no limit"}`),
      ].join("\n");
    };
  },
};

/** `gatehouse plans list`: the plans with their limits. */
export const listAllPlans: Command = {
  usage: `plans list

Prints a line for each plan: its name, how many accounts have it, and its limits.`,
  options: {},
  prepare:
    () =>
    async ({ database: { queries } }) =>
      (await listPlans(queries)).data
        .map((plan) =>
          [
            printable(plan.name),
            String(plan.accounts),
            ...limitNames.flatMap((name) =>
              plan.limits[name] === null ? [] : [`${name}=${plan.limits[name]}`],
            ),
          ].join("\t"),
        )
        .join("\n"),
};

/** `gatehouse plans set`: makes or changes a plan. */
export const setPlan: Command = {
  usage: `plans set --name <name> [--reason <text> and limits]

  --name <name>              makes the plan, or changes the one with this name
${usageOfLimits}
  --reason <text>            why a plan changes; members of its accounts see it in the audit log

"${usual}" as a limit takes it out of the plan: that of the installation holds. A change applies to the plan's accounts in
all processes within a second. Prints the plan's id.`,
  options: { name: { type: "string" }, reason: { type: "string" }, ...limitOptions },
  prepare(values) {
    const name = required(values, "name");
    const limits = limitsIn(values) ?? {};
    const created = checked(LimitPlanCreate, { name, ...limits });
    return ({ config, database }) =>
      database.transaction(async (queries) => {
        if (created.models) {
          const catalog = await readCatalog(queries);
          const all = { has: (id: string) => catalog.has(id, everyone) };
          assertModelsExist(all, { models: created.models }, "");
        }
        const known = await planNamed(queries, name);
        if (!known) {
          const { id } = await createPlan(queries, config, created);
          await recordAuditOfInstallation(queries, { action: "plan.created", targetId: id, detail: created });
          return id;
        }
        const update = checked(LimitPlanUpdate, { name, ...limits, reason: required(values, "reason") });
        const { id } = await updatePlan(queries, config, known.id, update, byCommandLine);
        await recordAuditOfInstallation(queries, { action: "plan.updated", targetId: id, detail: update });
        return id;
      });
  },
};

/** `gatehouse plans delete`: deletes a plan that no account has. */
export const removePlan: Command = {
  usage: `plans delete --name <name>

  --name <name>  as \`gatehouse plans list\` prints it

Fails while an account has the plan. Prints the plan's id.`,
  options: { name: { type: "string" } },
  prepare(values) {
    const name = required(values, "name");
    return ({ database }) =>
      database.transaction(async (queries) => {
        const { id } = await findNamed(queries, name);
        const detail = { name: await deletePlan(queries, id) };
        await recordAuditOfInstallation(queries, { action: "plan.deleted", targetId: id, detail });
        return id;
      });
  },
};

async function findNamed(queries: Queries, name: string): Promise<PlanRow> {
  const plan = await planNamed(queries, name);
  if (!plan) throw new Error(`There is no plan ${printable(name)}. "gatehouse plans list" prints them`);
  return plan;
}

/** The limits that the options set; null if they set none. */
function limitsIn(values: Record<string, unknown>): Partial<AccountLimits> | null {
  const read = (name: (typeof limitNames)[number], parse: (text: string) => unknown) => {
    const text = values[asOption(name)];
    if (typeof text !== "string") return [];
    return [[name, text === usual ? null : parse(text)]];
  };
  const limits = [
    ...numberLimits.flatMap((name) => read(name, (text) => (/^\d+$/.test(text) ? Number(text) : text))),
    ...listLimits.flatMap((name) => read(name, (text) => text.split(",").map((part) => part.trim()))),
  ];
  return limits.length === 0 ? null : Object.fromEntries(limits);
}

/** The input if the route would take it. Throws UsageError. */
function checked<Schema extends TObject<TProperties>>(schema: Schema, input: unknown) {
  if (Value.Check(schema, input)) return input;
  const [wrong] = Value.Errors(schema, input);
  const [name = ""] = wrong?.instancePath.slice(1).split("/") ?? [];
  throw new UsageError(`--${asOption(name)} ${wrong?.message ?? "is wrong"}`);
}
