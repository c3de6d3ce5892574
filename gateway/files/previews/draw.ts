import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { bareEnvironment, killTree, limitedCommand } from "#gateway/platform/core/limited-process.ts";
import {
  childCpuMs,
  childHeapMegabytes,
  childLimits,
  drawTimeoutMs,
  idleMs,
  type PreviewAnswer,
  type PreviewJob,
} from "./job.ts";

const program = path.join(import.meta.dirname, "child", "main.ts");
/**
 * A child that ends while drawing may have been killed for a reason other than the file, so it is tried once
 * more.
 */
const maxTries = 2;

/** Idle children, with the timers that end them. */
const resting = new Map<ChildProcess, NodeJS.Timeout>();

/**
 * Draws the preview of a file in a separate process, with a minimal environment, a deadline and, on Linux,
 * limits of memory and processor time: a file that crashes a decoder crashes only that process. Returns why
 * there is no preview; null: it is drawn.
 */
export async function draw(job: PreviewJob, timeoutMs = drawTimeoutMs): Promise<string | null> {
  let ending = "";
  for (let tries = 0; tries < maxTries; tries++) {
    const answer = await drawOnce(job, timeoutMs);
    if ("failure" in answer) return answer.failure;
    ending = answer.ending;
  }
  return `The process ended: ${ending}`;
}

/** The child's answer, or how it ended instead. */
async function drawOnce(
  job: PreviewJob,
  timeoutMs: number,
): Promise<Pick<PreviewAnswer, "failure"> | { ending: string }> {
  const child = restingChild() ?? startChild();
  const { promise, resolve } = Promise.withResolvers<
    PreviewAnswer | { failure: string } | { ending: string }
  >();
  const ended = (code: number | null, signal: string | null) =>
    resolve({ ending: signal ?? `exit code ${code}` });
  const timer = setTimeout(() => resolve({ failure: `It took longer than ${timeoutMs} ms` }), timeoutMs);
  child.once("message", resolve).once("exit", ended);
  child.send(job, (error) => error && resolve({ ending: error.message }));
  const answer = await promise;
  clearTimeout(timer);
  child.off("message", resolve).off("exit", ended);
  if ("cpuMs" in answer && answer.cpuMs < childCpuMs) rest(child);
  else killTree(child.pid);
  return answer;
}

function startChild(): ChildProcess {
  const node = [
    `--max-old-space-size=${childHeapMegabytes}`,
    "--disable-warning=ExperimentalWarning",
    program,
  ];
  const [command, args] = limitedCommand(process.execPath, node, childLimits);
  const child = spawn(command, args, {
    cwd: path.parse(program).root,
    env: bareEnvironment(),
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  child.once("exit", () => leave(child));
  // A child that cannot start or receive messages also exits, and only the exit matters.
  child.on("error", () => killTree(child.pid));
  return child;
}

function restingChild(): ChildProcess | null {
  const [child] = resting.keys();
  if (!child) return null;
  leave(child);
  child.ref();
  child.channel?.ref();
  return child;
}

/**
 * Keeps an idle child for the next preview, without keeping this process alive. Ends the child if none comes.
 */
function rest(child: ChildProcess): void {
  const timer = setTimeout(() => {
    leave(child);
    killTree(child.pid);
  }, idleMs).unref();
  resting.set(child, timer);
  child.unref();
  child.channel?.unref();
}

function leave(child: ChildProcess): void {
  clearTimeout(resting.get(child));
  resting.delete(child);
}
