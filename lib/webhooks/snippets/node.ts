/** Node with only its own crypto module. */
export const node = `import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const secret = process.env.WEBHOOK_SECRET;
const toleranceSeconds = 300;

function verify(rawBody, header) {
  const parts = (header ?? "").split(",").map((part) => part.split("="));
  const timestamp = parts.find(([name]) => name === "t")?.[1];
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(age <= toleranceSeconds)) return false;
  const expected = createHmac("sha256", secret).update(timestamp + ".").update(rawBody).digest();
  return parts.some(([name, hex]) => {
    if (name !== "v1") return false;
    const given = Buffer.from(hex ?? "", "hex");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  // The raw bytes: no body parser may run before this.
  const rawBody = Buffer.concat(chunks);
  if (!verify(rawBody, request.headers["x-svc-signature"])) {
    return response.writeHead(400).end("signature refused");
  }
  const event = JSON.parse(rawBody);
  // Deliveries come at least once: skip an event.id that you have handled.
  console.log(event.id, event.type);
  response.writeHead(204).end();
}).listen(Number(process.env.PORT ?? 8080));
`;
