import { type Static, Type } from "typebox";
import { NoQuery } from "../list.ts";
import type { Routes } from "../routes/route.ts";

/**
 * The steps that somebody has done at least once. Nothing is stored for this: each is derived from existing
 * data.
 */
export const OperatorSteps = Type.Object({
  ran_sandbox: Type.Boolean({ description: "the sandbox has answered a run" }),
  connected_provider: Type.Boolean({
    description: "a provider is connected, in the console or in the providers file",
  }),
  mapped_model: Type.Boolean({ description: "a provider runs at least one operation" }),
  ran_provider: Type.Boolean({ description: "a provider has answered a run" }),
  made_alias: Type.Boolean({ description: "an alias gives a model another name" }),
  invited_colleague: Type.Boolean({
    description: "a second person has an account, or an invitation is open",
  }),
  set_price: Type.Boolean({ description: "at least one operation has a price" }),
  opened_network: Type.Boolean({
    description: "the public addresses of the API and the console use https and do not point to this machine",
  }),
  set_mail: Type.Boolean({ description: "a mail server is configured" }),
  set_signing: Type.Boolean({ description: "a certificate for signing outputs is configured" }),
});
export type OperatorSteps = Static<typeof OperatorSteps>;

/** Who can open an address: only this machine, others without encryption, or others over https. */
export const addressReaches = ["own_machine", "unencrypted", "open"] as const;
export type AddressReach = (typeof addressReaches)[number];

const address = (setting: string) =>
  Type.Object({ url: Type.String({ description: `\`${setting}\`` }), reach: Type.Enum(addressReaches) });

/** The public addresses of the installation. */
export const NetworkFacts = Type.Object({
  gateway: address("GATEWAY_PUBLIC_URL"),
  console: address("CONSOLE_PUBLIC_URL"),
  listens_on: Type.String({ description: "`GATEWAY_HOST` of the process that answered" }),
  own_machine_only: Type.Boolean({ description: "true when no other machine can connect to that process" }),
});
export type NetworkFacts = Static<typeof NetworkFacts>;

export const OperatorFirstSteps = Type.Object({
  object: Type.Literal("operator.first_steps"),
  steps: OperatorSteps,
  network: NetworkFacts,
});
export type OperatorFirstSteps = Static<typeof OperatorFirstSteps>;

export const operatorFirstStepsRoutes = {
  "GET /operator/first_steps": {
    summary: "Read which first steps of a new installation are done, and its public addresses",
    operator: true,
    extension: true,
    query: NoQuery,
    answers: { 200: OperatorFirstSteps },
  },
} as const satisfies Routes;
