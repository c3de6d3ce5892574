// Finds the programs that the cluster test starts, or installs them: node scripts/ensure-cluster.mjs
import { ensurePrograms } from "./install/ensure-programs.mjs";

ensurePrograms("the cluster test", [
  { name: "/usr/lib/postgresql/15/bin/postgres", words: ["--version"], package: "postgresql-15" },
  { name: "patroni", words: ["--version"], package: "patroni python3-etcd" },
  { name: "etcd", words: ["--version"], package: "etcd-server" },
  { name: "haproxy", words: ["-v"], package: "haproxy" },
  { name: "faketime", words: ["--version"], package: "faketime" },
  { name: "swift-proxy-server", words: ["--help"], package: "swift-proxy" },
  { name: "swift-account-server", words: ["--help"], package: "swift-account" },
  { name: "swift-container-server", words: ["--help"], package: "swift-container" },
  { name: "swift-object-server", words: ["--help"], package: "swift-object" },
  { name: "memcached", words: ["-V"], package: "memcached" },
  { name: "ip", words: ["-V"], package: "iproute2" },
  { name: "pgrep", words: ["-V"], package: "procps" },
]);
if (process.getuid?.() !== 0) {
  console.error("The cluster test must run as root: it starts programs as the user postgres.");
  process.exitCode = 1;
}
