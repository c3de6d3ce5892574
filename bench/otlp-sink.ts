import { createServer } from "node:http";

/** Takes what is sent by OTLP and says it was received, as cheaply as it can. */
const server = createServer((request, response) => {
  request.resume().on("end", () => response.writeHead(200, { "content-type": "application/json" }).end("{}"));
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.(typeof address === "object" && address ? address.port : 0);
});
