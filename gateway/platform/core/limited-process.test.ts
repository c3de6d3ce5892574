import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { limitedCommand, prlimit } from "./limited-process.ts";

test.skipIf(!existsSync(prlimit))("a media process has its own limits if the system supports them", () => {
  const [command, args] = limitedCommand("/bin/sh", ["-c", "ulimit -a"], {
    dataBytes: 3 * 1024 ** 3,
    fileBytes: 1024 ** 3,
    openFiles: 256,
    cpuSeconds: 240,
  });
  const limits = execFileSync(command, args, { encoding: "utf8" });
  expect(limits).toMatch(/time.*\s240\n/);
  expect(limits).toMatch(/data.*\s3145728\n/);
  expect(limits).toMatch(/nofiles.*\s256\n|open files.*\s256\n/);
  expect(limits).toMatch(/core.*\s0\n/);
});
