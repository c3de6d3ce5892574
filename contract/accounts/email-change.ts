import { type Static, Type } from "typebox";
import { closed } from "../list.ts";
import { Nullable, Timestamp } from "../nullable.ts";
import type { Routes } from "../routes/route.ts";
import { Email, LinkLookup } from "./person-fields.ts";
import { Proof } from "./second-factor.ts";

/** Needs the password or a code, as every change to the way a person signs in does. */
export const EmailChange = Type.Object({ email: Email, proof: Type.Optional(Proof) }, closed);
export type EmailChange = Static<typeof EmailChange>;

export const EmailChangeStarted = Type.Object({
  object: Type.Literal("email_change"),
  email: Type.String({
    description: "the new address. A link is sent there; the address changes when it is opened",
  }),
  expires_at: Timestamp,
});
export type EmailChangeStarted = Static<typeof EmailChangeStarted>;

export const emailChangeStates = ["open", "used", "expired"] as const;

export const EmailChangePreview = Type.Object({
  object: Type.Literal("email_change_preview"),
  email: Type.String(),
  from: Nullable(Type.String({ description: "the address before the change" })),
  state: Type.Enum(emailChangeStates),
  expires_at: Timestamp,
});
export type EmailChangePreview = Static<typeof EmailChangePreview>;

export const EmailChanged = Type.Object({ object: Type.Literal("email"), email: Type.String() });
export type EmailChanged = Static<typeof EmailChanged>;

export const emailRoutes = {
  "POST /account/email": {
    summary: "Start changing your e-mail address; a link is sent to the new one",
    person: true,
    anyAccount: true,
    extension: true,
    byClick: true,
    body: EmailChange,
    answers: { 202: EmailChangeStarted },
  },
  "POST /account/email/lookup": {
    summary: "Read which address a link confirms",
    public: true,
    extension: true,
    body: LinkLookup,
    answers: { 200: EmailChangePreview },
  },
  "POST /account/email/confirm": {
    summary: "Confirm a new e-mail address with the link that was sent there",
    public: true,
    extension: true,
    body: LinkLookup,
    answers: { 200: EmailChanged },
  },
} as const satisfies Routes;
