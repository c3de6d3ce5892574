import { expect, it, vi } from "vitest";
import { keyIn, providerAt, startMappedGateway } from "#gateway/models/providers/testing/mapped-gateway.ts";
import { startOpenAiServer } from "#gateway/models/providers/testing/openai-server.ts";
import { takeOver } from "#gateway/runs/batches/claim.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call } from "#gateway/testing/gateway.ts";
import { leaseDue } from "./lease.ts";

const image = {
  model: "svc/img-gen-b",
  prompt: "a paper boat",
  quality: "low",
  size: "1024x1024",
  output_format: "png",
};
const video = { model: "svc/vid-t2v", prompt: "waves", duration: 2, resolution: "720P" };

const upstream = shared(startOpenAiServer);
const mapped = shared(() =>
  startMappedGateway({
    providers: { main: providerAt(upstream, { credentials: keyIn("us-virginia", "sg-singapore") }) },
    routes: [
      { models: ["svc/img-gen-b", "svc/vid-t2v"], provider: "main", upstream_model: "made" },
      { models: ["svc/chat-1"], provider: "main", upstream_model: "said" },
    ],
  }),
);

const pool = () => mapped.gateway.context.database.pool;

/** Another process looks for work after nothing was renewed for `awaySeconds`. */
async function takenFromPredictions(id: string, awaySeconds: number): Promise<boolean> {
  await pool().query(
    "update predictions set lease_expires_at = lease_expires_at - make_interval(secs => $2), next_check_at = now() where id = $1",
    [id, awaySeconds],
  );
  const found = await leaseDue(mapped.gateway.context, {
    limit: 10,
    inHand: new Map(),
    accountRooms: new Map(),
    afterAccount: "",
  });
  return found.some((row) => row.id === id);
}

async function takenFromRows(batchId: string, awaySeconds: number): Promise<boolean> {
  await pool().query(
    "update batch_rows set lease_expires_at = lease_expires_at - make_interval(secs => $2) where batch_id = $1",
    [batchId, awaySeconds],
  );
  return (await takeOver(mapped.gateway.context, [])).some(({ batch }) => batch.id === batchId);
}

const acceptedLease = (id: string) =>
  vi.waitFor(async () => {
    const { rows } = await pool().query<{ seconds: number | null }>(
      `select extract(epoch from lease_expires_at - now())::float as seconds
         from predictions where id = $1 and provider_ref is not null`,
      [id],
    );
    expect(rows).toHaveLength(1);
    return rows[0]?.seconds ?? 0;
  });

it("an outage of 110 s leaves an answer to the process that waits for it; other processes take it over later", async () => {
  upstream.trouble(/images/, "silence");
  const id = String((await mapped.post("/images/generations", image)).body.id);
  await upstream.next(/images/);
  // Sent to the upstream, which has not confirmed anything.
  expect(await takenFromPredictions(id, 110)).toBe(false);
  // The upstream works, and only this process gets its answer.
  await acceptedLease(id);
  expect(await takenFromPredictions(id, 30)).toBe(false);
  expect(await takenFromPredictions(id, 121)).toBe(true);
});

it("an outage leaves a row of a batch to its process in the same way", async () => {
  upstream.trouble(/chat/, "silence");
  const rows = [{ messages: [{ role: "user", content: "hello" }] }];
  const { gateway, account } = mapped;
  const { body } = await call(gateway, account.key, "POST", "/batches", { model: "svc/chat-1", rows });
  await upstream.next(/chat/);
  expect(await takenFromRows(String(body.id), 110)).toBe(false);
  expect(await takenFromRows(String(body.id), 45)).toBe(true);
});

it("lets other processes poll an upstream's job after 30 s", async () => {
  upstream.videoPolls = 1_000;
  const id = String((await mapped.post("/videos", video)).body.id);
  expect(await acceptedLease(id)).toBeLessThanOrEqual(31);
  await call(mapped.gateway, mapped.account.key, "POST", `/predictions/${id}/cancel`, {});
});
