import { pino } from "pino";
import { beforeEach, describe, expect, it } from "vitest";
import { newId } from "#contract/ids.ts";
import type { Context } from "#gateway/districts.ts";
import type { ObjectStore } from "#gateway/files/storage/object-store.ts";
import { openStorage } from "#gateway/files/storage/open.ts";
import type { Scratch } from "#gateway/files/storage/scratch.ts";
import { landscapeVideo } from "#gateway/models/catalog/example-media.ts";
import type { ProviderOutput } from "#gateway/models/providers/provider.ts";
import type { StoredOutput } from "#gateway/platform/database/tables/predictions.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { storeOutputs } from "./outputs.ts";

const picture = { bytes: Buffer.from("picture"), contentType: "image/png", width: 1, height: 1 };
const empty = { ...picture, bytes: Buffer.alloc(0) };

describe("storing outputs", () => {
  const id = newId("prediction");
  let store: ObjectStore;
  let scratch: Scratch;
  let named: { outputs: StoredOutput[]; there: boolean[] } | null;
  beforeEach(async () => {
    const dataDir = newFolder("outputs");
    ({ store, scratch } = await openStorage({ dataDir, s3: null }));
    named = null;
  });
  const there = async () =>
    Promise.all([1, 2].map(async (at) => (await store.head(`outputs/${id}/${at}.png`)) !== null));
  const storing = (outputs: ProviderOutput[], isOurs = true) => {
    const run = {
      request: { id, operation: { api_type: "image-generation" } },
      provider: { id: "main", sandbox: false },
    } as unknown as Parameters<typeof storeOutputs>[1];
    const context = { store, scratch, log: pino({ level: "silent" }) } as unknown as Context;
    return storeOutputs(context, run, outputs, { signal: AbortSignal.timeout(10_000) }, async (stored) => {
      named = { outputs: stored, there: await there() };
      return isOurs;
    });
  };

  it("records all keys before the first output is stored", async () => {
    const stored = await storing([picture, picture]);
    expect(named).toEqual({ outputs: stored, there: [false, false] });
    expect(stored?.map(({ key, sizeBytes }) => [key, sizeBytes])).toEqual([
      [`outputs/${id}/1.png`, 7],
      [`outputs/${id}/2.png`, 7],
    ]);
    expect(await there()).toEqual([true, true]);
  });

  it("rejects a video where an image is expected", async () => {
    const bytes = Buffer.from(landscapeVideo.split(",")[1] ?? "", "base64");
    await expect(storing([{ contentType: "image/png", bytes }])).rejects.toThrow(
      "The provider returned video/mp4 instead of image.",
    );
    expect(named).toBeNull();
  });

  it("stores nothing when one of them cannot be received", async () => {
    await expect(storing([picture, empty])).rejects.toThrow("The provider's output is empty.");
    expect(named).toBeNull();
    expect(await there()).toEqual([false, false]);
  });

  it("stores nothing for a row that was taken over", async () => {
    expect(await storing([picture, picture], false)).toBeNull();
    expect(await there()).toEqual([false, false]);
  });
});
