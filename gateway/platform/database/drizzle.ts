import { createRequire } from "node:module";

/**
 * Loads the CommonJS modules of the database library. Its package.json has 180 kB, which Node would read
 * again for each of its ES modules and for each file that imports it: most of a gateway process's start time.
 */
const load = createRequire(import.meta.url);
const core = load("drizzle-orm") as typeof import("drizzle-orm");
const tables = load("drizzle-orm/pg-core") as typeof import("drizzle-orm/pg-core");
const errors = load("drizzle-orm/errors") as typeof import("drizzle-orm/errors");
const postgres = load("drizzle-orm/node-postgres") as typeof import("drizzle-orm/node-postgres");
const migrator = load(
  "drizzle-orm/node-postgres/migrator",
) as typeof import("drizzle-orm/node-postgres/migrator");

export const { and, arrayContains, arrayOverlaps, asc, count, desc, eq, exists, getTableColumns } = core;
export const { gt, gte, inArray, isNotNull, isNull, like, lt, lte, min, ne, not, notInArray, notLike } = core;
export const { max, or, sql, sum } = core;
export const { bigint, boolean, check, customType, doublePrecision, index, integer, json, jsonb } = tables;
export const { numeric, pgTable, primaryKey, QueryBuilder, real, smallint, text, timestamp, unique } = tables;
export const { alias, foreignKey, PgDialect, uniqueIndex } = tables;
export const { DrizzleQueryError } = errors;
export const { drizzle, NodePgSession } = postgres;
export const { migrate } = migrator;
export type { SQL } from "drizzle-orm";
export type { NodePgDatabase } from "drizzle-orm/node-postgres";
export type { PgColumn, PgSelect, PgTable, PgUpdateSetSource } from "drizzle-orm/pg-core";
