import { execFileSync } from "node:child_process";
import os from "node:os";
import path from "node:path";
import { expect, it } from "vitest";

const file = path.join(import.meta.dirname, "low-priority.ts");
const program = `const { takeLowPriority } = await import(${JSON.stringify(file)});
takeLowPriority();
console.log(os.getPriority());`;

it.each([
  ["below the gateway's", 0],
  ["as low as it was, which no other user than root may raise", 9],
])("a process that makes media has a priority %s", (_, lower) => {
  const words = ["-n", String(lower), process.execPath, "--input-type=module", "-e"];
  const said = execFileSync("nice", [...words, `import os from "node:os";\n${program}`], {
    encoding: "utf8",
  });
  expect(Number(said)).toBe(Math.max(os.getPriority() + lower, 5));
});
