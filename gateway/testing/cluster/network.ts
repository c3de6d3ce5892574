import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { readlinkSync } from "node:fs";
import { vi } from "vitest";

/** The network of one database node. */
export interface Place {
  name: string;
  address: string;
  /** Words before a command that runs there. */
  under: string[];
  /** Disconnects or reconnects it. */
  setLink(state: "up" | "down"): void;
}

export interface Network {
  places: Place[];
  close(): void;
}

const count = 3;
const bridge = "gatehouse";

/** Three network namespaces on a bridge. */
export async function openNetwork(): Promise<Network> {
  const names = Array.from({ length: count }, (_, index) => `db${index + 1}`);
  ip("link", "add", bridge, "type", "bridge");
  ip("addr", "add", "10.77.0.254/24", "dev", bridge);
  ip("link", "set", bridge, "up");
  const holders: ChildProcess[] = [];
  const places: Place[] = [];
  for (const [index, name] of names.entries()) {
    const holder = spawn("unshare", ["--net", "sleep", "infinity"], { stdio: "ignore" });
    holders.push(holder);
    const pid = String(holder.pid);
    await vi.waitUntil(() => namespaceOf(pid) !== namespaceOf("self"), { interval: 5, timeout: 10_000 });
    const address = `10.77.0.${index + 1}`;
    const under = ["nsenter", "-t", pid, "-n"];
    ip("link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", pid);
    ip("link", "set", name, "master", bridge, "up");
    const inside = `ip link set lo up && ip addr add ${address}/24 dev eth0 && ip link set eth0 up`;
    execFileSync("nsenter", [...under.slice(1), "sh", "-c", inside]);
    places.push({ name, address, under, setLink: (state) => ip("link", "set", name, state) });
  }
  return {
    places,
    close() {
      for (const holder of holders) holder.kill("SIGKILL");
      ip("link", "delete", bridge);
    },
  };
}

function ip(...words: string[]): void {
  execFileSync("ip", words);
}

function namespaceOf(pid: string): string {
  return readlinkSync(`/proc/${pid}/ns/net`);
}
