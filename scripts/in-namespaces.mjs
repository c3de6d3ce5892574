// Runs a Node program in process and network namespaces of its own: node scripts/in-namespaces.mjs PROGRAM …
// When it ends, however it ends, the kernel ends every process in them and removes their links. Where the system refuses
// namespaces (a container without the right), it runs without; TEST_NAMESPACES tells it ("off" forbids them).
import { spawn, spawnSync } from "node:child_process";

const unshare = ["--pid", "--net", "--mount", "--fork", "--kill-child", "--mount-proc"];
const allowed =
  process.env.TEST_NAMESPACES !== "off" && spawnSync("unshare", [...unshare, "true"]).status === 0;
if (!allowed) console.log("No namespaces here: the nodes run on loopback addresses.");

// The shell is the first process there: it collects what others leave.
const inside = [...unshare, "sh", "-c", 'ip link set lo up; "$@"; exit $?', "sh", process.execPath];
const [command, words] = allowed ? ["unshare", inside] : [process.execPath, []];
const child = spawn(command, [...words, ...process.argv.slice(2)], {
  stdio: "inherit",
  env: { ...process.env, TEST_NAMESPACES: allowed ? "on" : "off" },
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill("SIGKILL"));
child.on("error", (error) => {
  console.error(error.message);
  process.exitCode = 1;
});
child.on("exit", (code) => {
  process.exitCode = code ?? 1;
});
