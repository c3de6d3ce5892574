import { integer, text } from "../drizzle.ts";
import { accountId } from "./accounts.ts";

/**
 * The first columns of presets and conversations: members create them for their account, name them, and
 * change them.
 */
export const sharedColumns = () => ({
  id: text("id").primaryKey(),
  accountId: accountId(),
  /** The creator, as in `predictions`. */
  keyId: text("key_id"),
  userId: text("user_id"),
  /**
   * Counts changes, so that two people do not overwrite each other's. The previous release does not count
   * changes of presets.
   */
  version: integer("version").notNull().default(1),
  /** The last person or key to change it; both null: unchanged since its creation. */
  changedByKeyId: text("changed_by_key_id"),
  changedByUserId: text("changed_by_user_id"),
  name: text("name").notNull(),
  model: text("model").notNull(),
});
