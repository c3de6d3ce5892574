import { type Static, Type } from "typebox";
import { closed, ListOf, PageQuery } from "../list.ts";
import { Nullable, Timestamp } from "../nullable.ts";
import { taskLimits } from "./budget-constants.ts";
import { Amount, Currency, PositiveAmount } from "./cost.ts";

/** A task: one value of the metadata key that an account or a key caps. */
export const Task = Type.Object({
  id: Type.String(),
  object: Type.Literal("task"),
  holder: Type.Object(
    { type: Type.Enum(["account", "key"]), id: Type.String(), name: Type.String() },
    { description: "whose cap it is" },
  ),
  metadata_key: Type.String(),
  value: Type.String(),
  amount: Nullable(Amount),
  currency: Currency,
  max_runs: Nullable(Type.Integer()),
  raised: Type.Boolean({ description: "its limits are not those of the cap" }),
  spent: Amount,
  reserved: Type.String({ description: "what runs that have not ended may cost at most" }),
  runs: Type.Integer({ description: "runs that used something or have not ended" }),
  ended_at: Nullable(Timestamp),
  last_run_at: Nullable(Timestamp),
  created_at: Timestamp,
});
export type Task = Static<typeof Task>;
export const TaskList = ListOf(Task);

export const TaskQuery = Type.Interface(
  [PageQuery],
  {
    holder: Type.Optional(Type.String({ description: "Only those that this account or key caps" })),
    value: Type.Optional(Type.String({ maxLength: taskLimits.valueLength, description: "Only this value" })),
  },
  closed,
);
export type TaskQuery = Static<typeof TaskQuery>;

/** At least one field. A limit is never lowered, so a repeated request changes nothing. */
export const TaskRaise = Type.Object(
  {
    amount: Type.Optional(PositiveAmount),
    max_runs: Type.Optional(Type.Integer({ minimum: 1, maximum: taskLimits.maxRuns })),
  },
  { ...closed, minProperties: 1 },
);
export type TaskRaise = Static<typeof TaskRaise>;
