import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { landscapeImage } from "../../gateway/models/catalog/example-media.ts";
import { type Receiver, startReceiver } from "../../gateway/testing/receiver.ts";
import { GatewayApi } from "../gateway-api.ts";
import { until } from "../seed-data.ts";
import { type StartedStack, startStack } from "../stack.ts";
import { type BrowserName, Visitor } from "./visitor.ts";

const maxClicks = { result: 3, call: 5, resend: 3, webhook: 4, comparison: 7, colleague: 3 };
const startWithinMs = 240_000;
const journeyMs = 400_000;
const comparisonMs = 240_000;

let started: StartedStack;
let api: GatewayApi;
let folder: string;
let photo: string;
let receiver: Receiver;

beforeAll(async () => {
  started = await startStack();
  api = await GatewayApi.signIn(started.stack);
  folder = await mkdtemp(path.join(tmpdir(), "gatehouse-journeys-"));
  photo = path.join(folder, "harbour.jpg");
  await writeFile(photo, Buffer.from(landscapeImage.split(",")[1] ?? "", "base64"));
  receiver = await startReceiver(started.stack.certificate, started.stack.receiverPorts[0]);
}, startWithinMs);
afterAll(async () => {
  await receiver?.close();
  await started?.stop();
  await rm(folder, { recursive: true, force: true });
});

/**
 * These tests act like people who know the console only by looking at it: each step finds elements by their
 * names.
 */
describe.each<BrowserName>(["chrome", "firefox"])("in %s", { timeout: journeyMs }, (browser) => {
  let visitor: Visitor;
  beforeEach(async () => {
    visitor = await Visitor.start(browser);
    await visitor.signIn(started.stack);
  }, startWithinMs);
  /** A failed test must not leave an endpoint to the next one. */
  const endpoints: string[] = [];
  afterEach(async () => {
    await visitor?.leave();
    for (const id of endpoints.splice(0)) await api.delete(`/webhooks/endpoints/${id}`);
  });

  it("a developer makes a first call that works", async () => {
    await visitor.click("link", /^(Run a model|Open the catalog)$/);
    await visitor.click("link", "Try svc/chat-1");
    await visitor.click("tab", "Code");
    await visitor.click("button", "Create a key for this code");
    await visitor.reads("The code that you copy has the new key");
    await visitor.click("button", "Copy code");
    const { stdout } = await promisify(execFile)("bash", ["-c", await visitor.pasted()]);
    expect(stdout).toContain("data: [DONE]");
    expect(visitor.clicks).toBeLessThanOrEqual(maxClicks.call);
  });

  it("a support person sends a missing event again", async () => {
    const place = `/${browser}`;
    endpoints.push(String((await api.post("/webhooks/endpoints", { url: `${receiver.url}${place}` })).id));
    const input = { prompt: "a lighthouse", quality: "low", size: "1024x1024", output_format: "png" };
    await api.post("/images/generations", { model: "svc/img-gen-b", ...input });
    const received = () => receiver.received.filter((one) => one.path === place);
    const { body } = await receiver.next((one) => one.path === place);
    // A line of the customer's log, which people often paste as a whole.
    await visitor.search(`"event_id":"${JSON.parse(body).id}",`);
    await visitor.sees("option", /^Deliveries of event/);
    await visitor.press("Enter");
    await visitor.reads("1 delivery");
    await visitor.click("button", /^Send again/);
    await visitor.reads("Send this event again?");
    await visitor.click("button", "Send again");
    await until(async () => received()[1]);
    expect(visitor.clicks).toBeLessThanOrEqual(maxClicks.resend);
  });

  it("somebody has a first picture", async () => {
    await visitor.click("link", /^(Run a model|Open the catalog)$/);
    await visitor.click("link", "Try svc/img-gen-a-1");
    await visitor.click("button", "Run");
    await visitor.sees("button", /^Open Image: /);
    expect(visitor.clicks).toBeLessThanOrEqual(maxClicks.result);
  });

  it("a support person finds the missing webhook of a customer", async () => {
    const customer = `umbrella-${browser}`;
    endpoints.push(
      String((await api.post("/webhooks/endpoints", { url: `${receiver.url}/${customer}` })).id),
    );
    const input = { prompt: "an umbrella", quality: "low", size: "1024x1024", output_format: "png" };
    await api.post("/images/generations", { model: "svc/img-gen-b", ...input, metadata: { customer } });
    const received = () => receiver.received.filter(({ path }) => path === `/${customer}`);
    await until(async () => received()[0]);
    await visitor.click("button", "Developers");
    await visitor.click("link", "Deliveries");
    await visitor.type("searchbox", "Metadata", `customer=${customer}`);
    await visitor.press("Enter");
    await visitor.reads("1 delivery");
    await visitor.click("button", /^Send again/);
    await visitor.reads("Send this event again?");
    await visitor.click("button", "Send again");
    await until(async () => received()[1]);
    expect(visitor.clicks).toBeLessThanOrEqual(maxClicks.webhook);
  });

  it("somebody shows a result to a colleague", async () => {
    const input = { prompt: "a kite", quality: "low", size: "1024x1024", output_format: "png" };
    const { id } = await api.post("/images/generations", { model: "svc/img-gen-b", ...input });
    await visitor.goTo(`${started.stack.consoleUrl}/predictions/${id}`);
    await visitor.click("button", /^Share pred_/);
    await visitor.click("button", "Create link");
    await visitor.click("button", "Copy link");
    const link = new URL(await visitor.pasted());
    expect((await fetch(started.stack.consoleUrl + link.pathname)).ok).toBe(true);
    expect(visitor.clicks).toBeLessThanOrEqual(maxClicks.colleague);
  });

  it("a product person tries a photo on five models", async () => {
    await api.withdraw("adult");
    const models = ["img-gen-a-1", "img-gen-a-2", "adult-edit", "vid-r2v", "adult-vid-1"];
    await visitor.click("link", "Try models side by side");
    await visitor.chooseFile("button", "Choose files for Pictures", photo);
    await visitor.type("textbox", "Prompt or text", "a quiet harbour");
    await visitor.click("button", "Attest for all models");
    await visitor.click("checkbox", /I confirm it/);
    await visitor.click("button", "Review");
    await visitor.click("button", "Record attestation");
    // Whoever attests before choosing gets the first five models.
    await visitor.reads("Together: ");
    await visitor.click("button", "Run on 5 models");
    await visitor.reads("Finished", comparisonMs);
    for (const model of models) await visitor.sees("region", `svc/${model}`);
    expect(visitor.clicks).toBeLessThanOrEqual(maxClicks.comparison);
  });
});
