import { type Static, Type } from "typebox";

/** Large numbers of rows are counted exactly only up to this. */
export const maxCounted = 10_000;

export const Counted = Type.Object({
  count: Type.Integer({ minimum: 0, maximum: maxCounted }),
  more: Type.Boolean({ description: `there are more than ${maxCounted}: at least \`count\`` }),
});
export type Counted = Static<typeof Counted>;
