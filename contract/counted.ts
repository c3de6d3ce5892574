import { type Static, Type } from "typebox";

/** Rows of large lists are counted only up to this number. */
export const maxCounted = 10_000;

export const Counted = Type.Object({
  count: Type.Integer({ minimum: 0, maximum: maxCounted }),
  more: Type.Boolean({
    description: `true when more than ${maxCounted} rows match; \`count\` is then a minimum`,
  }),
});
export type Counted = Static<typeof Counted>;
