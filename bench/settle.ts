import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { median, ratioOf, verdict } from "./parts/figures.ts";
import { rounds } from "./parts/load.ts";
import { runBench } from "./parts/run.ts";
import type { Settled } from "./parts/settling.ts";

/*
 * The cost of settling an image prediction: processor time of the gateway and its PostgreSQL, and write-ahead
 * log. To compare with another tree, in turns: name it in BENCH_OTHER. It runs its own `parts/settling.ts`.
 */
const perRound = Number(process.env.BENCH_ROWS ?? 2_000);
const files = process.env.BENCH_FILES ?? "4";
const own = path.join(import.meta.dirname, "..");
const other = process.env.BENCH_OTHER;
const goal = 1.05;
const parts = [
  ["processor time", ({ gatewayUs, databaseUs }: Settled) => gatewayUs + databaseUs],
  ["write-ahead log", ({ walBytes }: Settled) => walBytes],
] as const;

await runBench(async (folder) => {
  const trees = other === undefined ? [own] : [own, other];
  const programs = await Promise.all(
    trees.map((tree, index) => start(tree, path.join(folder, String(index)))),
  );
  const results = programs.map((): Settled[] => []);
  for (const program of programs) await program.settle(perRound);
  for (let round = 0; round < rounds; round += 1)
    for (const [index, program] of programs.entries()) results[index]?.push(await program.settle(perRound));
  for (const program of programs) await program.stop();

  console.log(`\nPredictions settled with ${files} files each, medians of ${rounds} rounds of ${perRound}`);
  for (const [index, tree] of trees.entries()) {
    const of = (part: keyof Settled) => median(results[index]?.map((one) => one[part]) ?? []).toFixed(0);
    console.log(
      `${path.basename(tree).padEnd(16)} gateway ${of("gatewayUs")} µs, PostgreSQL ${of("databaseUs")} µs, WAL ${of("walBytes")} bytes`,
    );
  }
  const [mine = [], others] = results;
  if (!others) return;
  for (const [name, part] of parts) {
    const { middle, span } = ratioOf(mine.map(part), others.map(part));
    console.log(
      verdict(`${name}, this / the other`, `${middle.toFixed(2)} (${span})`, `<= ${goal}`, middle <= goal),
    );
  }
});

/** Starts a tree's code with its own database. */
async function start(tree: string, folder: string) {
  const child = fork(path.join(tree, "bench/parts/settling.ts"), {
    cwd: tree,
    env: { ...process.env, NODE_ENV: "production", BENCH_FOLDER: folder, BENCH_FILES: files },
  });
  const ended = once(child, "exit").then(() => Promise.reject(new Error(`${tree} ended`)));
  ended.catch(() => {});
  const answer = async () => {
    const [message] = await Promise.race([once(child, "message"), ended]);
    return message as Settled;
  };
  await answer();
  return {
    settle(count: number): Promise<Settled> {
      child.send(count);
      return answer();
    },
    async stop(): Promise<void> {
      child.disconnect();
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}
