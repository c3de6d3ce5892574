import { type Static, Type } from "typebox";
import { closed, Nullable, Timestamp } from "../list.ts";
import type { Routes } from "../routes/route.ts";
import { accountStateFields, endedAccess, endedKeysGrace } from "./constants.ts";

const AccountId = Type.Optional(
  Type.String({ maxLength: 60, description: "only of this account; left out: of all accounts" }),
);

/** How many ways in are open now. */
export const OpenAccess = Type.Object({
  object: Type.Literal("operator.access"),
  sessions: Type.Integer(),
  personal_keys: Type.Integer(),
  connections: Type.Integer({ description: "agents that members have connected" }),
  service_keys: Type.Integer(),
});
export type OpenAccess = Static<typeof OpenAccess>;

export const AccessQuery = Type.Object({ account_id: AccountId }, closed);
export type AccessQuery = Static<typeof AccessQuery>;

export const AccessEnd = Type.Object(
  {
    what: Type.Enum(endedAccess, {
      description:
        "`sessions`: those of all people and keys, except the caller's; `personal_keys`: also ends connections",
    }),
    account_id: AccountId,
    reason: Type.String(accountStateFields.reason),
    grace_seconds: Type.Optional(
      Type.Integer({
        ...endedKeysGrace,
        description: "for `personal_keys`: how long they still work; connections end at once",
      }),
    ),
  },
  closed,
);
export type AccessEnd = Static<typeof AccessEnd>;

export const AccessEnded = Type.Object({
  object: Type.Literal("operator.access_ended"),
  sessions: Type.Integer(),
  personal_keys: Type.Integer(),
  connections: Type.Integer(),
  keys_end_at: Nullable(Timestamp),
});
export type AccessEnded = Static<typeof AccessEnded>;

export const everybodyOutRoutes = {
  "GET /operator/access": {
    summary: "Count the sessions and keys that are open, of all accounts or of one",
    operator: true,
    extension: true,
    byClick: true,
    query: AccessQuery,
    answers: { 200: OpenAccess },
  },
  "POST /operator/access/end": {
    summary: "End all sessions, or all personal keys, of all accounts or of one",
    operator: true,
    extension: true,
    byClick: true,
    body: AccessEnd,
    answers: { 200: AccessEnded },
  },
} as const satisfies Routes;
