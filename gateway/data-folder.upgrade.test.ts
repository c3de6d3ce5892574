import { afterAll, beforeAll, expect, inject, it, vi } from "vitest";
import { smallImage } from "./models/catalog/example-media.ts";
import { bytesOf } from "./models/providers/testing/upstream-server.ts";
import { ordered } from "./testing/load.ts";
import { endProgram, programOwner } from "./testing/program.ts";
import { type ProgramScene, programScene } from "./testing/program-scene.ts";

type Body = Record<string, unknown>;
type Ask = (method: string, route: string, body?: object, bearer?: string) => Promise<Body>;

const video = { model: "svc/vid-t2v", prompt: "a lighthouse in the rain", duration: 5 };
const image = bytesOf(smallImage);
/** The receiver fails at this path at first. */
const laterPath = "/later";
const settleMs = 240_000;

const release = inject("previousRelease");
let scene: ProgramScene;
beforeAll(async () => {
  // Long enough that the failed delivery is due again while this release runs.
  scene = await programScene(
    { WEBHOOK_BACKOFF_BASE_MS: "15000", WEBHOOK_BACKOFF_FACTOR: "1" },
    { isEmpty: true },
  );
}, 600_000);
afterAll(() => scene.close());

it("starts with this release: everything is still there, and work in progress ends", async () => {
  const old = await scene.start(release);
  const { session } = await scene.signIn();
  const ask: Ask = async (method, route, body, bearer = session) => {
    const answer = await scene.call(bearer, method, route, body);
    if (answer.status >= 300) throw new Error(`${method} ${route}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const made = await furnish(ask);
  const routes = ["/account", "/webhooks/endpoints", "/uploads", `/predictions/${made.finished}`];
  const before = new Map<string, Body>();
  for (const route of routes) before.set(route, lasting(await ask("GET", route)));
  await endProgram(old, "SIGTERM");
  expect(statuses(made.deliveries)).toEqual(["delivered", "failed"]);

  const now = await scene.start();
  scene.receiver.answer((_one, response) => response.writeHead(204).end());
  for (const [route, answer] of before) {
    expect(await ask("GET", route), route).toMatchObject(answer);
  }
  // Checks the password, the key with the used part of its budget, and the upload.
  await ask("POST", "/account/sessions", programOwner);
  const keys = (await ask("GET", "/keys")).data as Body[];
  expect(keys.find(({ name }) => name === "budgeted")).toMatchObject({
    monthly_budget: { generation: 3 },
    used_this_month: { generation: 1 },
  });
  const edit = { model: "svc/img-gen-a-1", prompt: "brighter", image: made.upload };
  await ask("POST", "/images/edits", edit, made.key);
  // The run and the delivery that the old release had begun.
  await vi.waitFor(
    async () => {
      expect(await ask("GET", `/predictions/${made.running}`)).toMatchObject({ status: "succeeded" });
      expect(statuses(await deliveriesOf(ask, made.finished))).toEqual(["delivered", "delivered"]);
      expect(statuses(await deliveriesOf(ask, made.running))).toEqual(["delivered", "delivered"]);
    },
    { timeout: settleMs, interval: 200 },
  );
  await endProgram(now, "SIGTERM");
}, 600_000);

it("keeps contents while the release before runs on this release's data folder, and reads them afterwards", async () => {
  const chat = { model: "svc/chat-1", messages: [{ role: "user", content: "The whale" }] };
  const asSignedIn = async () => {
    const { session } = await scene.signIn();
    return async (method: string, route: string, body?: object) => {
      const { status, body: answer } = await scene.call(session, method, route, body);
      if (status >= 300) throw new Error(`${method} ${route}: ${JSON.stringify(answer)}`);
      return answer;
    };
  };
  let program = await scene.start();
  let ask = await asSignedIn();
  await ask("PATCH", "/account", { contents: { keep: "all" } });
  const kept = String((await ask("POST", "/chat/completions", chat)).id);
  const content = await ask("GET", `/contents/${kept}`);
  expect(content).toMatchObject({ input: { messages: chat.messages }, output: { id: kept } });
  await endProgram(program, "SIGTERM");

  program = await scene.start(release);
  ask = await asSignedIn();
  const unkept = String((await ask("POST", "/chat/completions", chat)).id);
  await endProgram(program, "SIGTERM");

  program = await scene.start();
  ask = await asSignedIn();
  expect(await ask("GET", `/contents/${kept}`)).toEqual(content);
  const later = String((await ask("POST", "/chat/completions", chat)).id);
  const ids = ((await ask("GET", "/contents")).data as Body[]).map(({ id }) => id);
  expect(ids).toEqual([later, kept]);
  expect(ids).not.toContain(unkept);
  await endProgram(program, "SIGTERM");
}, 600_000);

/**
 * Uses the old release: a key with a budget, an upload, a run that ended, one still running, a delivery that
 * failed.
 */
async function furnish(ask: Ask) {
  const { secret } = await ask("POST", "/keys", { name: "budgeted", monthly_budget: { generation: 3 } });
  const key = String(secret);
  const upload = await uploadImage(ask);
  scene.receiver.answer((one, response) => response.writeHead(one.path === laterPath ? 500 : 204).end());
  await ask("POST", "/webhooks/endpoints", { url: `${scene.receiver.url}${laterPath}` });
  const order = await ask("POST", "/images/generations", { ...ordered, prompt: "a pine" }, key);
  const finished = String(order.id);
  let deliveries: Body[] = [];
  await vi.waitFor(
    async () => {
      deliveries = await deliveriesOf(ask, finished);
      expect(statuses(deliveries)).toEqual(["delivered", "failed"]);
    },
    { timeout: settleMs, interval: 100 },
  );
  const running = String((await ask("POST", "/videos", video, key)).id);
  return { key, upload, finished, running, deliveries };
}

async function uploadImage(ask: Ask): Promise<string> {
  const upload = await ask("POST", "/uploads", { content_type: "image/png", size_bytes: image.length });
  const headers = upload.upload_headers as Record<string, string>;
  // Signed URLs have the host of the settings instead of this scene's, so only their path is used.
  const { pathname, search } = new URL(String(upload.upload_url));
  const target = `${new URL(scene.url).origin}${pathname}${search}`;
  const put = await fetch(target, { method: "PUT", headers, body: new Uint8Array(image) });
  expect(put.status).toBe(200);
  await ask("POST", `/uploads/${upload.id}/verify`, {});
  return String(upload.reference);
}

async function deliveriesOf(ask: Ask, prediction: string): Promise<Body[]> {
  return (await ask("GET", `/webhooks/deliveries?prediction_id=${prediction}`)).data as Body[];
}

function statuses(deliveries: Body[]): unknown[] {
  return deliveries.map(({ status }) => status).sort();
}

/**
 * The parts of an answer that no release may change. Excludes signed URLs, which are new in each answer, and
 * an endpoint's health.
 */
function lasting(body: Body): Body {
  const names = [
    "data",
    "id",
    "object",
    "name",
    "url",
    "status",
    "created_at",
    "completed_at",
    "model",
    "user",
  ];
  const more = [
    "email",
    "input",
    "reference",
    "sha256",
    "size_bytes",
    "content_type",
    "secret_hint",
    "timeline",
  ];
  const kept = new Set([...names, ...more]);
  const pick = (one: Body) => Object.fromEntries(Object.entries(one).filter(([name]) => kept.has(name)));
  return Array.isArray(body.data) ? { data: body.data.map(pick) } : pick(body);
}
