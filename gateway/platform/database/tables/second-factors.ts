import { bigint, boolean, index, pgTable, primaryKey, text, uniqueIndex } from "../drizzle.ts";
import { users } from "./accounts.ts";
import { createdAt, time } from "./columns.ts";

const userId = () =>
  text("user_id")
    .notNull()
    .references(() => users.id, { onDelete: "cascade" });

export const passkeys = pgTable(
  "passkeys",
  {
    id: text("id").primaryKey(),
    userId: userId(),
    name: text("name").notNull(),
    /** base64url, as the browser names it. */
    credentialId: text("credential_id").notNull(),
    /** COSE, base64url. */
    publicKey: text("public_key").notNull(),
    /** Never decreases; 0 where the authenticator does not count. */
    uses: bigint("uses", { mode: "number" }).notNull(),
    transports: text("transports").array().notNull(),
    isSynced: boolean("is_synced").notNull(),
    createdAt: createdAt(),
    lastUsedAt: time("last_used_at"),
  },
  (table) => [
    uniqueIndex("passkeys_credential").on(table.credentialId),
    index("passkeys_user").on(table.userId),
  ],
);

/** The secret of a person's authenticator app: the one in use, and one that is being set up. */
export const totpSecrets = pgTable(
  "totp_secrets",
  {
    userId: userId(),
    isConfirmed: boolean("is_confirmed").notNull(),
    keyId: text("key_id").notNull(),
    ciphertext: text("ciphertext").notNull(),
    /** The half minute of the last code that was accepted: it and earlier ones are not accepted again. */
    lastStep: bigint("last_step", { mode: "number" }).notNull().default(0),
    createdAt: createdAt(),
    lastUsedAt: time("last_used_at"),
  },
  (table) => [primaryKey({ columns: [table.userId, table.isConfirmed] })],
);

export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    userId: userId(),
    /** sha256 (hex). */
    codeHash: text("code_hash").notNull(),
    usedAt: time("used_at"),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
);

/** A sign-in, or a passkey's registration, that has begun. */
export const tickets = pgTable(
  "tickets",
  {
    /** sha256 (hex). */
    tokenHash: text("token_hash").primaryKey(),
    purpose: text("purpose").$type<"second_factor" | "passkey" | "passkey_setup">().notNull(),
    /** Null: the passkey will say who it is. */
    userId: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    /** What the passkey must sign. */
    challenge: text("challenge"),
    expiresAt: time("expires_at").notNull(),
  },
  (table) => [index("tickets_expiry").on(table.expiresAt)],
);
