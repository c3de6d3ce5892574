import { execFileSync } from "node:child_process";
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { newFolder } from "#gateway/testing/folder.ts";
import { call } from "./testing/gateway.ts";
import { answersSoon, endProgram, freePort, programOwner, spawnProgram } from "./testing/program.ts";

const patience = { timeout: 120_000, interval: 500 };
const picture = {
  model: "svc/img-gen-b",
  prompt: "a paper boat",
  quality: "low",
  size: "1024x1024",
  output_format: "png",
};

/** A disk of this size that the test can fill and empty. */
function smallDisk(size: string) {
  if (process.getuid?.() !== 0)
    throw new Error("This test mounts a small disk, which only root may do. Run it as root.");
  const folder = newFolder("disk");
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size},mode=755`, "tmpfs", folder]);
  // What a program left open may keep the disk busy for a moment.
  onTestFinished(() => void execFileSync("umount", ["--lazy", folder]));
  const fillers: string[] = [];
  return {
    folder,
    /** Leaves this many bytes free. */
    fillBut(leftBytes: number) {
      const { bavail, bsize } = statfsSync(folder);
      fillers.push(path.join(folder, "large-filler"));
      writeFileSync(String(fillers.at(-1)), Buffer.alloc(bavail * bsize - leftBytes));
    },
    fill() {
      // Then the last bytes, so that small writes fail too.
      for (const bytes of [1_000_000, 4_096])
        for (let hasRoom = true; hasRoom; ) {
          const filler = path.join(folder, `filler-${fillers.length}`);
          fillers.push(filler);
          try {
            writeFileSync(filler, Buffer.alloc(bytes));
          } catch (error) {
            expect((error as NodeJS.ErrnoException).code).toBe("ENOSPC");
            hasRoom = false;
          }
        }
    },
    free() {
      for (const filler of fillers) rmSync(filler, { force: true });
    },
  };
}

it("with the database and the data on one full disk, contents of calls stop first, answers name the cause, and accepted pictures finish once there is room", {
  timeout: 600_000,
}, async () => {
  const disk = smallDisk("400m");
  const port = await freePort();
  const program = spawnProgram({
    GATEHOUSE_DATA_DIR: path.join(disk.folder, "data"),
    AUTH_SECRET: "a-secret-that-only-tests-know-0001",
    GATEWAY_PORT: String(port),
    DRAIN_MS: "1000",
  });
  onTestFinished(() => endProgram(program, "SIGTERM"));
  expect(await answersSoon(program)).toBe(true);
  const gateway = { url: `http://127.0.0.1:${port}/v1` };
  const { body } = await call(gateway, null, "POST", "/account/sessions", programOwner);
  const session = String(body.token);
  const order = () => call(gateway, session, "POST", "/images/generations", picture);
  const accepted: string[] = [];
  const orderAndKeep = async () => {
    const { status, body } = await order();
    if (status === 202) accepted.push(String(body.id));
    return { status, message: (body.error as { message: string } | undefined)?.message };
  };
  for (let count = 0; count < 4; count += 1) expect((await orderAndKeep()).status).toBe(202);
  await call(gateway, session, "PATCH", "/account", { contents: { keep: "all" } });
  const chat = async () => {
    const messages = [{ role: "user", content: "Is there room?" }];
    const { status, body } = await call(gateway, session, "POST", "/chat/completions", {
      ...{ model: "svc/chat-1", messages },
    });
    expect(status).toBe(200);
    return String(body.id);
  };
  const keptChats = async () => {
    const { body } = await call(gateway, session, "GET", "/contents");
    return (body.data as { id: string }[]).map(({ id }) => id);
  };
  const before = await chat();
  expect(await keptChats()).toEqual([before]);
  // With little room left contents stop first: calls continue, and can still be saved.
  disk.fillBut(60_000_000);
  await chat();
  expect(await keptChats()).toEqual([before]);
  expect((await call(gateway, session, "GET", "/operator/health")).body).toMatchObject({
    contents_failing_since: expect.any(String),
    database_full_since: null,
  });
  expect((await orderAndKeep()).status).toBe(202);
  disk.fill();
  await vi.waitFor(
    async () =>
      expect(await orderAndKeep()).toEqual({ status: 503, message: expect.stringMatching(/disk .*full/) }),
    patience,
  );
  // Health reports it as long as the database can be read, then its own 503 does.
  const health = await call(gateway, session, "GET", "/operator/health");
  if (health.status === 200)
    expect(health.body.database_full_since ?? health.body.store_full_since).toEqual(expect.any(String));
  else expect(health.body).toMatchObject({ error: { message: expect.stringMatching(/disk .*full/) } });
  disk.free();
  for (const id of accepted)
    await vi.waitFor(async () => {
      const { body } = await call(gateway, session, "GET", `/predictions/${id}`);
      expect(body).toMatchObject({ id, status: "succeeded" });
    }, patience);
  const after = await chat();
  // No answer waits until its contents are written.
  await vi.waitFor(async () => expect(await keptChats()).toEqual([after, before]), patience);
  const { body: healthy } = await call(gateway, session, "GET", "/operator/health");
  expect(healthy.contents_failing_since).toBeNull();
});
