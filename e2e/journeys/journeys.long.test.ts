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

const maxClicks = { call: 5, webhook: 3, comparison: 8 };
const startWithinMs = 240_000;
const journeyMs = 180_000;
const comparisonMs = 90_000;

let started: StartedStack;
let api: GatewayApi;
let folder: string;
let photo: string;
let receiver: Receiver;

beforeAll(async () => {
  started = await startStack();
  api = await GatewayApi.signIn(started.stack);
  await api.attest("adult");
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

/** As people who know the console only by looking at it: each step finds things by their names. */
describe.each<BrowserName>(["chrome", "firefox"])("in %s", { timeout: journeyMs }, (browser) => {
  let visitor: Visitor;
  beforeEach(async () => {
    visitor = await Visitor.start(browser);
    await visitor.signIn(started.stack);
  });
  afterEach(() => visitor?.leave());

  it("a developer has a call that works", async () => {
    await visitor.click("link", /^(Run a model|Open the catalog)$/);
    await visitor.click("link", "Try svc/chat-1");
    await visitor.click("tab", "Code");
    await visitor.click("button", "Create a key for this code");
    await visitor.reads("The code that you copy has the new key");
    await visitor.click("button", "Copy code");
    await visitor.reads("Copied");
    const { stdout } = await promisify(execFile)("bash", ["-c", await visitor.pasted()]);
    expect(stdout).toContain("data: [DONE]");
    expect(visitor.clicks).toBeLessThanOrEqual(maxClicks.call);
  });

  it("a support person sends a missing event again", async () => {
    const place = `/${browser}`;
    const endpoint = await api.post("/webhooks/endpoints", { url: `${receiver.url}${place}` });
    const input = { prompt: "a lighthouse", quality: "low", size: "1024x1024", output_format: "png" };
    await api.post("/images/generations", { model: "svc/img-gen-b", ...input });
    const received = () => receiver.received.filter((one) => one.path === place);
    const { body } = await receiver.next((one) => one.path === place);
    // A line of the customer's log, as people paste it.
    await visitor.search(`"event_id":"${JSON.parse(body).id}",`);
    await visitor.sees("option", /^Deliveries of event/);
    await visitor.press("Enter");
    await visitor.reads("1 delivery");
    await visitor.click("button", /^Send again/);
    await visitor.reads("Send this event again?");
    await visitor.click("button", "Send again");
    await until(async () => received()[1]);
    expect(visitor.clicks).toBeLessThanOrEqual(maxClicks.webhook);
    await api.delete(`/webhooks/endpoints/${endpoint.id}`);
  });

  it("a product person has a photo on five models", async () => {
    const models = ["img-gen-a-1", "img-gen-a-2", "adult-edit", "adult-i2v-1", "adult-i2v-2"];
    await visitor.click("link", "Try models side by side");
    await visitor.chooseFile("button", "Choose files for Pictures", photo);
    await visitor.type("textbox", "Prompt or text", "a quiet harbour");
    for (const model of models) await visitor.click("checkbox", `svc/${model}`);
    await visitor.reads("Together: ");
    await visitor.click("button", "Run on 5 models");
    await visitor.reads("Finished", comparisonMs);
    for (const model of models) await visitor.sees("region", `svc/${model}`);
    expect(visitor.clicks).toBeLessThanOrEqual(maxClicks.comparison);
  });
});
