import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { landscapeImage } from "../../gateway/catalog/example-media.ts";
import { type Receiver, startReceiver } from "../../gateway/testing/receiver.ts";
import { GatewayApi } from "../gateway-api.ts";
import { until } from "../seed-data.ts";
import { type StartedStack, startStack } from "../stack.ts";
import { type BrowserName, Visitor } from "./visitor.ts";

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
  photo = path.join(folder, "harbour.png");
  await writeFile(photo, Buffer.from(landscapeImage.split(",")[1] ?? "", "base64"));
  receiver = await startReceiver(started.stack.certificate, started.stack.receiverPorts[0]);
}, 300_000);
afterAll(async () => {
  await receiver?.close();
  await started?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Of people who know the console only from looking at it: each step finds something by what it is called. */
describe.each<BrowserName>(["chrome", "firefox"])("in %s", { timeout: 120_000 }, (browser) => {
  let visitor: Visitor;
  afterEach(() => visitor?.leave());

  it("a developer has code that works after five clicks", async () => {
    visitor = await Visitor.start(browser);
    await visitor.signIn(started.stack);
    await visitor.click("link", await visitor.either("link", ["Run a model", "Open the catalog"]));
    await visitor.click("link", "Try svc/chat-1");
    await visitor.click("tab", "Code");
    await visitor.click("button", "Create a key for this code");
    await visitor.seesText("The code that you copy has the new key");
    await visitor.click("button", "Copy code");
    await visitor.seesText("Copied");
    expect(visitor.clicks).toBe(5);
  });

  it("a support person sends a missing event again after three clicks", async () => {
    const place = `/${browser}`;
    const endpoint = await api.post("/webhooks/endpoints", { url: `${receiver.url}${place}` });
    const input = { prompt: "a lighthouse", quality: "low", size: "1024x1024", output_format: "png" };
    await api.post("/images/generations", { model: "svc/img-gen-b", ...input });
    const log = `/webhooks/deliveries?endpoint_id=${endpoint.id}&status=delivered`;
    const { event_id: event } = await until(
      async () => ((await api.get(log)) as { data: { event_id: string }[] }).data[0],
    );
    visitor = await Visitor.start(browser);
    await visitor.signIn(started.stack);
    // A line of a log, as somebody pastes it.
    await visitor.palette(`"event_id":"${event}",`);
    await visitor.sees("option", "Deliveries of event");
    await visitor.press("Enter");
    await visitor.sees("link", "dlv_");
    await visitor.click("button", "Send again");
    await visitor.sees("dialog", "Send this event again?");
    await visitor.confirm("Send again");
    await visitor.seesText("Queued");
    expect(visitor.clicks).toBeLessThanOrEqual(3);
    await until(async () =>
      receiver.received.filter(({ path }) => path === place).length > 1 ? true : undefined,
    );
    await api.delete(`/webhooks/endpoints/${endpoint.id}`);
  });

  it("a product person has a photo on five models after eight clicks", async () => {
    visitor = await Visitor.start(browser);
    await visitor.signIn(started.stack);
    await visitor.click("link", "Try models side by side");
    await visitor.chooseFile("Pictures", photo);
    await visitor.type("textbox", "Prompt or text", "a quiet harbour");
    const models = ["img-gen-a-1", "img-gen-a-2", "adult-edit", "adult-i2v-1", "adult-i2v-2"];
    for (const model of models) await visitor.click("checkbox", `svc/${model}`);
    await visitor.seesText("Together: ");
    await visitor.click("button", "Run");
    await visitor.seesText("Finished", 90_000);
    for (const model of models) await visitor.sees("region", `svc/${model}`);
    expect(visitor.clicks).toBeLessThanOrEqual(8);
  });
});
