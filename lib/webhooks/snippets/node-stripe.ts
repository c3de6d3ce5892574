/** Node with the `stripe` package, which can verify our signature unchanged. */
export const nodeStripe = `import { createServer } from "node:http";
import Stripe from "stripe";

const secret = process.env.WEBHOOK_SECRET;

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  // The raw bytes: no body parser may run before this.
  const rawBody = Buffer.concat(chunks);
  try {
    const event = Stripe.webhooks.constructEvent(rawBody, request.headers["x-svc-signature"], secret);
    // Deliveries come at least once: skip an event.id that you have handled.
    console.log(event.id, event.type);
    response.writeHead(204).end();
  } catch (error) {
    console.error(error.message);
    response.writeHead(400).end("signature refused");
  }
}).listen(Number(process.env.PORT ?? 8080));
`;
