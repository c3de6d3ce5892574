// Runs a Node program in its own process and network namespaces: node scripts/in-namespaces.mjs PROGRAM …
// However the program ends, the kernel then ends every process in the namespaces and removes their links.
import { spawn } from "node:child_process";

const unshare = ["--pid", "--net", "--mount", "--fork", "--kill-child", "--mount-proc"];
// The shell is the first process in the namespace and reaps orphans. Shared memory is named by process ids,
// which an earlier run has used, too. It therefore gets its own mount, which disappears with the namespace.
const prepare = "mount -t tmpfs tmpfs /dev/shm && ip link set lo up";
const shell = ["sh", "-c", `${prepare} && "$@"; exit $?`, "sh", process.execPath];
const child = spawn("unshare", [...unshare, ...shell, ...process.argv.slice(2)], { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill("SIGKILL"));
child.on("error", (error) => {
  console.error(error.message);
  process.exitCode = 1;
});
child.on("exit", (code) => {
  process.exitCode = code ?? 1;
});
