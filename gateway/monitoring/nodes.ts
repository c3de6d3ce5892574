import { deleted } from "#contract/list.ts";
import { operatorNodeRoutes } from "#contract/operator/nodes.ts";
import { audited } from "#gateway/access/accounts/audit.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { drainNode, listNodes, undrainNode } from "#gateway/platform/limits/nodes.ts";
import type { MonitoringContext } from "./context.ts";

/** For operators: the machines of the installation, and which of them take no new work. */
export function installNodes(app: App, context: MonitoringContext): void {
  const { queries } = context.database;
  const list = async () => ({ object: "list" as const, data: await listNodes(queries) });
  serve(app, context, operatorNodeRoutes, {
    "GET /operator/nodes": list,
    "POST /operator/nodes/{id}/drain": async ({ caller, params: { id }, body }) => {
      const { actor } = caller;
      const reason = body.reason?.trim() || null;
      await audited(context, caller, "node.drained", async (tx) => {
        await drainNode(tx, id, { reason, by: { id: actor.id, name: actor.name } });
        return { target: id, detail: { reason }, result: null };
      });
      return list();
    },
    "DELETE /operator/nodes/{id}/drain": async ({ caller, params: { id } }) => {
      await audited(context, caller, "node.undrained", async (tx) =>
        (await undrainNode(tx, id)) ? { target: id, result: null } : { unchanged: null },
      );
      return deleted("operator.node_drain", id);
    },
  });
}
