import { componentFor, componentsByKind } from "#contract/money/components.ts";
import type { LineFacts } from "#contract/money/conditions.ts";
import { type PriceKind, priceKinds } from "#contract/money/constants.ts";
import { amountOf, decimalText } from "#contract/money/decimal.ts";
import type { PriceComponent } from "#contract/operator/prices.ts";

/** A run to try a price on. */
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

/** The first example; quantities that the price does not use are ignored. */
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

/** The cost of the run, line by line. `missing` lists kinds without a rate; then there is no total. */
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
