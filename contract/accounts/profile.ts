import { type Static, Type } from "typebox";
import { closed } from "../list.ts";
import { Timestamp } from "../nullable.ts";
import { Name } from "./person-fields.ts";

/** The signed-in person, independent of the account. */
export const Profile = Type.Object({
  id: Type.String(),
  object: Type.Literal("user"),
  name: Type.String(),
  email: Type.String(),
  email_verified: Type.Boolean({
    description:
      "true when an identity provider, or a link sent to the address, proved that it belongs to the person",
  }),
  has_password: Type.Boolean(),
  operator: Type.Boolean({ description: "whether they run this installation" }),
  created_at: Timestamp,
});
export type Profile = Static<typeof Profile>;

export const ProfileUpdate = Type.Object({ name: Name }, closed);
export type ProfileUpdate = Static<typeof ProfileUpdate>;
