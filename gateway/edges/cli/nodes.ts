import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { OperatorNode } from "#contract/operator/nodes.ts";
import { recordAuditOfInstallation } from "#gateway/access/accounts/audit.ts";
import { drainNode, listNodes, undrainNode } from "#gateway/platform/limits/nodes.ts";
import { type Command, UsageError } from "./command.ts";

const options = { node: { type: "string" }, process: { type: "string" } } as const;

const optionTexts = `  --node <host>     name of the machine (default: this one, ${"`hostname`"})
  --process <id>    only the process with this id of the operating system`;

const pollMs = 1_000;

/** A process that has not said by then what it has in hand never will. */
const silentMs = 5_000;

/** `gatehouse drain`: a node takes no new work and finishes what it has. */
export const drain: Command = {
  usage: `drain [--node <host>] [--process <id>] [--reason <text>] [--wait]

${optionTexts}
  --reason <text>   shown to operators
  --wait            returns when nothing is in hand any more, and fails if a process does not say what it has

For updates of a machine. Its processes claim no predictions, batch rows, deliveries or other jobs, and /readyz says 503
\`drained\`, so that load balancers send requests elsewhere. Requests that still arrive are answered. What runs ends, also
the node's share of long predictions: other nodes continue them. It stays drained over restarts, until \`gatehouse undrain\`.
Prints what is still in hand.`,
  options: { ...options, reason: { type: "string" }, wait: { type: "boolean" } },
  prepare(values) {
    const id = idIn(values);
    const reason = typeof values.reason === "string" ? values.reason.trim() || null : null;
    return async ({ database }) => {
      const { queries } = database;
      await database.transaction(async (tx) => {
        await drainNode(tx, id, { reason, by: null });
        await recordAuditOfInstallation(tx, { action: "node.drained", targetId: id, detail: { reason } });
      });
      const since = performance.now();
      let { running, silent } = await inHandOn(queries, id);
      while (values.wait === true && (running > 0 || silent.length > 0)) {
        if (silent.length > 0 && performance.now() - since > silentMs)
          throw new Error(
            `${id} is drained, but these processes do not say what they have in hand: ${silent.join(", ")}. Those of the previous release never do: stop them instead. One that was killed is forgotten after 20 seconds`,
          );
        await sleep(pollMs);
        ({ running, silent } = await inHandOn(queries, id));
      }
      return `${id} is drained: ${silent.length > 0 ? "its processes notice within a second" : `${running} in hand`}`;
    };
  },
};

/** `gatehouse undrain`: a node takes work again. */
export const undrain: Command = {
  usage: `undrain [--node <host>] [--process <id>]

${optionTexts}

Within a second it takes work again. Prints its name.`,
  options,
  prepare(values) {
    const id = idIn(values);
    return ({ database }) =>
      database.transaction(async (queries) => {
        if (!(await undrainNode(queries, id))) throw new Error(`${id} is not drained`);
        await recordAuditOfInstallation(queries, { action: "node.undrained", targetId: id });
        return id;
      });
  },
};

function idIn(values: Record<string, unknown>): string {
  const node = typeof values.node === "string" ? values.node : hostname();
  if (values.process === undefined) return node;
  if (typeof values.process !== "string" || !/^\d+$/.test(values.process))
    throw new UsageError("--process is the number of a process");
  return `${node}:${values.process}`;
}

/** What the node or process still has in hand, and which of its processes have not said so. */
async function inHandOn(
  queries: Parameters<typeof listNodes>[0],
  id: string,
): Promise<{ running: number; silent: string[] }> {
  const processes = (await listNodes(queries)).flatMap((node: OperatorNode) =>
    node.processes.filter((process) => node.id === id || process.id === id),
  );
  return {
    running: processes.reduce((sum, { running }) => sum + (running ?? 0), 0),
    silent: processes.flatMap((process) => (process.running === null ? [process.id] : [])),
  };
}
