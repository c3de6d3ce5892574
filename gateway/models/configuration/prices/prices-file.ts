import { readFileSync } from "node:fs";
import type { Logger } from "pino";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { closed } from "#contract/list.ts";
import { Currency, priceLimits } from "#contract/money/cost.ts";
import type { Sentence } from "#contract/sentences.ts";
import { PriceEntry } from "#gateway/models/providers/file/schema.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import { englishOf, sentence } from "#gateway/platform/core/sentences.ts";
import { ConfigError } from "#gateway/platform/core/setting-reader.ts";
import type { Database, Queries } from "#gateway/platform/database/database.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { configuration, prices } from "#gateway/platform/database/schema.ts";
import { fileStamp } from "../providers-file.ts";
import {
  assertComponents,
  isSamePrice,
  latestPrices,
  newPriceRow,
  type PriceRow,
  scopeKey,
  scopeOfCost,
} from "./price-rows.ts";

const PricesFile = Type.Object(
  {
    currency: Type.Optional(Currency),
    prices: Type.Array(PriceEntry, { maxItems: priceLimits.atOnce }),
  },
  closed,
);
type PricesFile = Static<typeof PricesFile>;

export interface PricesFileState {
  path: string;
  /** Why the current file is not in use; its previous content stays in use. */
  problem: string | null;
  problem_codes?: Sentence[];
}

/**
 * Follows changes of the prices file. Its content becomes versions like those of the console, which begin
 * when they are read, so that a run keeps its price when the file changes.
 */
export class PricesFileReader {
  readonly #path: string | null;
  readonly #currency: string;
  readonly #log: Logger;
  #stamp: string | null = null;
  #problem: ConfigError | null = null;

  constructor({ pricesFile, currency }: Config, log: Logger) {
    this.#path = pricesFile;
    this.#currency = currency;
    this.#log = log;
  }

  get state(): PricesFileState | null {
    if (this.#path === null) return null;
    const { message = null, code = null } = this.#problem ?? {};
    return { path: this.#path, problem: message, ...(code && { problem_codes: [code] }) };
  }

  /**
   * Without the setting, this process does not end the file's prices, because other processes may have the
   * setting. Throws ConfigError for an unusable file when the process starts.
   */
  async follow(database: Database): Promise<void> {
    const path = this.#path;
    if (path === null) return;
    const stamp = await fileStamp(path);
    if (stamp === this.#stamp) return;
    try {
      const content = readPricesFile(path, this.#currency);
      await database.transaction((queries) => takeOver(queries, content.prices));
      this.#problem = null;
    } catch (error) {
      if (this.#stamp === null || !(error instanceof ConfigError)) throw error;
      this.#problem = error;
      this.#log.error(
        { problem: error.message },
        "the prices file cannot be used; what it said before stays",
      );
    }
    this.#stamp = stamp;
  }
}

/** Throws ConfigError naming the place. */
function readPricesFile(path: string, currency: string): PricesFile {
  const source = `PRICES_FILE ${path}`;
  const refusal = (code: Sentence, between = ": ") =>
    new ConfigError(source + between + englishOf(code), { ...code, at: source });
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw refusal(sentence("prices_unreadable", { problem: (error as Error).message }), " ");
  }
  if (!Value.Check(PricesFile, content)) {
    const [first] = Value.Errors(PricesFile, content).filter(({ keyword }) => keyword !== "boolean");
    const problem = first?.message ?? "has the wrong shape";
    throw refusal(
      first?.instancePath
        ? sentence("prices_wrong_shape", { place: first.instancePath, problem })
        : sentence("prices_wrong_shape_somewhere", { problem }),
    );
  }
  if (content.currency !== undefined && content.currency !== currency)
    throw refusal(sentence("prices_other_currency", { currency }));
  const seen = new Set<string>();
  for (const [index, entry] of content.prices.entries()) {
    const key = scopeKey(scopeOfCost(entry));
    if (seen.has(key)) throw refusal(sentence("prices_repeated", { number: String(index) }));
    seen.add(key);
    try {
      assertComponents(entry.components, `prices[${index}].`);
    } catch (error) {
      if (error instanceof ApiError)
        throw refusal(sentence("prices_component_refused", { problem: error.message }));
      throw error;
    }
  }
  return content;
}

/** Writes new versions for changed prices of the file, and ends the removed ones. */
async function takeOver(queries: Queries, entries: PricesFile["prices"]): Promise<void> {
  const known = await latestPrices(queries, "file");
  if (entries.length === 0 && known.length === 0) return;
  await queries.execute(sql`select from ${configuration} for update`);
  const before = new Map((await latestPrices(queries, "file")).map((row) => [scopeKey(row), row]));
  const now = clock.date();
  const made = { source: "file", effectiveAt: now, createdAt: now } as const;
  const rows: PriceRow[] = [];
  for (const entry of entries) {
    const row = newPriceRow(scopeOfCost(entry), entry.components, made);
    const last = before.get(scopeKey(row));
    before.delete(scopeKey(row));
    if (!isSamePrice(last?.components ?? null, row.components)) rows.push(row);
  }
  for (const gone of before.values()) if (gone.components) rows.push(newPriceRow(gone, null, made));
  if (rows.length === 0) return;
  await queries.insert(prices).values(rows);
  await queries.update(configuration).set({ revision: sql`revision + 1` });
}
