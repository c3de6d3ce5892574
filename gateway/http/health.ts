import type { Context } from "#gateway/context.ts";
import type { App } from "./app.ts";

const databaseAnswerMs = 2_000;

/** `/healthz`: the process answers. `/readyz`: it can also reach its database. */
export function healthRoutes(app: App, context: Context): void {
  app.get("/healthz", { config: { public: true } }, async () => ({ status: "ok" }));
  app.get("/readyz", { config: { public: true } }, async (_request, reply) => {
    const reached = await Promise.race([
      context.database.pool.query("select 1").then(
        () => true,
        () => false,
      ),
      new Promise<boolean>((resolve) => setTimeout(resolve, databaseAnswerMs, false).unref()),
    ]);
    return reply.code(reached ? 200 : 503).send({ status: reached ? "ok" : "database unreachable" });
  });
}
