import { decimalText, withPercent } from "#contract/money/decimal.ts";
import type { PriceComponent } from "#contract/operator/prices.ts";
import type { OwnPrice, OwnPriceQuery, PricedPlace } from "#contract/prices.ts";
import type { PriceInForce } from "#gateway/billing/prices/book.ts";
import type { Context } from "#gateway/context.ts";
import type { Actor } from "#gateway/platform/core/actor.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { operationFor } from "#gateway/runs/operations/admit.ts";

/**
 * The price that the caller's account pays now for an operation, for each place where it may run. Throws as
 * `operationFor`.
 */
export function ownPrice(
  context: Context,
  actor: Actor,
  { model: id, api_type: apiType }: OwnPriceQuery,
): OwnPrice {
  const { model, operation } = operationFor(context, actor, apiType, { model: id });
  const { book } = context.prices;
  const now = clock.now();
  const routes = context.providers.routes();
  const served =
    routes.regions(model, operation) ?? operation.deployments.map(({ gateway_region }) => gateway_region);
  const regions = served.filter((region) => actor.regions?.includes(region) ?? true);
  const places = regions.flatMap((region) =>
    routes.route(model, operation, region).map(({ id: provider, sandbox }): PricedPlace => {
      if (sandbox) return { region, sandbox, components: [] };
      const place = { model: id, apiType, provider, region };
      const own = book.ownPrice(actor.accountId, place, now);
      const percent = own ? null : (book.markup(actor.accountId, now)?.percent ?? null);
      const price = own ?? book.costPrice(place, now);
      return { region, sandbox, components: price && componentsOf(price, percent) };
    }),
  );
  return {
    object: "operation_price",
    model: id,
    api_type: apiType,
    currency: book.currency,
    places: unique(places),
  };
}

/** The components in the order in which the price lists them. */
function componentsOf({ components }: PriceInForce, percent: bigint | null): PriceComponent[] {
  return [...components]
    .flatMap(([kind, ofKind]) => ofKind.map((component) => ({ kind, ...component })))
    .toSorted((one, other) => one.at - other.at)
    .map(({ kind, rate, per, when }) => ({
      kind,
      per,
      rate: decimalText(percent === null ? rate : withPercent(rate, percent)),
      ...(when && { when }),
    }));
}

/** Removes duplicates: several routes of a region often cost the same. */
function unique(places: readonly PricedPlace[]): PricedPlace[] {
  return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
}
