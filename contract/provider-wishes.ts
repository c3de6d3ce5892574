import { type Static, Type } from "typebox";
import { closed, Nullable } from "./list.ts";

const limits = { names: 50, nameLength: 100, price: 1_000_000 } as const;

/** The figures by which a request can have its providers sorted. */
export const wishSorts = ["price", "latency", "throughput"] as const;
export type WishSort = (typeof wishSorts)[number];

const Names = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: limits.nameLength }), { maxItems: limits.names }),
);
const Price = Type.Optional(Type.Number({ minimum: 0, maximum: limits.price }));

/**
 * What a request wishes of its providers: OpenRouter's `provider` without nulls, and with the long form of
 * `sort`. Prices are in US dollars: `prompt` and `completion` per million tokens.
 */
export const ProviderWishes = Type.Object(
  {
    order: Names,
    only: Names,
    ignore: Names,
    allow_fallbacks: Type.Optional(Type.Boolean()),
    require_parameters: Type.Optional(Type.Boolean()),
    sort: Type.Optional(Type.Object({ by: Type.Enum(wishSorts) }, closed)),
    max_price: Type.Optional(
      Type.Object({ prompt: Price, completion: Price, request: Price, image: Price }, closed),
    ),
  },
  closed,
);
export type ProviderWishes = Static<typeof ProviderWishes>;

/** The field of a body, for the API reference. Its content is checked where the request is admitted. */
export const ProviderField = Type.Optional(
  Nullable(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        "wishes about the providers, as OpenRouter defines them: `order`, `only`, `ignore`, `allow_fallbacks`, `require_parameters`, `sort` and `max_price`. Never forwarded",
    }),
  ),
);
