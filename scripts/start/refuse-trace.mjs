// Loaded into the console before its own code (--import): answers TRACE. Next makes a web request of everything that it
// gets, which that method cannot be in, and would fail on each with 500 and an error in the log.
import { Server } from "node:http";

const message = "TRACE is not supported.";
const error = { message, type: "console_error", code: "method_not_allowed", param: null, request_id: null };
const body = JSON.stringify({ error });
const { emit } = Server.prototype;

Server.prototype.emit = function (event, ...words) {
  const [request, answer] = words;
  if (event !== "request" || request.method !== "TRACE") return emit.call(this, event, ...words);
  request.resume();
  answer
    .writeHead(405, {
      allow: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    })
    .end(body);
  return true;
};
