import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Prediction } from "#contract/prediction.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { call, startTestGateway, type TestAccount, type TestGateway } from "#gateway/testing/gateway.ts";

/** The environment variables in the tests' providers files. */
export const testKeys = {
  TEST_UPSTREAM_KEY: "upstream-test-key-0001",
  TEST_DASHSCOPE_KEY: "dashscope-test-key",
};

/** The credentials of an upstream that takes the same key in each region. */
export const keyIn = (...regions: string[]) =>
  Object.fromEntries(regions.map((region) => [region, { env: "TEST_UPSTREAM_KEY" }]));

interface Upstream {
  origin: string;
  protocol?: string;
}

/** An upstream as a providers file names it. Without more it is in one region. */
export const providerAt = ({ origin, protocol = "openai" }: Upstream, more: object = {}) => ({
  protocol,
  base_url: `${origin}/v1`,
  credentials: keyIn("us-virginia"),
  ...more,
});

export interface MappedGateway {
  gateway: TestGateway;
  account: TestAccount;
  post(route: string, body: object, headers?: Record<string, string>): ReturnType<typeof call>;
  /** Creates a prediction and waits for its end. */
  run(route: string, body: object): Promise<Prediction>;
  ended(id: string): Promise<Prediction>;
  close(): Promise<void>;
}

const runMs = 60_000;

export function writeProvidersFile(content: unknown): string {
  const file = path.join(newFolder("providers"), "providers.json");
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

/** A complete gateway with a providers file, and an account with every attestation. */
export async function startMappedGateway(
  providersFile: unknown,
  overrides: Partial<Config> = {},
): Promise<MappedGateway> {
  Object.assign(process.env, testKeys);
  const gateway = await startTestGateway({ providersFile: writeProvidersFile(providersFile), ...overrides });
  const account = await gateway.createAccount("adult", "portrait_rights");
  const post: MappedGateway["post"] = (route, body, headers) =>
    call(gateway, account.key, "POST", route, body, headers);
  const read = async (id: string) =>
    (await call(gateway, account.key, "GET", `/predictions/${id}`)).body as unknown as Prediction;
  const ended = async (id: string): Promise<Prediction> => {
    const over = AbortSignal.timeout(runMs);
    for (let now = await read(id); ; now = await read(id)) {
      if (now.completed_at || over.aborted) return now;
      await gateway.context.changes.next(id, over);
    }
  };
  return {
    gateway,
    account,
    post,
    ended,
    run: async (route, body) => ended(String((await post(route, body)).body.id)),
    close: () => gateway.close(),
  };
}
