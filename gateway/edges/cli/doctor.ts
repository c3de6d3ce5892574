import type { Finding } from "#contract/operator/doctor.ts";
import { examineInstallation } from "#gateway/monitoring/doctor/doctor.ts";
import { printable, type StandaloneCommand } from "./command.ts";

/** `gatehouse doctor`: what is wrong or old in this installation, running or not, and what to do about it. */
export const doctor: StandaloneCommand = {
  usage: `doctor [--json]

  --json   the findings as JSON, for programs

Checks settings, disk, database, object store, video encoder, providers' keys, mail, addresses and
certificates. It changes nothing, calls no provider and prints no secret. Exit code 1 if something is wrong.`,
  options: { json: { type: "boolean" } },
  prepare: (values) => async () => {
    const findings = await examineInstallation();
    const wrongs = findings.filter(({ state }) => state === "wrong").length;
    console.log(
      values.json === true ? JSON.stringify({ object: "doctor", findings }, null, 2) : pageOf(findings),
    );
    if (wrongs > 0) throw new Error(`${wrongs === 1 ? "One check" : `${wrongs} checks`} failed.`);
  },
};

const marks: Record<Finding["state"], string> = { good: "✓", look: "!", wrong: "✗" };

function pageOf(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length)) + 2;
  const lines = findings.flatMap(({ check, state, found, todo }) => [
    `${marks[state]} ${check.padEnd(width)}${printable(found)}`,
    ...(todo === null ? [] : [`${" ".repeat(width + 2)}${printable(todo)}`]),
  ]);
  const count = (state: Finding["state"]) => findings.filter((finding) => finding.state === state).length;
  return [...lines, "", `${count("wrong")} wrong, ${count("look")} to look at, ${count("good")} good`].join(
    "\n",
  );
}
