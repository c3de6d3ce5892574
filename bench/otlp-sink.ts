import { createServer } from "node:http";

/**
 * Accepts OTLP data and confirms it as cheaply as possible. In protobuf, an empty body means that all was
 * received.
 */
const server = createServer((request, response) => {
  const type = request.headers["content-type"] ?? "";
  request.resume().on("end", () => {
    response.writeHead(200, { "content-type": type }).end(type.includes("json") ? "{}" : undefined);
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.(typeof address === "object" && address ? address.port : 0);
});
