import { expect, vi } from "vitest";
import type { Copy, CopyDetail, Destination } from "#contract/copies.ts";
import type { Output } from "#contract/outputs.ts";
import { startS3Server } from "#gateway/files/storage/testing/s3-server.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import { makeAuthority } from "#gateway/testing/certificates.ts";
import { webhooksTo } from "#gateway/testing/config.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { call, startTestGateway, type TestAccount, type TestGateway } from "#gateway/testing/gateway.ts";

export const keys = { id: "AKIATESTKEY", secret: "the/secret+access+key/of+a+test" };
export const image = { model: "svc/img-gen-a-1", prompt: "a red lighthouse", size: "256x256" };

export type S3Server = Awaited<ReturnType<typeof startS3Server>>;

/** A gateway, an account, and an S3 server with its own CA that accepts only requests signed with `keys`. */
export interface CopyScene {
  gateway: TestGateway;
  account: TestAccount;
  s3: S3Server;
  /** The settings for a destination at the server. */
  settings: Record<string, unknown>;
  send(method: string, path: string, body?: unknown, bearer?: string): ReturnType<typeof call>;
  createDestination(more?: Record<string, unknown>, bearer?: string): Promise<Destination>;
  /** Runs an image model; returns its outputs. */
  makeImages(more?: Record<string, unknown>): Promise<Output[]>;
  copy(id: string): Promise<CopyDetail>;
  copies(query?: string): Promise<Copy[]>;
  /** Waits until the copy has one of these states. */
  copyWhen(id: string, ...states: Copy["status"][]): Promise<CopyDetail>;
  close(): Promise<void>;
}

export async function startCopyScene(overrides: Partial<Config> = {}): Promise<CopyScene> {
  const authority = await makeAuthority(newFolder("authority"));
  const s3 = await startS3Server({ certificate: authority.local, keys, bucket: "gallery" });
  const { webhooks } = overrides;
  const gateway = await startTestGateway({
    ...overrides,
    webhooks: { ...webhooksTo(s3.port, authority), ...webhooks },
  });
  const account = await gateway.createAccount();
  const settings = {
    name: "Gallery",
    endpoint_url: s3.endpoint,
    region: "eu-central-1",
    bucket: "gallery",
    prefix: "made/",
    access_key_id: keys.id,
    secret_access_key: keys.secret,
  };
  const send: CopyScene["send"] = (method, target, body, bearer = account.session) =>
    call(gateway, bearer, method, target, body);
  const scene: CopyScene = {
    gateway,
    account,
    s3,
    settings,
    send,
    async createDestination(more = {}, bearer) {
      const { status, body } = await send("POST", "/destinations", { ...settings, ...more }, bearer);
      expect(status, JSON.stringify(body)).toBe(201);
      return body as unknown as Destination;
    },
    async makeImages(more = {}) {
      const before = (await send("GET", "/outputs?limit=1")).body.first_id;
      const made = await send("POST", "/images/generations", { ...image, ...more });
      expect(made.status, JSON.stringify(made.body)).toBe(200);
      const { body } = await send("GET", `/outputs${before ? `?before=${before}` : ""}`);
      return body.data as Output[];
    },
    copy: async (id) => (await send("GET", `/copies/${id}`)).body as unknown as CopyDetail,
    copies: async (query = "") => (await send("GET", `/copies${query}`)).body.data as Copy[],
    copyWhen: (id, ...states) =>
      vi.waitFor(
        async () => {
          const copy = await scene.copy(id);
          expect(states).toContain(copy.status);
          return copy;
        },
        { timeout: 20_000, interval: 50 },
      ),
    async close() {
      await gateway.close();
      await s3.close();
    },
  };
  return scene;
}
