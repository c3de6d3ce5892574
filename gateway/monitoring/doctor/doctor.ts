import { randomBytes, X509Certificate } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { mkdtemp, rm, statfs } from "node:fs/promises";
import path from "node:path";
import tls from "node:tls";
import { pino } from "pino";
import { type DoctorReport, type Finding, operatorDoctorRoutes } from "#contract/operator/doctor.ts";
import type { DatabaseServer } from "#contract/operator/health.ts";
import { openMailTransport } from "#gateway/events/notices/mail/transport.ts";
import { createSecretBox } from "#gateway/events/webhooks/secrets.ts";
import { detectFfmpeg } from "#gateway/files/ffmpeg/detect.ts";
import { openStorage } from "#gateway/files/storage/open.ts";
import { readConnections } from "#gateway/models/configuration/providers/read-connections.ts";
import { commandLine } from "#gateway/platform/core/command-line.ts";
import { type Config, readInstallation } from "#gateway/platform/core/config.ts";
import { folderHeader, nameOfFolder, problemOfFolder } from "#gateway/platform/core/data-folder.ts";
import { isPublic, loopback } from "#gateway/platform/core/listen-host.ts";
import { asc } from "#gateway/platform/database/drizzle.ts";
import { webhookSecrets } from "#gateway/platform/database/schema.ts";
import { inspectServer, type ServerSight } from "#gateway/platform/database/server.ts";
import { describeServer } from "#gateway/platform/database/server-version.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { tooManyRequests } from "#gateway/platform/http/limits.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import type { Limit } from "#gateway/platform/limits/limiter.ts";
import type { MonitoringContext } from "../context.ts";

/** The console waits 15 s for the whole answer. */
const checkMs = 12_000;
const answerMs = 5_000;

const good = (check: string, found: string): Finding => ({ check, state: "good", found, todo: null });
const look = (check: string, found: string, todo: string): Finding => ({ check, state: "look", found, todo });
const wrong = (check: string, found: string, todo: string): Finding => ({
  check,
  state: "wrong",
  found,
  todo,
});

const asked: Limit = { name: "doctor", count: 10, periodMs: 60_000 };

/** What `gatehouse doctor` finds, for operators in the console. */
export function installDoctor(app: App, context: MonitoringContext): void {
  serve(app, context, operatorDoctorRoutes, {
    "POST /operator/doctor": async ({ caller }): Promise<DoctorReport> => {
      const taken = await context.limiter.take(caller.actor.id, asked);
      if (!taken.allowed) throw tooManyRequests("Too many checks. Wait a minute and try again.", taken);
      return { object: "doctor", findings: await examine(context.config) };
    },
  });
}

/** Examines the installation of this machine's settings, running or not. */
export async function examineInstallation(): Promise<Finding[]> {
  try {
    return await examine(readInstallation());
  } catch (error) {
    return [programs(), wrong("Settings", messageOf(error), "Change the setting, then run this again.")];
  }
}

/** All findings, in the order of the checks. A check that throws or takes too long is a finding too. */
async function examine(config: Config): Promise<Finding[]> {
  const checks: [string, (config: Config) => Promise<Finding[]>][] = [
    ["Data folder", dataFolder],
    ["Database", database],
    ["Object store", objectStore],
    ["Video encoder", videoEncoder],
    ["Mail", mail],
    ["Gateway", addresses],
    ["Certificates", certificates],
    ["Open to others", openToOthers],
  ];
  const found = await Promise.all(
    checks.map(([name, check]) =>
      inTime(check(config)).catch((error: unknown) => [
        wrong(name, messageOf(error), "Read the message; docs/failures.md has the usual causes."),
      ]),
    ),
  );
  return [programs(), good("Settings", "Valid."), ...found.flat()];
}

async function inTime<Value>(check: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${checkMs / 1000} s`)), checkMs);
  });
  return Promise.race([check, late]).finally(() => clearTimeout(timer));
}

function programs(): Finding {
  const { version } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  return good("Programs", `Gatehouse ${version} on Node ${process.versions.node}.`);
}

const leastFreeShare = 0.1;

async function dataFolder({ dataDir }: Config): Promise<Finding[]> {
  const name = "Data folder";
  try {
    await rm(await mkdtemp(path.join(dataDir, "doctor-")), { recursive: true });
  } catch (error) {
    const problem = problemOfFolder(dataDir, error) ?? messageOf(error);
    return [wrong(name, problem, "Change this, then start Gatehouse again.")];
  }
  const { bavail, blocks, bsize } = await statfs(dataDir);
  const room = `${dataDir}: ${gigabytes(bavail * bsize)} of ${gigabytes(blocks * bsize)} free.`;
  return [
    bavail / blocks < leastFreeShare
      ? look(name, room, "Free some space: without room, runs wait and requests are answered with 503.")
      : good(name, room),
  ];
}

const usualSettings = { fsync: "on", full_page_writes: "on", server_encoding: "UTF8" } as const;
const maxClockMs = 2_000;

async function database(config: Config): Promise<Finding[]> {
  return inspectServer(config, silent, async ({ pending, settings, now, version, queries }) => {
    const findings = [versionOf(version, config)];
    for (const [name, usual] of Object.entries(usualSettings))
      if (settings[name] !== usual)
        findings.push(
          look(
            "Database",
            `${name} is ${settings[name]}.`,
            `Set it to ${usual}: otherwise data can be lost.`,
          ),
        );
    const apart = Math.abs(Date.now() - now);
    if (apart > maxClockMs)
      findings.push(
        wrong(
          "Clock",
          `The database's clock and this machine's are ${Math.round(apart / 1000)} s apart.`,
          "Set both by NTP: signatures, expiry times and leases depend on them.",
        ),
      );
    if (pending.length > 0)
      return [
        ...findings,
        look("Database", `It lacks ${pending.join(", ")}.`, `Apply them: ${commandLine} migrate`),
      ];
    return [
      ...findings,
      ...(await webhookSecretsOpen(config, queries)),
      ...(await providerKeys(config, queries)),
    ];
  });
}

const kinds: Record<DatabaseServer["kind"], string> = {
  bundled: "the bundled one",
  installed: "this machine's, with the embedded database",
  own: "the one of DATABASE_URL",
};

function versionOf(reported: string, config: Config): Finding {
  const { version, kind, released_on, newer_on } = describeServer(reported, config, Date.now());
  const server = `PostgreSQL ${version}, ${kinds[kind]}`;
  if (newer_on.length === 0)
    return good("Database", `${server}${released_on ? `, released on ${released_on}` : ""}.`);
  const age = released_on ? `, was released on ${released_on}` : " is old";
  const newer =
    newer_on.length === 1
      ? `A newer minor release came on ${newer_on[0]}; it closes known gaps.`
      : `Newer minor releases came on ${newer_on.join(", ")}; they close known gaps.`;
  const onMachine = `PostgreSQL ${version.split(".")[0]} on this machine`;
  const todo = {
    bundled: `Only this user can open its socket. Install ${onMachine}, or move to a server of your own: docs/operating.md`,
    installed: `Only this user can open its socket. Update ${onMachine}, then start Gatehouse again.`,
    own: "Update the server; a minor release needs no dump: docs/operating.md (in a container: docs/containers.md).",
  };
  return look("Database", `${server}${age}. ${newer}`, todo[kind]);
}

/** Whether AUTH_SECRET opens the oldest webhook secret: after a restore it may be a new one by mistake. */
async function webhookSecretsOpen(config: Config, queries: ServerSight["queries"]): Promise<Finding[]> {
  const [oldest] = await queries.select().from(webhookSecrets).orderBy(asc(webhookSecrets.id)).limit(1);
  if (!oldest) return [];
  try {
    createSecretBox(config).open(oldest, oldest.endpointId);
    return [];
  } catch {
    return [
      wrong(
        "Settings",
        "AUTH_SECRET is not the one that this database was used with: secrets of webhooks cannot be opened.",
        "Put the old AUTH_SECRET back, or set it as AUTH_SECRET_PREVIOUS: docs/backup.md",
      ),
    ];
  }
}

async function providerKeys(config: Config, queries: ServerSight["queries"]): Promise<Finding[]> {
  const connected = (await readConnections(queries, config)).filter(({ row }) => row.goneAt === null);
  const broken = connected.flatMap(({ row, problem }) =>
    problem === null
      ? []
      : [wrong("Providers", `${row.name}: ${problem}.`, `Open ${config.consoleUrl}/operator/providers`)],
  );
  if (broken.length > 0) return broken;
  if (connected.length === 0 && config.providersFile === null)
    return [
      look(
        "Providers",
        "None is connected: every model runs on the sandbox.",
        `Connect one at ${config.consoleUrl}/operator/providers`,
      ),
    ];
  return [good("Providers", `The keys of ${connected.length} connected providers can be read.`)];
}

/** Stores a small object and removes it. */
async function objectStore(config: Config): Promise<Finding[]> {
  const { store, scratch } = await openStorage(config);
  const key = `doctor/${randomBytes(8).toString("hex")}`;
  const where = config.s3 ? `the bucket ${config.s3.bucket}` : "the data folder";
  try {
    await store.put(key, Buffer.from("doctor"), { contentType: "text/plain" });
    await store.delete([key]);
    return [good("Object store", `Files can be stored in ${where} and removed.`)];
  } catch (error) {
    return [wrong("Object store", `${where}: ${messageOf(error)}`, "Check the S3_ settings, and the disk.")];
  } finally {
    await store.close();
    await scratch.close();
  }
}

async function videoEncoder({ ffmpegPath }: Config): Promise<Finding[]> {
  const { backend, skipped } = await detectFfmpeg(ffmpegPath);
  const name = "Video encoder";
  if (backend.kind === "native") return [good(name, `${backend.path} with the encoder ${backend.encoder}.`)];
  const reasons = skipped.join("; ");
  return backend.kind === "core"
    ? [
        look(
          name,
          `The bundled ffmpeg 5.1 of 2022 (${reasons}). It is slow and gets no security fixes; it runs inside WebAssembly and cannot open files of this machine.`,
          "Install ffmpeg, which is then preferred, or set FFMPEG_PATH.",
        ),
      ]
    : [wrong(name, `None (${reasons}).`, "Install ffmpeg, or set FFMPEG_PATH.")];
}

const unquiet = "Remove GATEHOUSE_QUIET, unless this is a copy of another installation.";

/** Signs in to the mail server and sends nothing. */
async function mail({ smtp, quiet }: Config): Promise<Finding[]> {
  if (quiet) return [look("Mail", "GATEHOUSE_QUIET is on: nothing is sent to other machines.", unquiet)];
  if (!smtp)
    return [
      look("Mail", "No mail server is set.", "Set SMTP_HOST and SMTP_FROM for invitations and notices."),
    ];
  const transport = await openMailTransport(smtp);
  try {
    await transport.verify();
    return [good("Mail", `${smtp.host}:${smtp.port} takes messages.`)];
  } catch (error) {
    return [wrong("Mail", `${smtp.host}:${smtp.port}: ${messageOf(error)}`, "Check the SMTP_ settings.")];
  } finally {
    transport.close();
  }
}

/** A console does not say whose it is. If the gateway is that of another installation, the console may be, too. */
async function addresses(config: Config): Promise<Finding[]> {
  const [gateway, console] = await Promise.all([
    addressOf("Gateway", `${config.publicUrl}/readyz`, config),
    addressOf("Console", config.consoleUrl, config),
  ]);
  const isDoubtful = gateway.isElsewhere && console.finding.state === "good";
  return [
    gateway.finding,
    isDoubtful
      ? look(
          "Console",
          `${config.consoleUrl} answers, perhaps for that installation.`,
          "Set PORT for this one.",
        )
      : console.finding,
  ];
}

interface Address {
  finding: Finding;
  /** Whether another installation answers there. */
  isElsewhere: boolean;
}

async function addressOf(name: string, url: string, config: Config): Promise<Address> {
  const { quiet, dataDir } = config;
  const here = (finding: Finding): Address => ({ finding, isElsewhere: false });
  if (quiet && isPublic(url))
    return here(look(name, `${url} was not asked: GATEHOUSE_QUIET is on.`, unquiet));
  try {
    const answer = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(answerMs) });
    const { status, headers } = answer;
    const folder = headers.get(folderHeader);
    if (folder !== null && folder !== nameOfFolder(config)) {
      const found = `${url} answers, but its data folder is not ${dataDir}: it is another installation.`;
      return { finding: look(name, found, "Set GATEWAY_PORT for this one."), isElsewhere: true };
    }
    if (status === 503 && (await answer.text()).includes("Gatehouse is being built"))
      return here(look(name, `${url} is still being built.`, "Wait a minute or two, then run this again."));
    if (status < 400) return here(good(name, `${url} answers.`));
    return here(wrong(name, `${url} answers ${status}.`, "Its log says why."));
  } catch (error) {
    const { cause, message } = error as Error & { cause?: Error };
    const found = `${url} cannot be reached: ${cause?.message || message}.`;
    return here(look(name, found, "Start it, or check the address."));
  }
}

const soonMs = 14 * 24 * 3_600_000;

async function certificates({ publicUrl, consoleUrl, signing, quiet }: Config): Promise<Finding[]> {
  const secure = [...new Set([publicUrl, consoleUrl])].filter((url) => url.startsWith("https:") && !quiet);
  const ends = await Promise.all(
    secure.map(async (url) => [url, await certificateEnd(new URL(url))] as const),
  );
  if (signing)
    ends.push([
      signing.certificate,
      Date.parse(new X509Certificate(readFileSync(signing.certificate)).validTo),
    ]);
  return ends.flatMap(([where, end]): Finding[] => {
    if (end === null) return [];
    const day = new Date(end).toISOString().slice(0, 10);
    if (end < Date.now()) return [wrong("Certificates", `That of ${where} ended on ${day}.`, "Renew it.")];
    if (end - Date.now() < soonMs)
      return [look("Certificates", `That of ${where} ends on ${day}.`, "Renew it soon.")];
    return [good("Certificates", `That of ${where} is valid until ${day}.`)];
  });
}

/** The end of the certificate of an address in ms, valid or not; null if there is no answer. */
function certificateEnd({ hostname, port }: URL): Promise<number | null> {
  return new Promise((resolve) => {
    const socket = tls.connect(
      // Only its dates are read: an invalid one is to be reported, and nothing is sent.
      { host: hostname, port: Number(port || 443), servername: hostname, rejectUnauthorized: false },
      () => {
        resolve(Date.parse(socket.getPeerCertificate().valid_to));
        socket.destroy();
      },
    );
    socket.setTimeout(answerMs, () => socket.destroy());
    socket.on("error", () => socket.destroy());
    socket.on("close", () => resolve(null));
  });
}

/** What Docker and podman put into a container. */
const containerFiles = ["/.dockerenv", "/run/.containerenv"];

async function openToOthers(config: Config): Promise<Finding[]> {
  const name = "Open to others";
  const findings: Finding[] = [];
  for (const [variable, url] of [
    ["GATEWAY_PUBLIC_URL", config.publicUrl],
    ["CONSOLE_PUBLIC_URL", config.consoleUrl],
  ] as const)
    if (isPublic(url) && url.startsWith("http:"))
      findings.push(
        look(name, `${variable} is ${url}: keys travel unencrypted.`, "Put TLS before it, and write https."),
      );
  /** In a container, the published ports decide who reaches it. */
  const isPublished = config.host !== loopback && containerFiles.some((file) => existsSync(file));
  if (config.host !== loopback && !isPublic(config.publicUrl) && !isPublished)
    findings.push(
      look(
        name,
        `The gateway listens on ${config.host}, though its address is ${config.publicUrl}.`,
        `Set GATEWAY_HOST=${loopback}, or GATEWAY_PUBLIC_URL to the address that others use.`,
      ),
    );
  for (const file of [path.resolve(".env"), path.join(config.dataDir, "secret")])
    if (((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o004) !== 0)
      findings.push(look(name, `Every user of this machine can read ${file}.`, `chmod o-r ${file}`));
  if (config.owner)
    findings.push(
      look(name, "OWNER_PASSWORD is still set.", "Take it away: it is needed only at the first start."),
    );
  if (findings.length > 0) return findings;
  const listens = `The gateway listens on ${config.host}`;
  return [
    good(
      name,
      isPublished ? `${listens} of its container; who reaches the published ports opens it.` : `${listens}.`,
    ),
  ];
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

const silent = pino({ level: "silent" });
