import { setTimeout as sleep } from "node:timers/promises";
import { startReceiver } from "../gateway/testing/receiver.ts";
import type { GatewayApi } from "./gateway-api.ts";
import { asBucket } from "./pages/bucket.ts";
import type { Stack } from "./stack.ts";

/** Data of an account in use. Each id has a page. */
export interface SeedData {
  prediction: string;
  upload: string;
  endpoint: string;
  /** A delivery to the endpoint, delivered. */
  delivery: string;
  /** An output of the prediction. */
  output: string;
  destination: string;
  /** A copy of the output to the destination. */
  copy: string;
  /** Ended. */
  batch: string;
  /** A comparison of two models that has ended. */
  comparison: string;
  /** A preset that was changed once. */
  preset: string;
}

const prompt = "A heron waits between the reeds of an estuary";
const description = "keeps the books";
const filename = "pixel.png";
/** Texts that only the owner may read. */
export const ownersTexts = [prompt, description, filename];

const POLL_MS = 100;
const WAIT_MS = 60_000;
const onePixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** Runs an image and two batches, uploads a file and delivers an event. */
export async function seed(api: GatewayApi, stack: Stack): Promise<SeedData> {
  const receiver = await startReceiver(stack.certificate, stack.receiverPorts[0]);
  asBucket(receiver);
  try {
    const url = `${receiver.url}/seed`;
    const endpoint = await api.post("/webhooks/endpoints", { url, description });
    const prediction = await api.post("/images/generations", {
      model: "svc/img-gen-b",
      prompt,
      quality: "low",
      size: "1024x1024",
      output_format: "png",
    });
    // Other tests of the account cause events too.
    const delivered = `/webhooks/deliveries?endpoint_id=${endpoint.id}&prediction_id=${prediction.id}&status=delivered`;
    const delivery = await until(async () => {
      const { data } = (await api.get(delivered)) as { data: { id: string }[] };
      return data[0]?.id;
    });
    return {
      prediction: String(prediction.id),
      upload: await upload(api),
      endpoint: String(endpoint.id),
      delivery,
      ...(await copied(api, receiver.url, String(prediction.id))),
      batch: await batch(api, [{ prompt, n: 2 }]),
      comparison: await batch(api, [{ prompt }, { prompt, model: "svc/img-gen-a-2" }], "comparison"),
      preset: await preset(api),
    };
  } finally {
    await receiver.close();
  }
}

/** The prediction's output, a bucket to copy it to, and that copy. */
async function copied(
  api: GatewayApi,
  url: string,
  predictionId: string,
): Promise<Pick<SeedData, "output" | "destination" | "copy">> {
  const { id } = await api.post("/destinations", {
    name: "Archive",
    endpoint_url: url,
    region: "us-east-1",
    bucket: "archive",
    access_key_id: "AKIASEED",
    secret_access_key: "a-secret-of-the-seed",
  });
  const output = await until(async () => {
    const { data } = (await api.get(`/outputs?prediction_id=${predictionId}`)) as { data: { id: string }[] };
    return data[0]?.id;
  });
  const copy = await api.post(`/outputs/${output}/copies`, { destination: id });
  // A copy that is still pending would be sent again to the receiver that a test starts on this port.
  await until(async () => (await api.get(`/copies/${copy.id}`)).status === "succeeded" || undefined);
  return { output, destination: String(id), copy: String(copy.id) };
}

/** Uploads and verifies a one-pixel image. Returns its id. */
export async function upload(api: GatewayApi): Promise<string> {
  const body = { content_type: "image/png", size_bytes: onePixel.length, filename };
  const { id, upload_url, upload_headers } = await api.post("/uploads", body);
  const headers = upload_headers as Record<string, string>;
  const put = await fetch(String(upload_url), { method: "PUT", headers, body: onePixel });
  if (!put.ok) throw new Error(`the upload was answered with ${put.status}`);
  await api.post(`/uploads/${id}/verify`);
  return String(id);
}

/** A preset with an earlier version. Returns its id. */
async function preset(api: GatewayApi): Promise<string> {
  const operation = { model: "svc/img-gen-b", api_type: "image-generation" };
  const { id } = await api.post("/presets", {
    name: `Herons ${Date.now()}`,
    ...operation,
    input: { prompt },
  });
  await api.patch(`/presets/${id}`, { input: { prompt, quality: "low" } });
  return String(id);
}

/** A batch that has ended. Returns its id. */
async function batch(api: GatewayApi, rows: object[], kind = "table"): Promise<string> {
  const name = kind === "table" ? "Herons" : "Herons compared";
  const body = { kind, model: "svc/img-gen-a-1", api_type: "image-generation", name, rows };
  const { id } = await api.post("/batches", body);
  await until(async () => (await api.get(`/batches/${id}`)).finished_at || undefined);
  return String(id);
}

/** Polls until there is an answer. */
export async function until<Value>(
  ask: () => Promise<Value | undefined>,
  longestMs = WAIT_MS,
): Promise<Value> {
  const end = Date.now() + longestMs;
  while (Date.now() < end) {
    const value = await ask();
    if (value !== undefined) return value;
    await sleep(POLL_MS);
  }
  throw new Error(`nothing came within ${longestMs} ms`);
}
