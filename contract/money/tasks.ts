import { type Static, Type } from "typebox";
import { closed, ListOf, PageQuery } from "../list.ts";
import { Nullable, Timestamp } from "../nullable.ts";
import { taskLimits, taskRuns } from "./budget-constants.ts";
import { Amount, Currency, PositiveAmount } from "./cost.ts";

/** A task: one value of the metadata key that an account or a key caps. */
export const Task = Type.Object({
  id: Type.String(),
  object: Type.Literal("task"),
  holder: Type.Object(
    { type: Type.Enum(["account", "key"]), id: Type.String(), name: Type.String() },
    { description: "the account or key that sets the cap" },
  ),
  metadata_key: Type.String(),
  value: Type.String(),
  amount: Nullable(Amount),
  currency: Currency,
  max_runs: Nullable(Type.Integer()),
  raised: Type.Boolean({ description: "true when the task's limits differ from the cap's" }),
  spent: Amount,
  reserved: Type.String({ description: "maximum cost of the runs that have not ended" }),
  runs: Type.Integer({ description: "number of runs that used something or have not ended" }),
  ended_at: Nullable(Timestamp),
  last_run_at: Nullable(Timestamp),
  created_at: Timestamp,
});
export type Task = Static<typeof Task>;
export const TaskList = ListOf(Task);

export const TaskQuery = Type.Interface(
  [PageQuery],
  {
    holder: Type.Optional(Type.String({ description: "Only tasks that this account or key caps" })),
    value: Type.Optional(
      Type.String({ maxLength: taskLimits.valueLength, description: "Only the task with this value" }),
    ),
  },
  closed,
);
export type TaskQuery = Static<typeof TaskQuery>;

/** A request needs at least one field. A limit is never lowered, so a repeated request changes nothing. */
export const TaskRaise = Type.Object(
  {
    amount: Type.Optional(PositiveAmount),
    max_runs: Type.Optional(Type.Integer(taskRuns)),
  },
  { ...closed, minProperties: 1 },
);
export type TaskRaise = Static<typeof TaskRaise>;
