import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pino } from "pino";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { newId } from "#contract/ids.ts";
import type { Context } from "#gateway/context.ts";
import type { ProviderOutput } from "#gateway/providers/provider.ts";
import { openDiskStore } from "#gateway/storage/disk.ts";
import type { ObjectStore } from "#gateway/storage/object-store.ts";
import { storeOutputs } from "./outputs.ts";

const picture = { bytes: Buffer.from("picture"), contentType: "image/png", width: 1, height: 1 };
const empty = { ...picture, bytes: Buffer.alloc(0) };

describe("outputs of which one cannot be stored", () => {
  let store: ObjectStore;
  const logged: string[] = [];
  beforeEach(async () => {
    store = await openDiskStore(await mkdtemp(path.join(tmpdir(), "gatehouse-outputs-")));
    logged.length = 0;
  });
  const run = (id: string, outputs: ProviderOutput[]) => {
    const log = pino({}, { write: (line: string) => void logged.push(line) });
    return storeOutputs({ store, log } as unknown as Context, id, outputs, AbortSignal.timeout(10_000));
  };
  const there = async (id: string) =>
    Promise.all([1, 2, 3].map(async (at) => (await store.head(`outputs/${id}/${at}.png`)) !== null));

  it("leave nothing of a generation", async () => {
    const id = newId("generation");
    await expect(run(id, [picture, picture, empty])).rejects.toThrow("The provider's output is empty.");
    expect(await there(id)).toEqual([false, false, false]);
  });

  it("stay for a prediction, which another process may have taken over", async () => {
    const id = newId("prediction");
    await expect(run(id, [picture, empty])).rejects.toThrow("The provider's output is empty.");
    expect((await there(id))[0]).toBe(true);
  });

  it("fail with their own reason when they cannot be removed either", async () => {
    vi.spyOn(store, "delete").mockRejectedValue(new Error("the disk is away"));
    await expect(run(newId("generation"), [picture, empty])).rejects.toThrow("output is empty");
    expect(logged.join()).toContain("the disk is away");
  });
});
