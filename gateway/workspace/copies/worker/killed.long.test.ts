import { hash } from "node:crypto";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { CopyDetail } from "#contract/copies.ts";
import type { Output } from "#contract/outputs.ts";
import { startS3Server } from "#gateway/files/storage/testing/s3-server.ts";
import { makeAuthority } from "#gateway/testing/certificates.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { call } from "#gateway/testing/gateway.ts";
import { endProgram, programOwner } from "#gateway/testing/program.ts";
import { type ProgramScene, programScene } from "#gateway/testing/program-scene.ts";
import { image, keys, type S3Server } from "../testing/scene.ts";

let scene: ProgramScene;
let s3: S3Server;
beforeAll(async () => {
  const authority = await makeAuthority(newFolder("authority"));
  s3 = await startS3Server({ certificate: authority.local, keys });
  scene = await programScene({
    WEBHOOK_PORTS: String(s3.port),
    WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
    WEBHOOK_CA_FILE: authority.caFile,
  });
});
afterAll(async () => {
  await scene.close();
  await s3.close();
});

it("a program killed during an automatic copy copies the file after its restart, and logs it", async () => {
  const program = await scene.start();
  const { body } = await call(scene, null, "POST", "/account/sessions", programOwner);
  const session = String(body.token);
  const send = (method: string, target: string, body?: unknown) => call(scene, session, method, target, body);
  await send("POST", "/destinations", {
    name: "Gallery",
    endpoint_url: s3.endpoint,
    region: "eu-central-1",
    bucket: "gallery",
    access_key_id: keys.id,
    secret_access_key: keys.secret,
    automatic: "all",
  });
  s3.putFailures.push("hang");
  expect((await send("POST", "/images/generations", image)).status).toBe(200);
  await vi.waitFor(() => expect(s3.puts).toHaveLength(1), { timeout: 30_000 });
  await endProgram(program, "SIGKILL");
  expect(s3.objects.size).toBe(0);
  await scene.start();
  const copy = await vi.waitFor(
    async () => {
      const [found] = (await send("GET", "/copies")).body.data as CopyDetail[];
      expect(found?.status).toBe("succeeded");
      return (await send("GET", `/copies/${found?.id}`)).body as unknown as CopyDetail;
    },
    { timeout: 60_000, interval: 200 },
  );
  expect(copy.attempt_log).toMatchObject([
    { error: { code: "interrupted" }, duration_ms: null },
    { error: null, status_code: 200 },
  ]);
  const [output] = (await send("GET", "/outputs")).body.data as [Output];
  const bytes = Buffer.from(await (await fetch(output.url ?? "")).arrayBuffer());
  expect([...s3.objects].map(([key, object]) => [key, hash("sha256", object.bytes)])).toEqual([
    [`/gallery/${copy.object_name}`, hash("sha256", bytes)],
  ]);
});
