import { check, foreignKey, index, pgTable, sql, text } from "../drizzle.ts";
import { accounts } from "./accounts.ts";
import { createdAt, time } from "./columns.ts";
import { predictions } from "./predictions.ts";
import { webhookDeliveryKeys } from "./webhooks.ts";

/** Notes on predictions and deliveries; each goes with what it is about. */
export const notes = pgTable(
  "notes",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    predictionId: text("prediction_id").references(() => predictions.id, { onDelete: "cascade" }),
    deliveryId: text("delivery_id"),
    /** Who wrote it, as in `predictions`. */
    keyId: text("key_id"),
    userId: text("user_id"),
    text: text("text").notNull(),
    createdAt: createdAt(),
    /** Null: it is as it was first written. */
    editedAt: time("edited_at"),
  },
  (table) => [
    check("notes_subject", sql`num_nonnulls(${table.predictionId}, ${table.deliveryId}) = 1`),
    /** By the delivery's keys, which never change: a key to the delivery itself would cost something at each attempt. */
    foreignKey({
      name: "notes_delivery",
      columns: [table.accountId, table.deliveryId],
      foreignColumns: [webhookDeliveryKeys.accountId, webhookDeliveryKeys.id],
    }).onDelete("cascade"),
    index("notes_of_delivery").on(table.accountId, table.deliveryId, table.id),
    index("notes_of_prediction").on(table.predictionId, table.id).where(sql`prediction_id is not null`),
  ],
);
