import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  fromJsonSchema,
  type McpServer,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { Type } from "typebox";
import { isTerminal, type PredictionStatus } from "#contract/prediction-constants.ts";
import { recordOf, textOf } from "#gateway/models/providers/http/read-body.ts";
import { toApiError } from "#gateway/platform/http/errors.ts";
import type { Caller } from "./caller.ts";
import { cancelRun, isRow, readRun, shown } from "./runs.ts";

/** The protocol's extension for calls that end later. */
const extension = "io.modelcontextprotocol/tasks";
const extensions = { [extension]: {} };
const pollEveryMs = 5_000;

const statuses: Record<PredictionStatus, string> = {
  starting: "working",
  processing: "working",
  succeeded: "completed",
  // A tool that ran and returned an error counts as completed; `failed` is for calls that never reached the
  // tool.
  failed: "completed",
  canceled: "cancelled",
};

type FormatRun = (structured: Awaited<ReturnType<typeof shown>>) => CallToolResult;

const params = fromJsonSchema<{ taskId: string }>(
  Type.Object({ taskId: Type.String({ maxLength: 64 }) }) as object,
);

/** Whether the client accepts a task as the answer; it declares this in each call. */
export function takesTasks({ mcpReq }: ServerContext): boolean {
  const declared = recordOf(recordOf(mcpReq.envelope)[CLIENT_CAPABILITIES_META_KEY]);
  return Object.hasOwn(recordOf(declared.extensions), extension);
}

/** Returns an unfinished run as a task. The task is the prediction: nothing else is stored. */
export function taskBegun(caller: Caller, run: Record<string, unknown>): CallToolResult | null {
  if (!isRow(run) || isTerminal(String(run.status))) return null;
  return { content: [], resultType: "task", ...taskOf(caller, run) };
}

/** Reading and cancelling runs as tasks, for clients that support tasks. */
export function installTasks({ server }: McpServer, caller: Caller, format: FormatRun): void {
  server.registerCapabilities({ extensions });

  const answer = (method: string, work: (id: string) => Promise<Record<string, unknown>>) =>
    server.setRequestHandler(method, { params }, async ({ taskId }, context) => {
      if (!takesTasks(context))
        throw new MissingRequiredClientCapabilityError(
          { requiredCapabilities: { extensions } },
          `${method} is only for clients that declare the extension ${extension}.`,
        );
      return work(taskId).catch((error: unknown) => {
        const { code, message } = toApiError(error, caller.context.database, caller.mayHaveBegun);
        const isUnknown = code === "prediction_not_found";
        throw new ProtocolError(
          isUnknown ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError,
          `${code}: ${message}`,
        );
      });
    });

  answer("tasks/get", async (id) => {
    const run = await readRun(caller, id);
    const task = taskOf(caller, run);
    if (task.status !== "completed") return task;
    const result = format(await shown(caller, run));
    return { ...task, result: run.status === "failed" ? { ...result, isError: true } : result };
  });
  answer("tasks/cancel", async (id) => {
    const hasEnded = async () => isTerminal(String((await readRun(caller, id)).status));
    if (await hasEnded()) return {};
    await cancelRun(caller, id).catch(async (error: unknown) => {
      if (!(await hasEnded())) throw error;
    });
    return {};
  });
  // A run never needs input during its course, so this call changes nothing.
  answer("tasks/update", async (id) => {
    await readRun(caller, id);
    return {};
  });
}

/** The task for a run. Clients can read it as long as the run's outputs are kept. */
function taskOf({ context, actor }: Caller, run: Record<string, unknown>) {
  const [created, completed, expires] = [run.created_at, run.completed_at, run.expires_at].map(textOf);
  const keptMs =
    expires && created ? Date.parse(expires) - Date.parse(created) : context.retention.of(actor.accountId);
  return {
    taskId: textOf(run.id),
    status: statuses[run.status as PredictionStatus],
    statusMessage: textOf(run.status),
    createdAt: created,
    lastUpdatedAt: completed ?? textOf(run.started_at) ?? created,
    ttlMs: Math.max(1, keptMs),
    pollIntervalMs: pollEveryMs,
  };
}
