import { once } from "node:events";
import { expect, it } from "vitest";
import type { GuardQuestion } from "#contract/guards.ts";
import { sendJson, startUpstream } from "#gateway/models/providers/testing/upstream-server.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { endProgram } from "#gateway/testing/program.ts";
import { programScene } from "#gateway/testing/program-scene.ts";

const scene = shared(() => programScene({}));
const asked: GuardQuestion[] = [];
const guard = shared(() =>
  startUpstream((seen, response) => {
    asked.push(seen.json() as unknown as GuardQuestion);
    // The first question stays without an answer.
    if (asked.length > 1) sendJson(response, { action: "allow" });
  }),
);

it("a program that is killed while a guard looks at a video asks again after its start, runs nothing twice and showed nothing", async () => {
  const first = await scene.start();
  const { session } = await scene.signIn();
  const settings = { url: guard.origin, allow_private: true, stages: ["output"] };
  expect((await scene.call(session, "POST", "/operator/guard", settings)).status).toBe(201);
  const video = { model: "svc/vid-t2v", prompt: "a lighthouse in the rain", duration: 2 };
  const { body: accepted } = await scene.call(session, "POST", "/videos", video);
  const read = async () => (await scene.call(session, "GET", `/predictions/${accepted.id}`)).body;
  await expect.poll(() => asked.length, { timeout: 60_000 }).toBe(1);
  expect(await read()).toMatchObject({ status: "processing", output: null, data: null });
  first.kill("SIGKILL");
  await once(first, "exit");

  const next = await scene.start();
  await expect.poll(async () => (await read()).status, { timeout: 120_000 }).toBe("succeeded");
  const { timeline } = (await read()) as { timeline: { event: string }[] };
  expect(timeline.filter(({ event }) => event === "provider_accepted")).toHaveLength(1);
  expect(asked.map(({ run_id: run, files }) => [run, files[0]?.sha256])).toEqual(
    asked.map(() => [accepted.id, asked[0]?.files[0]?.sha256]),
  );
  expect(asked).toHaveLength(2);
  await endProgram(next, "SIGTERM");
}, 300_000);
