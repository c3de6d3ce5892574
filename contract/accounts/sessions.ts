import { type Static, Type } from "typebox";
import { closed, Deleted, NoQuery } from "../list.ts";
import { Nullable, Timestamp } from "../nullable.ts";
import { eventStream } from "../routes/answers.ts";
import type { Routes } from "../routes/route.ts";
import { Account, AccountMembership } from "./account.ts";
import { personFields } from "./account-constants.ts";

/** How the person signed in to open a session. */
export const sessionMethods = ["setup", "password", "passkey", "invitation", "key", "oidc"] as const;
export type SessionMethod = (typeof sessionMethods)[number];

export const SessionCreate = Type.Object(
  {
    email: Type.String({ maxLength: personFields.email.maxLength }),
    password: Type.String({ maxLength: 200 }),
  },
  closed,
);
export type SessionCreate = Static<typeof SessionCreate>;

/** `token` is the bearer token of a signed-in user. Only this answer contains it. */
export const Session = Type.Object({
  id: Type.String(),
  object: Type.Literal("session"),
  token: Type.String(),
  expires_at: Timestamp,
  /**
   * For a person with several accounts: the account that they just joined, otherwise the first one that they
   * joined.
   */
  account: Account,
  accounts: Type.Array(AccountMembership, {
    description: "accounts of the person; empty for an account key",
  }),
});
export type Session = Static<typeof Session>;

/** A session, as shown to its owner and to managers of members. */
export const SessionRow = Type.Object({
  id: Type.String(),
  object: Type.Literal("session"),
  current: Type.Boolean({ description: "true for the session that sends this request" }),
  method: Nullable(Type.Enum(sessionMethods, { description: "how the session was opened" })),
  user_agent: Nullable(Type.String()),
  ip: Nullable(Type.String({ description: "where the session was last used, or else opened" })),
  created_at: Timestamp,
  last_seen_at: Nullable(Timestamp),
  expires_at: Timestamp,
});
export type SessionRow = Static<typeof SessionRow>;
export const SessionList = Type.Object({ object: Type.Literal("list"), data: Type.Array(SessionRow) });
export type SessionList = Static<typeof SessionList>;

export const SessionsEnded = Type.Object({
  object: Type.Literal("sessions"),
  ended: Type.Integer(),
});
export type SessionsEnded = Static<typeof SessionsEnded>;

export const sessionRoutes = {
  "POST /account/sessions": {
    summary: "Sign in",
    public: true,
    extension: true,
    neededToAttest: true,
    body: SessionCreate,
    answers: { 201: Session },
  },
  "POST /account/sessions/key": {
    summary: "Open a session with an account key",
    anyAccount: true,
    extension: true,
    neededToAttest: true,
    answers: { 201: Session },
  },
  "DELETE /account/sessions/current": {
    summary: "Sign out",
    anyAccount: true,
    extension: true,
    neededToAttest: true,
    answers: { 200: Deleted },
  },
  "GET /account/sessions/current/events": {
    summary: "Wait for the end of the current session",
    anyAccount: true,
    extension: true,
    neededToAttest: true,
    stream: true,
    fromBrowser: true,
    query: NoQuery,
    otherAnswers: { 200: eventStream("One event, `ended`, when the session ends; none before") },
  },
  "GET /account/sessions": {
    summary: "List your sessions",
    person: true,
    anyAccount: true,
    extension: true,
    neededToAttest: true,
    query: NoQuery,
    answers: { 200: SessionList },
  },
  "DELETE /account/sessions": {
    summary: "End all your other sessions",
    person: true,
    anyAccount: true,
    extension: true,
    neededToAttest: true,
    byClick: true,
    query: NoQuery,
    answers: { 200: SessionsEnded },
  },
  "DELETE /account/sessions/{id}": {
    summary: "End one of your sessions, or a member's",
    person: true,
    anyAccount: true,
    extension: true,
    neededToAttest: true,
    byClick: true,
    answers: { 200: Deleted },
  },
} as const satisfies Routes;
