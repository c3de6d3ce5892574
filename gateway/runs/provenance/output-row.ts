import type { outputs } from "#gateway/platform/database/schema.ts";

export type OutputRow = typeof outputs.$inferSelect;
/** One with a file to read: its run's, or the kept one. */
export type StoredRow = OutputRow & { key: string };
