import { integer, text } from "../drizzle.ts";
import { accounts } from "./accounts.ts";

/** What presets and conversations begin with: members make them for their account, under a name, and change them. */
export const sharedColumns = () => ({
  id: text("id").primaryKey(),
  accountId: text("account_id")
    .notNull()
    .references(() => accounts.id, { onDelete: "cascade" }),
  /** Who made it, as in `predictions`. */
  keyId: text("key_id"),
  userId: text("user_id"),
  /** Counts changes, so that two people do not overwrite each other. The release before counts none of presets. */
  version: integer("version").notNull().default(1),
  /** Who changed it last; both null: nobody has since it was made. */
  changedByKeyId: text("changed_by_key_id"),
  changedByUserId: text("changed_by_user_id"),
  name: text("name").notNull(),
  model: text("model").notNull(),
});
