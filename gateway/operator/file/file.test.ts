import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ProvidersFileExport } from "#contract/operator-file.ts";
import { writeProvidersFile } from "#gateway/providers/testing/mapped-gateway.ts";
import { call, startTestGateway, type TestGateway } from "#gateway/testing/gateway.ts";

const route = { models: ["svc/chat-2"], provider: "their", upstream_model: "m", weight: 2 };
const file = {
  providers: {
    their: {
      protocol: "openai",
      base_url: "https://up.example/v1",
      credentials: { "us-virginia": { env: "TEST_FILE_KEY" } },
    },
  },
  routes: [route],
};

describe("the console's part as a providers file, and back", () => {
  let gateway: TestGateway;
  let key: string;
  beforeAll(async () => {
    process.env.TEST_FILE_KEY = "the-key-of-the-file";
    gateway = await startTestGateway({ role: "api" });
    const { accountId } = await gateway.createAccount();
    key = await gateway.createKey(accountId, { scopes: ["operator"] });
  });
  afterAll(() => gateway.close());
  const ask = (method: string, path: string, body?: object) =>
    call(gateway, key, method, `/operator/${path}`, body);

  it("takes a file in, refuses a wrong one whole, and gives the same out without keys", async () => {
    const wrong = { ...file, routes: [route, { ...route, models: ["svc/none"] }] };
    const refused = await ask("POST", "file", { file: wrong });
    expect(refused.body.error).toMatchObject({
      code: "invalid_parameter",
      message: expect.stringContaining('routes[1].models[0] is "svc/none"'),
    });
    expect((await ask("GET", "providers")).body.data).toEqual([]);

    expect((await ask("POST", "file", { file })).body).toMatchObject({
      created: ["their"],
      kept: [],
      routes: 1,
    });
    const sealed = { key: "sk-sealed-and-never-told" };
    await ask("POST", "providers", {
      name: "Own",
      protocol: "openai",
      base_url: "https://own.example/v1",
      credentials: { "us-virginia": sealed },
    });
    const exported = (await ask("GET", "file")).body as unknown as ProvidersFileExport;
    expect(exported.file).toEqual({
      providers: {
        ...file.providers,
        Own: {
          protocol: "openai",
          base_url: "https://own.example/v1",
          credentials: { "us-virginia": { env: "OWN_KEY" } },
        },
      },
      routes: [route],
    });
    expect(exported.environment).toEqual([
      { name: "TEST_FILE_KEY", provider: "their", region: "us-virginia" },
      { name: "OWN_KEY", provider: "Own", region: "us-virginia" },
    ]);
    expect(JSON.stringify(exported)).not.toContain("sealed-and-never-told");
    expect(JSON.stringify(exported)).not.toContain("the-key-of-the-file");
  });

  it("gives out a file that another gateway starts with", async () => {
    const { file: content } = (await ask("GET", "file")).body as unknown as ProvidersFileExport;
    process.env.OWN_KEY = "another";
    const other = await startTestGateway({ role: "api", providersFile: writeProvidersFile(content) });
    expect(other.context.configuration.current.file?.mappings).toHaveLength(1);
    await other.close();
  });

  it("starts with a route to an entry that is gone, and says so in the log and at the route", async () => {
    const gone = { ...route, models: ["svc/chat-2", "acme/gone"] };
    const other = await startTestGateway({
      role: "api",
      providersFile: writeProvidersFile({ ...file, routes: [gone] }),
    });
    const { accountId } = await other.createAccount();
    const otherKey = await other.createKey(accountId, { scopes: ["operator"] });
    const problem = 'models[1] is "acme/gone", which is not in the catalog';
    expect((await call(other, otherKey, "GET", "/operator/routes")).body.data).toMatchObject([
      { id: "file:0", managed_by: "file", problem, serves: [{ model: "svc/chat-2" }] },
    ]);
    const problems = [`routes[0].${problem}`];
    expect(other.logLines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ level: 40, problems }),
    );
    await other.close();
  });
});
