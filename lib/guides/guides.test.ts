import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { guides } from "./guides.ts";
import { tabsOf } from "./snippets/languages.ts";
import { guideSnippets } from "./snippets/snippets.ts";

const markdown = /`|\*\*|__|\]\(|^#/;
/** The markup that a guide's text may contain. */
const rendered = /`[^`]+`|\[[^\]]+\]\([^)]+\)/g;

it.each(Object.entries(guides))("shows no raw Markdown in the guide %s", (_, { sections }) => {
  const heads = sections.flatMap(({ title, parts }) => [
    title,
    ...parts.flatMap((part) => ("head" in part ? part.head : [])),
  ]);
  const texts = sections.flatMap(({ missing = "", parts }) => [
    missing,
    ...parts.flatMap((part) => {
      if ("text" in part) return [part.text];
      if ("list" in part) return part.list;
      return "rows" in part ? part.rows.flat() : [];
    }),
  ]);
  const plain = [...heads, ...texts.map((text) => text.replaceAll(rendered, ""))];
  expect(plain.filter((text) => markdown.test(text))).toEqual([]);
});

const shells = Object.entries(guideSnippets).flatMap(([id, snippet]) =>
  tabsOf(snippet, "http://localhost/v1").flatMap(({ language, code }) =>
    language === "bash" && code.includes("curl") ? [{ id, code }] : [],
  ),
);
/** These read the body of a refusal. */
const readsErrors = ["readError", "gateRefusal"];

it.each(shells.filter(({ id }) => !readsErrors.includes(id)))(
  "the shell code of $id ends at the first request that fails",
  ({ code }) => {
    const folder = mkdtempSync(path.join(tmpdir(), "guide-"));
    try {
      // Like curl at a gateway that refuses everything: it fails only if it is asked to.
      const curl = `#!/bin/sh\necho asked >> "$LOG"\ncase "$*" in *--fail*) exit 22 ;; *) echo '{}' ;; esac\n`;
      for (const [name, text] of [
        ["curl", curl],
        ["jq", "#!/bin/sh\ncat > /dev/null\n"],
        ["sleep", "#!/bin/sh\n"],
      ] as const) {
        writeFileSync(path.join(folder, name), text);
        chmodSync(path.join(folder, name), 0o755);
      }
      writeFileSync(path.join(folder, "speech.wav"), "sound");
      const log = path.join(folder, "log");
      const { status } = spawnSync("bash", ["-c", code], {
        cwd: folder,
        timeout: 20_000,
        env: {
          ...process.env,
          PATH: `${folder}:${process.env.PATH}`,
          LOG: log,
          GATEHOUSE_API_KEY: "key",
          PREDICTION_ID: "pred_1",
          WEBHOOK_URL: "https://example.com",
          ENDPOINT_ID: "end_1",
        },
      });
      expect(status).toBe(22);
      expect(readFileSync(log, "utf8")).toBe("asked\n");
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
