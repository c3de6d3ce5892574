import { type Static, Type } from "typebox";
import { closed, NoQuery, Nullable } from "../list.ts";
import type { Routes } from "../routes/route.ts";
import { networkLimits } from "./constants.ts";

/** Addresses and ranges, such as `203.0.113.7` and `2001:db8::/32`. */
export const Networks = Type.Array(
  Type.String({ minLength: 2, maxLength: networkLimits.length, examples: ["203.0.113.0/24"] }),
  {
    minItems: 1,
    maxItems: networkLimits.perList,
    uniqueItems: true,
    description: "addresses and ranges, e.g. `203.0.113.0/24`; requests from other addresses are refused",
  },
);

const fields = {
  /** Where people may sign in and use their sessions. Null: anywhere. */
  sign_in: Nullable(Networks),
  /** Where account keys, their sessions and the tokens of agents may be used. Null: anywhere. */
  keys: Nullable(Networks),
};

export const AccountNetworks = Type.Object({
  object: Type.Literal("account.networks"),
  ...fields,
  address: Type.String({ description: "the address from which this request came" }),
});
export type AccountNetworks = Static<typeof AccountNetworks>;

/** A list that is missing stays. */
export const AccountNetworksUpdate = Type.Object(
  {
    ...Type.Partial(Type.Object(fields)).properties,
    confirmed: Type.Optional(
      Type.Boolean({ description: "sets `sign_in` even if it locks out the address of this request" }),
    ),
  },
  { ...closed, minProperties: 1 },
);
export type AccountNetworksUpdate = Static<typeof AccountNetworksUpdate>;

export const accountNetworkRoutes = {
  "GET /account/networks": {
    summary: "Read from which networks the account may be used",
    permission: "account:manage",
    extension: true,
    query: NoQuery,
    answers: { 200: AccountNetworks },
  },
  "PATCH /account/networks": {
    summary: "Set from which networks the account may be used",
    permission: "account:manage",
    extension: true,
    byClick: true,
    body: AccountNetworksUpdate,
    answers: { 200: AccountNetworks },
  },
} as const satisfies Routes;
