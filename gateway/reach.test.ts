import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import type { AccessContext } from "./access/context.ts";
import { access } from "./access/district.ts";
import type { BillingContext } from "./billing/context.ts";
import { billing } from "./billing/district.ts";
import type { EdgesContext } from "./edges/context.ts";
import { edges } from "./edges/district.ts";
import type { EventsContext } from "./events/context.ts";
import { events } from "./events/district.ts";
import type { FilesContext } from "./files/context.ts";
import { files } from "./files/district.ts";
import { models } from "./models/district.ts";
import { type MappedGateway, startMappedGateway } from "./models/providers/testing/mapped-gateway.ts";
import type { MonitoringContext } from "./monitoring/context.ts";
import { monitoring } from "./monitoring/district.ts";
import { platform } from "./platform/district.ts";
import type { RunsContext } from "./runs/context.ts";
import { runs } from "./runs/district.ts";
import { call } from "./testing/gateway.ts";
import type { WorkspaceContext } from "./workspace/context.ts";
import { workspace } from "./workspace/district.ts";

type Holder = "configuration" | "health" | "providers";
const doors = { platform, billing, access, files, models, events, runs, monitoring, workspace, edges };
/** Made here, so that no source file contains them. */
const [ofFile = "", ofOperator = ""] = [1, 2].map(() => `sk-${randomBytes(12).toString("hex")}`);

describe("the keys of providers", () => {
  let mapped: MappedGateway;
  beforeAll(async () => {
    process.env.REACH_TEST_KEY = ofFile;
    const credentials = { "us-virginia": { env: "REACH_TEST_KEY" } };
    mapped = await startMappedGateway({
      providers: { filed: { protocol: "openai", base_url: "http://127.0.0.1:9/v1", credentials } },
      routes: [{ models: ["svc/chat-1"], provider: "filed", upstream_model: "main" }],
    });
    delete process.env.REACH_TEST_KEY;
    const stored = {
      name: "stored",
      protocol: "openai",
      credentials: { "us-virginia": { key: ofOperator } },
    };
    const { gateway, account } = mapped;
    expect((await call(gateway, account.session, "POST", "/operator/providers", stored)).status).toBe(201);
    await gateway.context.configuration.refresh();
  });
  afterAll(() => mapped.close());

  it("can be reached from the context of one district only, whatever property is followed", () => {
    for (const key of [ofFile, ofOperator]) {
      const paths = Object.entries(doors).map(([name, door]) => {
        const context = mapped.gateway.contexts.get(door);
        expect(context).toHaveProperty("database");
        return [name, pathTo(key, context)];
      });
      expect(paths.filter(([, path]) => path !== null)).toEqual([
        ["models", expect.stringContaining("configuration")],
      ]);
    }
  });

  it("are beyond the types of all districts but models and runs, and runs can only have them read again", () => {
    type Without = EventsContext & MonitoringContext & WorkspaceContext & EdgesContext;
    expectTypeOf<keyof (BillingContext & AccessContext & FilesContext) & Holder>().toBeNever();
    expectTypeOf<keyof Without & Holder>().toBeNever();
    expectTypeOf<keyof RunsContext["configuration"]>().toEqualTypeOf<"refresh">();
  });
});

/** The first path of properties from `root` to a text with `wanted` in it; null: there is none. */
function pathTo(wanted: string, root: unknown): string | null {
  const seen = new Set<unknown>();
  const next: [unknown, string][] = [[root, "context"]];
  for (let one = next.pop(); one; one = next.pop()) {
    const [value, path] = one;
    if (typeof value === "string" && value.includes(wanted)) return path;
    if (
      ArrayBuffer.isView(value) &&
      Buffer.from(value.buffer, value.byteOffset, value.byteLength).includes(wanted)
    )
      return path;
    if ((typeof value !== "object" && typeof value !== "function") || value === null || seen.has(value))
      continue;
    seen.add(value);
    if (value instanceof Map || value instanceof Set)
      for (const entry of value) next.push([entry, `${path}.entries`]);
    if (ArrayBuffer.isView(value)) continue;
    for (let owner: object | null = value; owner; owner = Object.getPrototypeOf(owner))
      for (const key of Reflect.ownKeys(owner)) {
        next.push([key, `${path}.${String(key)}`]);
        next.push([read(owner, key, value), `${path}.${String(key)}`]);
      }
  }
  return null;
}

/** A getter of a prototype is asked as the object itself would ask it. */
function read(owner: object, key: string | symbol, value: object): unknown {
  try {
    return Reflect.get(owner, key, value);
  } catch {
    return null;
  }
}
