import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";

/** Repeats the request until something else answers, also while nothing answers. */
const script = `setInterval(() => fetch(location, { method: "HEAD" })
  .then((answer) => answer.status !== 503 && location.reload(), () => {}), 1000);`;
const hash = createHash("sha256").update(script).digest("base64");

const page = `<!doctype html>
<html lang="en">
<title>Gatehouse is being built</title>
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<style>body { font: 16px system-ui, sans-serif; margin: 20vh auto; max-width: 30rem; padding: 0 1rem }</style>
<main>
<h1>Gatehouse is being built</h1>
<p role="status">The console is built once, which takes half a minute to three minutes, up to six on a busy machine. This page opens it by itself.</p>
<noscript><p>Reload the page in a while.</p></noscript>
</main>
<script>${script}</script>
</html>
`;

/**
 * Answers on the console's address during the build, so that people who open it see the progress. Resolves
 * with a function that ends it. If the address is in use, the console itself reports that.
 */
export async function showBuildingPage(port, host) {
  const server = createServer((request, response) => {
    response.writeHead(503, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; connect-src 'self'`,
      "cache-control": "no-store",
      "retry-after": "5",
      connection: "close",
    });
    response.end(request.method === "HEAD" ? undefined : page);
  });
  server.listen(Number(port), host ?? undefined);
  const listens = await once(server, "listening").then(
    () => true,
    () => false,
  );
  return async () => {
    if (!listens) return;
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  };
}
