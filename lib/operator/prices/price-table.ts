import type { ApiType } from "#contract/catalog-constants.ts";
import { componentFor, componentsByKind, type LineFacts } from "#contract/money/components.ts";
import { type PriceKind, priceKinds, priceLimits, unitOfKind } from "#contract/money/constants.ts";
import type { PriceCondition } from "#contract/money/cost.ts";
import { amountOf, decimalText, parseDecimal } from "#contract/money/decimal.ts";
import type { PriceComponent } from "#contract/operator/prices.ts";
import type { InputTable } from "@/lib/input-table";
import { defaultKinds } from "@/lib/rate-labels";
import { typedAmount, unambiguous } from "@/lib/written-amount";
import type { Words } from "@/messages/words";
import { defaultDigits } from "./price-list.ts";

/** The columns of a price table. From the fourth on they are conditions. */
export const priceColumns = [
  { name: "what", title: "whatColumn", head: "whatHead" },
  { name: "rate", title: "rateColumn", head: "rateHead" },
  { name: "per", title: "perColumn", head: "perHead" },
  { name: "resolution", title: "resolution", head: "resolutionHead" },
  { name: "size", title: "size", head: "sizeHead" },
  { name: "quality", title: "quality", head: "qualityHead" },
  { name: "sound", title: "sound", head: "soundHead" },
  { name: "tier", title: "serviceTier", head: "tierHead" },
  { name: "context above", title: "contextAbove", head: "contextAboveHead" },
  { name: "seconds above", title: "secondsAbove", head: "secondsAboveHead" },
] as const;
type ColumnName = (typeof priceColumns)[number]["name"];
export const fixedColumns: readonly string[] = ["what", "rate", "per"];

/** The conditions that often affect the price of an operation. */
const defaultConditions: Partial<Record<ApiType, readonly ColumnName[]>> = {
  "chat-completions": ["context above"],
  "image-generation": ["size", "quality"],
  "image-editing": ["size", "quality"],
  "video-generation": ["resolution", "sound"],
};

export interface PriceFault {
  row: number;
  column: string;
  message: string;
}

/** The table of a price. Without a price: the operation's usual rows, with empty rates. */
export function tableOfPrice(apiType: ApiType, components: readonly PriceComponent[] = []): InputTable {
  const written = components.length > 0 ? components : defaultKinds[apiType].map((kind) => emptyOf(kind));
  const used = new Set(
    written.flatMap(({ when = {} }) =>
      Object.keys(when).map((name) => columnOf[name as keyof PriceCondition]),
    ),
  );
  const columns = priceColumns
    .map(({ name }) => name)
    .filter(
      (name) => fixedColumns.includes(name) || used.has(name) || defaultConditions[apiType]?.includes(name),
    );
  return { columns, rows: written.map((component) => columns.map((name) => cellOf(component, name))) };
}

type Written = Omit<PriceComponent, "rate"> & { rate: string };

function emptyOf(kind: PriceKind): Written {
  return { kind, per: 10 ** defaultDigits[unitOfKind[kind]], rate: "" };
}

const columnOf: Record<keyof PriceCondition, ColumnName> = {
  resolution: "resolution",
  size: "size",
  quality: "quality",
  audio: "sound",
  service_tier: "tier",
  context_above: "context above",
  duration_above: "seconds above",
};

function cellOf({ kind, rate, per, when = {} }: Written, column: ColumnName): string {
  switch (column) {
    case "what":
      return kind;
    case "rate":
      return unambiguous(rate);
    case "per":
      return String(per);
    case "resolution":
      return when.resolution ?? "";
    case "size":
      return when.size ?? "";
    case "quality":
      return when.quality ?? "";
    case "sound":
      return when.audio === undefined ? "" : when.audio ? "yes" : "no";
    case "tier":
      return when.service_tier ?? "";
    case "context above":
      return when.context_above === undefined ? "" : String(when.context_above);
    case "seconds above":
      return when.duration_above === undefined ? "" : String(when.duration_above);
  }
}

/** Parses the table in this currency and lists its faults. Rows without a rate are ignored. */
export function readPriceTable(
  t: Words<"prices">,
  amounts: Words<"amounts">,
  { columns, rows }: InputTable,
  currency: string,
): {
  components: PriceComponent[];
  faults: PriceFault[];
} {
  const components: PriceComponent[] = [];
  const faults: PriceFault[] = [];
  const seen = new Map<string, number>();
  for (const [row, cells] of rows.entries()) {
    const cell = (name: ColumnName) => (cells[columns.indexOf(name)] ?? "").trim();
    if (cell("rate") === "") continue;
    const reader = new RowReader(t, amounts, row, cell, faults, currency);
    const component = reader.component();
    if (!component) continue;
    const key = JSON.stringify([component.kind, component.when ?? {}]);
    const before = seen.get(key);
    if (before !== undefined) reader.fault("what", t("sameRow", { row: before + 1 }));
    seen.set(key, row);
    components.push(component);
  }
  if (components.length > priceLimits.components)
    faults.push({
      row: priceLimits.components,
      column: "what",
      message: t("atMostRows", { count: priceLimits.components }),
    });
  return { components, faults };
}

class RowReader {
  private readonly t: Words<"prices">;
  private readonly amounts: Words<"amounts">;
  private readonly row: number;
  private readonly cell: (name: ColumnName) => string;
  private readonly faults: PriceFault[];
  private readonly currency: string;

  constructor(
    t: Words<"prices">,
    amounts: Words<"amounts">,
    row: number,
    cell: (name: ColumnName) => string,
    faults: PriceFault[],
    currency: string,
  ) {
    this.t = t;
    this.amounts = amounts;
    this.row = row;
    this.cell = cell;
    this.faults = faults;
    this.currency = currency;
  }

  fault(column: ColumnName, message: string): null {
    this.faults.push({ row: this.row, column, message });
    return null;
  }

  component(): PriceComponent | null {
    const kind = kindNamed(this.cell("what")) ?? this.fault("what", this.t("chooseAKind"));
    const rate = this.rate();
    const per = this.per(kind);
    const when = this.condition();
    if (!kind || rate === null || per === null || !when) return null;
    return { kind, per, rate, ...(Object.keys(when).length > 0 && { when }) };
  }

  private rate(): string | null {
    const noRate = this.t("writeAnAmount");
    const { value, problem = noRate } = typedAmount(this.amounts, this.cell("rate"), noRate, this.currency);
    const isRate = value !== undefined && !value.startsWith("-") && parseDecimal(value) !== null;
    return isRate ? value : this.fault("rate", problem);
  }

  private per(kind: PriceKind | null): number | null {
    const text = this.cell("per");
    if (text === "") return kind ? 10 ** defaultDigits[unitOfKind[kind]] : 1;
    const number = countIn(text);
    if (number !== null && number >= 1 && number <= priceLimits.per) return number;
    return this.fault("per", this.t("writeUnits"));
  }

  private condition(): PriceCondition | null {
    const [resolution, size, quality, tier] = (["resolution", "size", "quality", "tier"] as const).map(
      this.cell,
    );
    const before = this.faults.length;
    if (size && !/^\d{2,5}\s*[x×*]\s*\d{2,5}$/i.test(size)) this.fault("size", this.t("writeASize"));
    for (const name of ["resolution", "quality", "tier"] as const)
      if (this.cell(name).length > 20) this.fault(name, this.t("atMost20"));
    const sound = this.cell("sound").toLowerCase();
    if (sound && !yes.has(sound) && !no.has(sound)) this.fault("sound", this.t("writeYesOrNo"));
    const context = this.number("context above");
    const seconds = this.number("seconds above");
    if (this.faults.length > before) return null;
    return {
      ...(resolution && { resolution }),
      ...(size && { size: size.replace(/\s/g, "").replace(/[×*X]/, "x") }),
      ...(quality && { quality }),
      ...(sound && { audio: yes.has(sound) }),
      ...(tier && { service_tier: tier }),
      ...(context !== null && { context_above: context }),
      ...(seconds !== null && { duration_above: seconds }),
    };
  }

  private number(name: "context above" | "seconds above"): number | null {
    const text = this.cell(name);
    if (text === "") return null;
    return countIn(text) ?? this.fault(name, this.t("writeANumber"));
  }
}

const yes = new Set(["yes", "true", "on", "with"]);
const no = new Set(["no", "false", "off", "without"]);

const kindsByName = new Map<string, PriceKind>([
  ...priceKinds.flatMap((kind): [string, PriceKind][] => [
    [nameOf(kind), kind],
    [nameOf(`${kind}s`), kind],
  ]),
  ["tokenwrittentothecache", "cache_write_token"],
  ["tokenswrittentothecache", "cache_write_token"],
  ["tokenwrittentothecacheforanhour", "cache_write_1h_token"],
  ["tokenswrittentothecacheforanhour", "cache_write_1h_token"],
  ["run", "operation"],
  ["runs", "operation"],
  ["websearch", "search"],
  ["websearches", "search"],
  ["input", "input_token"],
  ["prompt", "input_token"],
  ["output", "output_token"],
  ["completion", "output_token"],
  ["cachedinput", "cached_input_token"],
  ["cacheread", "cached_input_token"],
  ["cachewrite", "cache_write_token"],
  ["reasoning", "reasoning_token"],
]);

/** A kind of usage by our name or a provider's: `Input tokens`, `cached input`. */
function kindNamed(text: string): PriceKind | null {
  return kindsByName.get(nameOf(text)) ?? null;
}

function nameOf(text: string): string {
  return text.toLowerCase().replace(/[^a-z]/g, "");
}

/** `1000000`, `1,000,000`, `1M`, `1k`: a whole number, so a comma before three digits separates thousands. */
function countIn(text: string): number | null {
  const whole = /^[1-9]\d{0,2}(?:[,_ ]\d{3})+$/.test(text) ? text.replace(/[,_ ]/g, "") : text;
  const [, digits = "", suffix = ""] = /^(\d+)\s*([kKmM]?)$/.exec(whole) ?? [];
  const number = Number(digits) * (/m/i.test(suffix) ? 1_000_000 : /k/i.test(suffix) ? 1_000 : 1);
  return digits !== "" && Number.isSafeInteger(number) ? number : null;
}

/** An example run that shows what a price means. */
export interface Example {
  quantities: Readonly<Partial<Record<PriceKind, number>>>;
  resolution?: string;
  size?: string;
  quality?: string;
  audio?: boolean;
  serviceTier?: string;
}

export interface ExampleLine {
  kind: PriceKind;
  quantity: number;
  rate: string;
  per: number;
  amount: string;
  /** Index of the component in the price. */
  component: number;
}

/** The initial example. Quantities that the price does not use are ignored. */
export const defaultQuantities: Readonly<Record<PriceKind, number>> = {
  input_token: 1000,
  cached_input_token: 0,
  cache_write_token: 0,
  cache_write_1h_token: 0,
  audio_input_token: 0,
  output_token: 500,
  reasoning_token: 0,
  audio_output_token: 0,
  token: 1000,
  character: 1000,
  second: 5,
  image: 1,
  input_image: 0,
  operation: 1,
  search: 1,
};

const inputKinds: readonly PriceKind[] = [
  "input_token",
  "cached_input_token",
  "cache_write_token",
  "cache_write_1h_token",
  "audio_input_token",
];

/** The cost of the run, line by line. `missing` lists the kinds without a rate; the total is then unknown. */
export function costOfExample(
  components: readonly PriceComponent[],
  { quantities, ...conditions }: Example,
): { lines: ExampleLine[]; total: string | null; missing: PriceKind[] } {
  const byKind = componentsByKind(components);
  const of = (kind: PriceKind) => quantities[kind] ?? 0;
  const facts: LineFacts = {
    ...conditions,
    contextTokens: inputKinds.reduce((sum, kind) => sum + of(kind), 0),
    durationSeconds: of("second"),
  };
  const lines: ExampleLine[] = [];
  const missing: PriceKind[] = [];
  let total = 0n;
  for (const kind of priceKinds) {
    const quantity = of(kind);
    if (quantity <= 0) continue;
    const component = componentFor(byKind, kind, facts);
    if (!component) {
      missing.push(kind);
      continue;
    }
    const amount = amountOf(component.rate, quantity, component.per);
    total += amount;
    lines.push({
      kind,
      quantity,
      rate: decimalText(component.rate),
      per: component.per,
      amount: decimalText(amount),
      component: component.at,
    });
  }
  return { lines, total: missing.length === 0 && lines.length > 0 ? decimalText(total) : null, missing };
}
