// Loaded into the console before its own code (--import). Answers requests that Next cannot handle. Next
// turns every request into a web request, which is impossible for TRACE and `OPTIONS *`, so each would fail
// with 500 and an error in the log. For a request in absolute form, Next would redirect to the host in the
// request's first line. Outside CONSOLE_ALLOW_CIDRS, only shared links and the status page are shown; the
// gateway itself refuses sessions from other networks. This code also disconnects clients that send too slowly, as the gateway does.
import { Server } from "node:http";
import { readConsoleNetworks } from "../../gateway/platform/core/config.ts";
import { isInNetworks } from "../../gateway/platform/core/networks.ts";
import { cutSlowRequests } from "../../gateway/platform/core/slow-requests.ts";
import { addressOf } from "./client-address.mjs";

const networks = readConsoleNetworks(process.env);
/** What people without an account see, and the files that these pages load. */
const forEverybody = /^\/(?:public|_next|fonts|covers)\/|^\/[\w-]+\.(?:svg|ico|png|txt)$/;

const allow = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";
const { emit } = Server.prototype;

Server.prototype.emit = function (event, ...words) {
  if (event === "listening") cutSlowRequests(this);
  if (event !== "request") return emit.call(this, event, ...words);
  const [request, answer] = words;
  if (request.method === "TRACE")
    return refuse(request, answer, 405, "TRACE is not supported.", "method_not_allowed");
  if (request.url === "*") {
    if (request.method !== "OPTIONS")
      return refuse(request, answer, 400, "The path is missing.", "malformed_request");
    request.resume();
    answer.writeHead(204, { allow, connection: "close" }).end();
    return true;
  }
  request.url = request.url.replace(/^https?:\/\/[^/?#]*\/*/i, "/");
  if (!isInNetworks(networks, addressOf(request) ?? "") && !isForEverybody(request))
    return refuse(
      request,
      answer,
      403,
      `This console may be used only from certain networks, and your address, ${addressOf(request)}, is in none of them.`,
      "network_not_allowed",
    );
  return emit.call(this, event, ...words);
};

function isForEverybody({ url }) {
  return forEverybody.test(URL.parse(url, "http://console")?.pathname ?? "");
}

function refuse(request, answer, status, message, code) {
  const error = { message, type: "console_error", code, param: null, request_id: null };
  const isPage = request.headers.accept?.includes("text/html");
  const body = isPage ? pageOf(message) : JSON.stringify({ error });
  request.resume();
  answer
    .writeHead(status, {
      allow,
      "content-type": isPage ? "text/html; charset=utf-8" : "application/json",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
      "cache-control": "no-store",
      "content-length": Buffer.byteLength(body),
      connection: "close", // nothing limits how slowly the rest of the request arrives
    })
    .end(body);
  return true;
}

/** For people, who open an address in a browser. */
function pageOf(message) {
  return `<!doctype html>
<html lang="en">
<title>Refused</title>
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<style>body { font: 16px system-ui, sans-serif; margin: 20vh auto; max-width: 30rem; padding: 0 1rem }</style>
<main>
<h1>Refused</h1>
<p>${message}</p>
</main>
</html>
`;
}
