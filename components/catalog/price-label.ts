import type { PriceKind } from "#contract/money/constants.ts";
import type { PriceComponent } from "#contract/operator/prices.ts";
import type { OwnPrice } from "#contract/prices.ts";
import { grouped } from "@/lib/money";
import { countedKind, shortCount } from "@/lib/rate-labels";
import type { Words } from "@/messages/words";

/** Whether an operation runs only in the sandbox, where it costs nothing. */
export function isSandboxOnly({ places }: Pick<OwnPrice, "places">): boolean {
  return places.length > 0 && places.every(({ sandbox }) => sandbox);
}

/**
 * An operation's price in a few words: `0.04 USD / image`, `1.25 in · 10 out USD / 1M tokens`. If it depends on the
 * place or the input, the lowest: `from 0.02 USD / image`. Null without a price.
 */
export function priceLabel(t: Words<"amounts">, { places, currency }: OwnPrice): string | null {
  const components = places.flatMap(({ components }) => components ?? []);
  const [first] = components;
  if (!first) return null;
  const [input, output] = [lowest(components, "input_token"), lowest(components, "output_token")];
  const main = input && output?.per === input.per ? input : (lowest(components, first.kind) ?? first);
  const isOfBoth = main === input;
  const rate =
    isOfBoth && output
      ? t("inAndOut", { input: grouped(input.rate), output: grouped(output.rate) })
      : grouped(main.rate);
  const kind = isOfBoth ? "token" : main.kind;
  const unit = `${shortCount(main.per)}${countedKind(t, kind, main.per === 1 ? 1 : 0)}`;
  const price = t("ratePer", { rate, currency, unit });
  const counted = isOfBoth ? ["input_token", "output_token"] : [main.kind];
  const rates = new Set(
    components
      .filter(({ kind }) => counted.includes(kind))
      .map(({ kind, rate, per }) => `${kind} ${rate} ${per}`),
  );
  return rates.size > counted.length ? t("fromPrice", { price }) : price;
}

function lowest(components: readonly PriceComponent[], wanted: PriceKind): PriceComponent | undefined {
  const ofOne = ({ rate, per }: PriceComponent) => Number(rate) / per;
  return components
    .filter(({ kind }) => kind === wanted)
    .toSorted((one, other) => ofOne(one) - ofOne(other))[0];
}
