import type { AddressInfo } from "node:net";
import fastify from "fastify";
import { Pool } from "undici";

/**
 * The minimal proxy made of these two libraries: no key, no checks, no metering, no log. It runs in its own
 * process.
 */
const upstream = new Pool(process.env.UPSTREAM ?? "", { connections: 256 });
const app = fastify({ logger: false });

app.post("/v1/chat/completions", async (request, reply) => {
  const answer = await upstream.request({
    method: "POST",
    path: "/v1/chat/completions",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request.body),
  });
  reply.code(answer.statusCode).header("content-type", answer.headers["content-type"]);
  return reply.send(answer.body);
});

await app.listen({ port: 0, host: "127.0.0.1" });
process.send?.((app.server.address() as AddressInfo).port);
process.once("disconnect", () => process.exit());
