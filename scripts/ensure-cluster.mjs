// Finds the programs that the cluster test starts, or installs them: node scripts/ensure-cluster.mjs
import { ensurePrograms } from "./install/ensure-programs.mjs";
import { swift } from "./install/swift.mjs";

ensurePrograms("the cluster test", [
  { name: "/usr/lib/postgresql/15/bin/postgres", words: ["--version"], package: "postgresql-15" },
  { name: "patroni", words: ["--version"], package: "patroni python3-etcd" },
  { name: "etcd", words: ["--version"], package: "etcd-server" },
  { name: "haproxy", words: ["-v"], package: "haproxy" },
  { name: "faketime", words: ["--version"], package: "faketime" },
  ...swift,
  { name: "ip", words: ["-V"], package: "iproute2" },
  { name: "pgrep", words: ["-V"], package: "procps" },
]);
if (process.getuid?.() !== 0) {
  console.error("The cluster test must run as root: it starts programs as the user postgres.");
  process.exitCode = 1;
}
