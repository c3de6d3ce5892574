import { expect, it } from "vitest";
import type { OperatorFirstSteps } from "#contract/operator/first-steps.ts";
import { startOpenAiServer } from "#gateway/models/providers/testing/openai-server.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

const chat = { model: "svc/chat-1", messages: [{ role: "user", content: "Hello" }] };
const nothing = {
  ran_sandbox: false,
  connected_provider: false,
  mapped_model: false,
  ran_provider: false,
  made_alias: false,
  invited_colleague: false,
  set_price: false,
  opened_network: false,
  set_mail: false,
  set_signing: false,
};
/** The request log and the figures are written shortly after the answer. */
const soon = { interval: 50 };

const gateway = shared(startTestGateway);
// The first account's owner is the operator.
const operator = shared(() => gateway.createAccount());
const upstream = shared(startOpenAiServer);

const send = async (method: string, path: string, body?: unknown) => {
  const answer = await call(gateway, operator.session, method, path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
};
const read = async () => (await send("GET", "/operator/first_steps")) as unknown as OperatorFirstSteps;
const steps = async () => (await read()).steps;

it("completes each step only when its action really happened", async () => {
  expect(await steps()).toEqual(nothing);

  await send("POST", "/chat/completions", chat);
  await expect.poll(steps, soon).toEqual({ ...nothing, ran_sandbox: true });

  const provider = await send("POST", "/operator/providers", {
    name: "acme",
    protocol: "openai",
    base_url: `${upstream.origin}/v1`,
    credentials: { "us-virginia": { key: "sk-the-first-key-0001" } },
    allow_private: true,
  });
  expect(await steps()).toEqual({ ...nothing, ran_sandbox: true, connected_provider: true });

  const route = { models: ["svc/chat-1"], provider: "acme", upstream_model: "m" };
  await send("PUT", "/operator/routes", { routes: [route] });
  expect(await steps()).toMatchObject({ mapped_model: true, ran_provider: false });

  // A failed attempt does not count as an answer.
  upstream.trouble(/chat/, { status: 401, json: { error: { message: "Wrong key" } } });
  expect((await call(gateway, operator.session, "POST", "/chat/completions", chat)).status).toBe(502);
  const failures = async () => {
    const { data } = await send("GET", "/operator/health?minutes=5");
    return (data as { provider: string; errors: number }[]).find((one) => one.provider === "acme")?.errors;
  };
  await expect.poll(failures, soon).toBe(1);
  expect(await steps()).toMatchObject({ ran_provider: false });
  await send("POST", "/chat/completions", chat);
  await expect.poll(steps, soon).toMatchObject({ ran_provider: true });

  const components = [{ kind: "input_token", per: 1_000_000, rate: "2" }];
  await send("POST", "/operator/prices", { model: "svc/chat-1", api_type: "chat-completions", components });
  await send("POST", "/account/invitations", { email: "grace@example.com", role: "member" });
  await send("POST", "/aliases", { name: "gpt-4o", models: ["svc/chat-1"] });
  const done = await steps();
  expect(done).toMatchObject({ set_price: true, invited_colleague: true, made_alias: true });

  // Without routes and providers those steps are open again, because their progress is not stored.
  await send("PUT", "/operator/routes", { routes: [] });
  await send("DELETE", `/operator/providers/${provider.id}`);
  expect(await steps()).toEqual({ ...done, connected_provider: false, mapped_model: false });
});

it("counts predictions of the sandbox too", async () => {
  const other = await startTestGateway();
  try {
    const { session } = await other.createAccount();
    const body = {
      model: "svc/img-gen-b",
      prompt: "A heron",
      quality: "low",
      size: "1024x1024",
      output_format: "png",
    };
    const made = await call(other, session, "POST", "/images/generations", body);
    expect(made.status, JSON.stringify(made.body)).toBe(202);
    const ran = async () => {
      const { body: answer } = await call(other, session, "GET", "/operator/first_steps");
      return (answer as unknown as OperatorFirstSteps).steps.ran_sandbox;
    };
    await expect.poll(ran, soon).toBe(true);
  } finally {
    await other.close();
  }
});

it("lists the addresses of the installation, and which are open to the network", async () => {
  const { config } = gateway.context;
  const { publicUrl, consoleUrl, host } = config;
  expect((await read()).network).toEqual({
    gateway: { url: publicUrl, reach: "own_machine" },
    console: { url: consoleUrl, reach: "own_machine" },
    listens_on: host,
    own_machine_only: true,
  });
  const reached = async (gatewayUrl: string, console: string) => {
    Object.assign(config, { publicUrl: gatewayUrl, consoleUrl: console });
    const { network, steps: done } = await read();
    return [network.gateway.reach, network.console.reach, done.opened_network];
  };
  const open = "https://console.example.com";
  expect(await reached("http://api.example.com", open)).toEqual(["unencrypted", "open", false]);
  expect(await reached("https://api.example.com", "https://localhost")).toEqual([
    "open",
    "own_machine",
    false,
  ]);
  expect(await reached("https://api.example.com", open)).toEqual(["open", "open", true]);
  Object.assign(config, { publicUrl, consoleUrl });
});

it("shows everybody whether outputs can be kept", async () => {
  const keeps = async (bearer: string) => (await call(gateway, bearer, "GET", "/account")).body.keeps_outputs;
  expect(await keeps(operator.session)).toBe(true);
  Object.assign(gateway.context.config, { keepOutputs: false });
  expect(await keeps(operator.key)).toBe(false);
  Object.assign(gateway.context.config, { keepOutputs: true });
});
