import { once } from "node:events";
import { existsSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { allAddresses, loopback } from "../../gateway/platform/core/listen-host.ts";
import { buildConsole, isBuilt, nextProgram } from "../build-console.mjs";
import { checkout, home, onParentExit } from "../runtime.mjs";
import { showBuildingPage } from "./building-page.mjs";
import { Children } from "./children.mjs";
import { readSettings } from "./settings.mjs";

/** Files that are loaded into the console before its own code. */
const beforeConsole = ["client-address.mjs", "before-next.mjs"].flatMap((file) => [
  "--import",
  path.join(checkout, "scripts", "start", file),
]);
/** The time that the gateway may need beyond its drain, and a little more. */
const CLOSE_WITHIN_MS = 15_000;
const CONSOLE_POLL_MS = 50;
/** Time-out of one attempt. A page that the dev server compiles for the first time is slow. */
const CONSOLE_ANSWER_MS = 30_000;
const GATEWAY_READY = "Gateway ready: ";
const SET_UP = "Set up: ";

/** Wait before an ended program is started again. */
const AGAIN_AFTER_MS = 500;
/** After this many exits within the time, nothing is started again. */
const MAX_DEATHS = 5;
const DEATHS_WITHIN_MS = 5 * 60_000;

/**
 * Runs the programs until a signal. Resolves with the exit code. A program that ends after it was ready is
 * started again, while the other continues. A program that ends before it is ready stops everything, as does
 * the fifth exit within five minutes.
 */
export async function run(parts, { dev }) {
  const settings = await readSettings(parts);
  const children = new Children(settings.config.drainMs + CLOSE_WITHIN_MS);
  const breakOff = new AbortController();
  const ended = Promise.withResolvers();
  const programs = { settings, children, dev, wereReady: new Set() };
  const deaths = [];

  children.onDeath = (name, { code, signal, error }) => {
    const how = error?.message ?? (signal ? `by ${signal}` : `with exit code ${code}`);
    const stop = (why) => {
      console.error(`The ${name} ended ${how}; ${why}stopping the rest.`);
      ended.resolve(code || 1);
    };
    if (!programs.wereReady.has(name)) return stop("");
    deaths.push(performance.now());
    const [earliest] = deaths.slice(-MAX_DEATHS);
    if (deaths.length >= MAX_DEATHS && performance.now() - earliest < DEATHS_WITHIN_MS)
      return stop(
        `programs ended ${MAX_DEATHS} times within ${DEATHS_WITHIN_MS / 60_000} minutes. See the lines above for the reason; `,
      );
    console.error(`The ${name} ended ${how}; starting it again.`);
    sleep(AGAIN_AFTER_MS, undefined, { signal: breakOff.signal }).then(
      () => (name === "gateway" ? startGateway(parts, programs) : startConsole(programs)),
      () => {}, // everything is stopping
    );
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => {
      if (children.stopping) return children.kill(); // A second signal.
      ended.resolve(0);
    });
  }

  const parentWatch = onParentExit(() => ended.resolve(0));

  const starting = startAll(parts, programs, breakOff.signal).catch((error) => {
    if (breakOff.signal.aborted) return;
    console.error(error.message);
    ended.resolve(1);
  });
  const code = await ended.promise;
  breakOff.abort();
  const patience = setTimeout(() => console.error("Stopping. Press Ctrl-C again to stop at once."), 1_000);
  await children.stop();
  await starting;
  clearTimeout(patience);
  clearInterval(parentWatch);
  if (parts.gateway && !settings.config.databaseUrl) {
    const { endOrphan } = await import("../../gateway/platform/database/embedded/orphan.ts");
    await endOrphan(settings.config.dataDir);
  }
  return code;
}

async function startAll(parts, programs, broken) {
  const { settings, dev } = programs;
  const gateway = parts.gateway ? startGateway(parts, programs) : { ready: null, setUp: () => null };
  const gatewayReady = Promise.race([gateway.ready, once(broken, "abort")]);
  if (!parts.console) {
    await gatewayReady;
    if (broken.aborted) return;
    reportAddresses(parts, settings);
    if (gateway.setUp()) console.log(gateway.setUp());
    return;
  }
  if (!dev && !isBuilt()) {
    const { consolePort, consoleHost } = settings;
    const endPage = await showBuildingPage(consolePort, consoleHost);
    await buildConsole(console.log, broken).finally(endPage);
  }
  if (broken.aborted) return;
  startConsole(programs);
  await gatewayReady;
  await consoleAnswers(programs, broken);
  if (broken.aborted) return;
  console.log(`Console ready: ${settings.consoleOrigin}`);
  reportAddresses(parts, settings);
  if (gateway.setUp()) console.log(gateway.setUp());
}

/** Docker and Podman make these files. */
const isContainer = ["/.dockerenv", "/run/.containerenv"].some((file) => existsSync(file));

const forOthers = `To let other people use Gatehouse, set in .env:
  GATEWAY_HOST=0.0.0.0 and CONSOLE_HOST=0.0.0.0
  GATEWAY_PUBLIC_URL and CONSOLE_PUBLIC_URL: the https addresses of the proxy in front (docs/operating.md)`;

/**
 * Prints the addresses on which the programs listen, and at the first start how other people can reach them.
 */
function reportAddresses(parts, { config, consoleHost, isFirstStart }) {
  const hosts = new Set();
  if (parts.gateway && config.role !== "worker") hosts.add(config.host);
  if (parts.console) hosts.add(consoleHost ?? allAddresses);
  if (hosts.size === 0) return;
  const isHere = hosts.size === 1 && hosts.has(loopback);
  const setBy = ["GATEWAY_HOST", "CONSOLE_HOST"].filter((name) => process.env[name]?.trim());
  const source = setBy.length > 0 ? `, set by ${setBy.join(" and ")}` : "";
  const reach = isHere
    ? "only this machine can open it"
    : isContainer
      ? "whoever reaches the container's published ports can open it"
      : "other machines can open it";
  console.log(`Listening on ${[...hosts].join(" and ")}: ${reach}${source}.`);
  if (isHere && isFirstStart) console.log(forOthers);
}

/** The set-up link is printed only when the console answers. */
function startGateway(parts, { settings: { forGateway }, children, dev, wereReady }) {
  const ready = Promise.withResolvers();
  let setUp = null;
  children.start(
    "gateway",
    [...(dev ? ["--watch", "--watch-preserve-output"] : []), path.join(checkout, "gateway", "main.ts")],
    {
      folder: home,
      // With the console, people read the terminal. Without it, the gateway logs like a service.
      environment: {
        ...forGateway,
        LOG_LEVEL: process.env.LOG_LEVEL ?? (parts.console ? "warn" : "info"),
        ...(dev && { GATEWAY_PROCESSES: "1" }), // the watcher watches the files of only one process
      },
      onLine(line) {
        if (line.startsWith(SET_UP)) setUp = line;
        else console.log(line);
        if (!line.startsWith(GATEWAY_READY)) return;
        wereReady.add("gateway");
        setTimeout(ready.resolve, CONSOLE_POLL_MS); // The link follows at once.
      },
    },
  );
  return { ready: ready.promise, setUp: () => setUp };
}

/** The loopback address that `localhost` means here. */
const firstOfLocalhost = new Map([
  [loopback, "ipv4first"],
  ["::1", "ipv6first"],
]);

function startConsole({ settings: { forConsole, consolePort, consoleHost }, children, dev }) {
  // Next writes its own loopback addresses as `localhost`, and treats any other spelling as another server.
  const first = firstOfLocalhost.get(consoleHost);
  // Pages use the browser's localStorage. Node's own has no file here, and each look at it would be a warning.
  const node = ["--no-experimental-webstorage", ...(first ? [`--dns-result-order=${first}`] : [])];
  const host = consoleHost === null ? [] : ["-H", first ? "localhost" : consoleHost];
  children.start(
    "console",
    [...node, ...beforeConsole, nextProgram, dev ? "dev" : "start", "-p", consolePort, ...host],
    {
      folder: checkout,
      environment: { ...forConsole, NODE_ENV: dev ? "development" : "production" },
      onLine: (line) => dev && console.log(line),
    },
  );
}

async function consoleAnswers({ settings: { consoleOrigin }, wereReady }, broken) {
  while (!broken.aborted) {
    const answer = await fetch(`${consoleOrigin}/sign-in`, {
      redirect: "manual",
      signal: AbortSignal.any([broken, AbortSignal.timeout(CONSOLE_ANSWER_MS)]),
    }).catch(() => null);
    await answer?.body?.cancel();
    if (answer) return void wereReady.add("console");
    await sleep(CONSOLE_POLL_MS);
  }
}
